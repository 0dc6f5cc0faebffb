import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Files that take very long. A second core would have nothing to do while the last of them runs. */
const longest = /\/(conformance|convergence|sizes|storages|simulation|transcript|typing-speed)\.test\.ts$/;

/**
 * Begins each project with the files that take longest. Without a measurement, as in a new checkout, Vitest begins
 * with the largest files, and these are small.
 */
export class LongestFirst extends BaseSequencer {
	override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
		const sorted = await super.sort(files);
		const projects = [...new Set(sorted.map(({ project }) => project))];
		const rank = ({ project, moduleId }: TestSpecification) =>
			2 * projects.indexOf(project) + (longest.test(moduleId) ? 0 : 1);
		return sorted.sort((one, other) => rank(one) - rank(other));
	}
}
