import { ask, askAll, type Operation } from "../../engine/protocol.js";
import { calendarKey } from "../../id.js";
import { type Batch, type StoredKey, systemGroup } from "../../storage.js";

const none: readonly undefined[] = [];

/**
 * The calendar and system keys of an outline by their nodes. Read once, then kept up to date by the commits.
 */
export class NodeKeys {
	readonly #keys = new Map<string, string>();
	/** The revision that the keys belong to; -1 if they aren't known. */
	#revision = -1;

	/** Returns the keys of some nodes; none if the outline has no keys. Call {@link NodeKeys.load} first. */
	ofAll(nodeIds: readonly string[]): readonly (string | undefined)[] {
		return this.#keys.size === 0 ? none : nodeIds.map((id) => this.#keys.get(id));
	}

	/** Whether this knows the keys at a revision. */
	areKnownAt(revision: number): boolean {
		return revision === this.#revision;
	}

	/** Reads the keys at a revision, unless this knows them. */
	*load(revision: number): Operation<void> {
		if (revision === this.#revision) return;
		this.#keys.clear();
		let found: readonly StoredKey[] = (yield* ask({ type: "keys", group: systemGroup }))[0];
		this.#add(found);
		let groups = [calendarKey];
		// The groups of the calendar, its years and their months.
		for (let level = 0; level < 3 && groups.length > 0; level++) {
			found = (yield* askAll(groups.map((group) => ({ type: "keys", group }) as const))).flat();
			this.#add(found);
			groups = found.map(({ record }) => record.key);
		}
		this.#revision = revision;
	}

	/** Follows a commit. */
	follow({ base, keys }: Batch): void {
		if (base !== this.#revision) return;
		this.#revision += 1;
		for (const { before } of keys) if (before !== null) this.#keys.delete(before.nodeId);
		for (const { after } of keys) if (after !== null) this.#keys.set(after.nodeId, after.key);
	}

	/** Forgets the keys, because a commit has failed. */
	doubt(): void {
		this.#revision = -1;
	}

	#add(found: readonly StoredKey[]): void {
		for (const { record } of found) this.#keys.set(record.nodeId, record.key);
	}
}
