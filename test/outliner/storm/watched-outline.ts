import { Outline as LibraryOutline, type OutlineOptions } from "../../../src/index.js";
import { type TextChange, textsOf } from "./words.js";

export * from "../../../src/index.js";

/** Sends the changes of one commit of this page to the test. */
declare function keepChanges(changes: readonly TextChange[]): Promise<void>;

/** The `Outline` of the outliner in a storm. It tells the test what its own user has changed. */
export class Outline extends LibraryOutline {
	constructor(options: OutlineOptions) {
		super(options);
		// Outlines of the clipboard are only in memory.
		if (options.history === undefined) return;
		Object.assign(globalThis, { watchedOutline: this });
		this.subscribe(({ source, changes }) => {
			if (source !== "local") return;
			void keepChanges(changes.map(({ before, after }) => [textsOf(before), textsOf(after)]));
		});
	}
}
