import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Files that take long although they are small. */
const long = /\/(browser\/indexeddb-conformance|postgres\/conformance|outliner\/undo)\.test\.ts$/;

/** Begins the long test files first, so that no core waits for another at the end. A fresh clone knows no durations. */
export class LongestFirst extends BaseSequencer {
	override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
		const sorted = await super.sort(files);
		const isLong = (file: TestSpecification) => long.test(file.moduleId.replaceAll("\\", "/"));
		return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
	}
}
