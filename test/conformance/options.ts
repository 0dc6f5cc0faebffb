import type { StorageAdapter } from "../../src/storage.js";
import type { Trial } from "./trial.js";

/** An ability that a storage may have. The suite tests it only if the storage declares it. */
export type Trait = "durable" | "multiProcess" | "watch" | "peek";

/**
 * For each trait `true`, or the reason why the storage doesn't have it. Each skipped test shows the reason.
 */
export interface Traits {
	/** Committed content is there again after closing, when the storage is created again with the same name. */
	readonly durable: true | string;
	/** Several storages with the same name may be open at the same time, as in several processes or tabs. */
	readonly multiProcess: true | string;
	/** It has `watch`. */
	readonly watch: true | string;
	/** It has `peek`. */
	readonly peek: true | string;
}

/** The sizes of the tests' data. */
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
	/** The number of storages that are opened, or used for the first time, at once. Default 20. */
	readonly opens: number;
}

/** Registers one test with a test runner, like `test` of vitest, Jest or node:test. */
export interface TestFunction {
	(name: string, run: () => Promise<void>): unknown;
	/** Registers a test that isn't run. */
	readonly skip?: (name: string, run: () => Promise<void>) => unknown;
}

/** Options of {@link storageConformance}. */
export interface ConformanceOptions {
	/**
	 * Registers a test. A skipped test goes to `test.skip`, with the reason in its name. Without `test.skip` it
	 * goes to `test`, with that name and an empty function.
	 */
	readonly test: TestFunction;
	/**
	 * Creates a storage on the outline with a name. The suite uses a new name for each new, empty outline. The
	 * same name again means the same outline (a storage that isn't durable may ignore it). Names consist of
	 * lower-case letters, digits and hyphens, and differ from run to run.
	 */
	readonly create: (name: string) => StorageAdapter | Promise<StorageAdapter>;
	/** The abilities of the storage. */
	readonly traits: Traits;
	/** Smaller data for a storage that is very slow. */
	readonly sizes?: { readonly [Size in keyof Sizes]?: number | undefined } | undefined;
	/** The sequences of random commits that are compared with a look through all records. */
	readonly random?:
		| {
				/** The seed of the random numbers. Default: a new one in each run; a failure prints it. */
				readonly seed?: number | undefined;
				/** The number of commits in a sequence. Default 40. */
				readonly commits?: number | undefined;
				/** The number of sequences. Default 5. */
				readonly sequences?: number | undefined;
		  }
		| undefined;
	/**
	 * The most milliseconds to wait for an event that should come at once, such as a notice. Default 10,000.
	 */
	readonly patience?: number | undefined;
}

/** The work of a test. */
export type Run = (trial: Trial) => Promise<void>;

/** One test of the suite, with the traits without which it is skipped, if any. */
export type Case = Run | { readonly needs: readonly Trait[]; readonly run: Run };

/** Tests by the behaviour that they test. */
export type Cases = Readonly<Record<string, Case>>;
