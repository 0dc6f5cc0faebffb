import type { StorageAdapter } from "../../src/storage.js";
import type { Trial } from "./trial.js";

/** What a storage may be able to do besides, and the suite tests only where it can. */
export type Trait = "durable" | "multiProcess" | "watch" | "peek";

/** For each trait `true`, or the reason why the storage doesn't have it: the reason stands beside each test that is skipped. */
export interface Traits {
	/** What was committed is there again after closing, when the storage is created anew with the same name. */
	readonly durable: true | string;
	/** Several storages with the same name may be open at the same time, as in several processes or tabs. */
	readonly multiProcess: true | string;
	/** It has `watch`. */
	readonly watch: true | string;
	/** It has `peek`. */
	readonly peek: true | string;
}

/** How large the data of the tests is. */
export interface Sizes {
	/** The levels of the deepest outline. Default 1,000. */
	readonly levels: number;
	/** The children of the widest node. Default 30,000. */
	readonly siblings: number;
	/** The changes of the largest batch. Default 10,000. */
	readonly changes: number;
	/** The mirrors of one node. Default 300. */
	readonly mirrors: number;
	/** The characters of the longest name. Default 1,000,000. */
	readonly characters: number;
	/** How many storages are opened, or used for the first time, at once. Default 20. */
	readonly opens: number;
}

/** Registers one test with a test runner, as `test` of vitest, Jest or node:test does. */
export interface TestFunction {
	(name: string, run: () => Promise<void>): unknown;
	/** Registers a test that isn't run. */
	readonly skip?: (name: string, run: () => Promise<void>) => unknown;
}

/** What {@link storageConformance} takes. */
export interface ConformanceOptions {
	/**
	 * Registers a test. A test that is skipped goes to `test.skip`, with the reason in its name; where that is missing, to
	 * `test`, with that name and nothing to do.
	 */
	readonly test: TestFunction;
	/**
	 * Makes a storage on the outline with a name. The suite gives a new name for each fresh, empty outline; given again, the
	 * name stands for the same outline (a storage that isn't durable may ignore it). Names are of lower case letters, digits
	 * and hyphens, and differ from run to run.
	 */
	readonly create: (name: string) => StorageAdapter | Promise<StorageAdapter>;
	/** What the storage can do besides. */
	readonly traits: Traits;
	/** Smaller data for a storage that is very slow. */
	readonly sizes?: { readonly [Size in keyof Sizes]?: number | undefined } | undefined;
	/** The sequences of random commits that are compared with a look through all records. */
	readonly random?:
		| {
				/** What they are drawn from. Default: another in each run; a failure prints it. */
				readonly seed?: number | undefined;
				/** How many commits a sequence has. Default 40. */
				readonly commits?: number | undefined;
				/** How many sequences there are. Default 5. */
				readonly sequences?: number | undefined;
		  }
		| undefined;
	/** How many milliseconds the suite waits for what must come about at once, such as a notice. Default 10,000. */
	readonly patience?: number | undefined;
}

/** One test of the suite. */
export interface Case {
	/** What it shows. */
	readonly name: string;
	/** The traits without which there is nothing to test. */
	readonly needs?: readonly Trait[];
	readonly run: (trial: Trial) => Promise<void>;
}
