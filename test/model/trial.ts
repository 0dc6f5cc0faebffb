import type { OutlineError } from "../../src/errors.js";
import { Outline } from "../../src/outline.js";
import type { StorageAdapter } from "../../src/storage.js";
import { countedOptions, RandomOperations } from "./random-operations.js";
import { keyGroups, type StoredState, stateText, storedState, Witness } from "./witness.js";

/** An outline that random operations change, with a witness of the commits that its storage acknowledged. */
export class Trial {
	readonly outline: Outline;
	readonly witness: Witness;
	readonly #operations: RandomOperations;

	constructor(storage: StorageAdapter, seed: number, ids = seed) {
		this.#operations = new RandomOperations(seed);
		this.witness = new Witness(storage);
		this.outline = new Outline({ storage: this.witness, ...countedOptions(ids) });
	}

	/** Makes one operation. Resolves with the error of the storage, if any. */
	make(): Promise<OutlineError | undefined> {
		return this.#operations.make(this.outline);
	}

	/** Makes this many operations, some at once. Resolves with the errors of the storage. */
	async work(operations: number, afterEach: () => Promise<void> = async () => undefined): Promise<OutlineError[]> {
		const errors: OutlineError[] = [];
		for (let made = 0; made < operations; ) {
			const burst = this.#operations.burst();
			made += burst;
			const outcomes = await Promise.all(Array.from({ length: burst }, () => this.make()));
			errors.push(...outcomes.filter((error) => error !== undefined));
			await afterEach();
		}
		return errors;
	}
}

/**
 * Returns the flaw of the state that a storage shows, if any. It must be one of the possible states. The
 * first has the least.
 */
export async function flawIn(storage: StorageAdapter, possible: readonly StoredState[]): Promise<string | undefined> {
	try {
		const found = await storedState(storage, groupsOf(possible));
		if (possible.map(stateText).includes(stateText(found))) return undefined;
		const problem = found.revision < possible[0]!.revision ? "lost" : "invented";
		const revisions = possible.map(({ revision }) => revision).join(" or ");
		return `${problem}: the outline is at revision ${found.revision}, and not as it was at ${revisions}`;
	} catch (error) {
		return `lost: ${String(error)}`;
	}
}

/** Returns the groups of the keys in some states. */
export function groupsOf(states: readonly StoredState[]): Set<string> {
	return new Set(states.flatMap((state) => [...keyGroups(state)]));
}
