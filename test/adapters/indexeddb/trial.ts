import { Database } from "../../../adapters/indexeddb/database.js";
import { IndexedDbJournal } from "../../../adapters/indexeddb/journal.js";
import { ResidentStorage } from "../../../adapters/resident/resident-storage.js";
import type { OutlineError } from "../../../src/errors.js";
import { Outline } from "../../../src/outline.js";
import type { StorageAdapter } from "../../../src/storage.js";
import type { FaultyIndexedDb } from "../../faults/faulty-indexeddb.js";
import { countedOptions, RandomOperations } from "../file/random-operations.js";
import { keyGroups, type StoredState, stateText, storedState, Witness } from "../file/witness.js";

/** An outline on a database in memory, with all that is known about the database's content. */
export class Trial {
	readonly outline: Outline;
	readonly witness: Witness;
	readonly #operations: RandomOperations;

	constructor(database: FaultyIndexedDb, seed: number, openTimeout?: number) {
		this.#operations = new RandomOperations(seed);
		this.witness = new Witness(openTrialStorage(database, openTimeout));
		this.outline = new Outline({ storage: this.witness, ...countedOptions(seed) });
	}

	/** Makes this many random operations, some at once. Resolves with the errors of the storage. */
	async work(operations: number): Promise<OutlineError[]> {
		const errors: OutlineError[] = [];
		for (let made = 0; made < operations; ) {
			const burst = this.#operations.burst();
			made += burst;
			const outcomes = await Promise.all(Array.from({ length: burst }, () => this.#operations.make(this.outline)));
			errors.push(...outcomes.filter((error) => error !== undefined));
		}
		return errors;
	}
}

/** Opens the storage of trials. It writes snapshots often, and has short waits. */
export function openTrialStorage({ options }: FaultyIndexedDb, openTimeout = 10_000): StorageAdapter {
	const factory = () => options.indexedDB;
	const database = new Database({ outline: "trial", openTimeout, restAfterClosing: 1, factory });
	return new ResidentStorage(new IndexedDbJournal({ database, durability: "strict", compactAfter: 1 }));
}

/** Returns the flaw of the state that a storage shows, if any. It must be one of these states. */
export async function flawOf(storage: StorageAdapter, possible: readonly StoredState[]): Promise<string | undefined> {
	const groups = new Set(possible.flatMap((state) => [...keyGroups(state)]));
	const found = await storedState(storage, groups).catch(String);
	if (typeof found === "string") return `it can't be read: ${found}`;
	if (possible.map(stateText).includes(stateText(found))) return undefined;
	const revisions = possible.map(({ revision }) => revision).join(" or ");
	return `it is at revision ${found.revision}, and not as it was at ${revisions}`;
}
