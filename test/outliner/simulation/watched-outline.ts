import { Outline as LibraryOutline, type OutlineOptions } from "../../../src/index.js";
import { type TextChange, textsOf } from "./words.js";

export * from "../../../src/index.js";

/** Sends the changes of one commit of this page to the test, if it wants them. */
declare const keepChanges: ((changes: readonly TextChange[]) => Promise<void>) | undefined;

/** The `Outline` of the outliner, which tests can read. It tells a simulation what its own user has changed. */
export class Outline extends LibraryOutline {
	constructor(options: OutlineOptions) {
		super(options);
		// Outlines of the clipboard are only in memory.
		if (options.history === undefined) return;
		Object.assign(globalThis, { watchedOutline: this });
		this.subscribe(({ source, changes }) => {
			if (source !== "local" || typeof keepChanges === "undefined") return;
			void keepChanges(changes.map(({ before, after }) => [textsOf(before), textsOf(after)]));
		});
	}
}
