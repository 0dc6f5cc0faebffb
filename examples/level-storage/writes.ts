import type { AbstractBatchOperation } from "abstract-level";
import type { Batch, NodeRecord } from "outlinekit";
import {
	changeAt,
	changedName,
	changeOf,
	type Database,
	pair,
	placeOf,
	sortable,
	type Table,
	type Tables,
} from "./rows.js";

type Operation = AbstractBatchOperation<Database, string, unknown>;

/** Returns the writes for a batch. The tables are read as they are, at the batch's base. */
export async function writesOf(batch: Batch, tables: Tables): Promise<Operation[]> {
	const writes = new Writes(tables, batch.base + 1);
	// Of several writes to one key the last one counts. So all deletions come first, and all additions after
	// them.
	writes.takeOutNodes(batch.nodes);
	await writes.takeOutKeys(batch.keys);
	writes.putNodes(batch.nodes);
	writes.putKeys(batch.keys);
	await writes.putChanges([
		...batch.nodes.map(({ before, after }) => changed("node", (before ?? after)!.id, after)),
		...batch.keys.map(({ before, after }) => changed("key", (before ?? after)!.key, after)),
	]);
	const mirrors = batch.nodes.map(({ before, after }) => {
		return { member: (before ?? after)!.id, from: before?.originId, to: after?.originId };
	});
	const pointers = batch.keys.map(({ before, after }) => {
		return { member: (before ?? after)!.key, from: before?.nodeId, to: after?.nodeId };
	});
	await writes.putLists(tables.mirrors, mirrors);
	await writes.putLists(tables.pointers, pointers);
	if (batch.documents !== undefined) writes.changeDocuments(batch.documents);
	await writes.end(batch.horizon);
	return writes.operations;
}

/** The writes for one batch. */
class Writes {
	readonly operations: Operation[] = [];
	readonly #tables: Tables;
	/** The revision that the batch makes. */
	readonly #revision: number;

	constructor(tables: Tables, revision: number) {
		this.#tables = tables;
		this.#revision = revision;
	}

	/** Deletes nodes, and the places that changed ones had. */
	takeOutNodes(changes: Batch["nodes"]): void {
		for (const { before, after } of changes) {
			if (before === null) continue;
			this.#delete(this.#tables.children, placeOf(before));
			this.#delete(this.#tables.changes, changeOf(before.revision, changedName("node", before.id)));
			if (after !== null) continue;
			this.#delete(this.#tables.nodes, before.id);
			this.#delete(this.#tables.shortIds, shortIdOf(before));
		}
	}

	/** Deletes keys. `putKeys` puts the changed ones again. */
	async takeOutKeys(changes: Batch["keys"]): Promise<void> {
		const stored = await this.#tables.keys.getMany(changes.map(({ before, after }) => (before ?? after)!.key));
		for (const record of stored) {
			if (record === undefined) continue;
			const { key, group, revision } = record;
			this.#delete(this.#tables.changes, changeOf(revision, changedName("key", key)));
			this.#delete(this.#tables.keys, key);
			this.#delete(this.#tables.groups, pair(group, key));
		}
	}

	putNodes(changes: Batch["nodes"]): void {
		for (const { after } of changes) {
			if (after === null) continue;
			this.#put(this.#tables.nodes, after.id, after);
			this.#put(this.#tables.shortIds, shortIdOf(after), after.id);
			this.#put(this.#tables.children, placeOf(after), after.id);
		}
	}

	putKeys(changes: Batch["keys"]): void {
		for (const { after } of changes) {
			if (after === null) continue;
			this.#put(this.#tables.keys, after.key, after);
			this.#put(this.#tables.groups, pair(after.group, after.key), after.key);
		}
	}

	/** Puts changes into the feed, in the place of earlier deletions. */
	async putChanges(changes: readonly Change[]): Promise<void> {
		const { deleted, changes: feed } = this.#tables;
		const tombstones = await deleted.getMany(changes.map(({ name }) => name));
		for (const [place, { name, what }] of changes.entries()) {
			const tombstone = tombstones[place];
			if (tombstone !== undefined) {
				this.#delete(deleted, name);
				this.#delete(feed, changeOf(tombstone, name));
			}
			if (what === "deleted") this.#put(deleted, name, this.#revision);
			this.#put(feed, changeOf(this.#revision, name), what);
		}
	}

	/** Puts members from one list into another, in a table of sorted lists. */
	async putLists(table: Table<readonly string[]>, moves: readonly Move[]): Promise<void> {
		const changed = moves.filter(({ from, to }) => from !== to);
		const owners = [...new Set(changed.flatMap(({ from, to }) => [from, to]))].filter(
			(each) => typeof each === "string",
		);
		const lists = await table.getMany(owners);
		const sets = new Map(owners.map((owner, place) => [owner, new Set(lists[place])]));
		for (const { member, from } of changed) sets.get(from ?? "")?.delete(member);
		for (const { member, to } of changed) sets.get(to ?? "")?.add(member);
		for (const [owner, members] of sets) {
			if (members.size === 0) this.#delete(table, owner);
			else this.#put(table, owner, [...members].sort());
		}
	}

	changeDocuments({ put, dropped }: NonNullable<Batch["documents"]>): void {
		for (const key of dropped) this.#delete(this.#tables.documents, key);
		for (const { key, value } of put) this.#put(this.#tables.documents, key, value);
	}

	/** Makes the revision current. Drops the tombstones of commits up to a horizon, if there is one. */
	async end(horizon: number | undefined): Promise<void> {
		const { changes, deleted, state } = this.#tables;
		if (horizon !== undefined) {
			for await (const [place, what] of changes.iterator({ lt: `${sortable(horizon)}~` })) {
				if (what !== "deleted") continue;
				const { kind, name } = changeAt(place);
				this.#delete(changes, place);
				this.#delete(deleted, changedName(kind, name));
			}
			this.#put(state, "horizon", Math.max(horizon, (await state.get("horizon")) ?? 0));
		}
		this.#put(state, "revision", this.#revision);
	}

	#put<V>(sublevel: Table<V>, key: string, value: V): void {
		this.operations.push({ type: "put", sublevel, key, value } as unknown as Operation);
	}

	#delete<V>(sublevel: Table<V>, key: string): void {
		this.operations.push({ type: "del", sublevel, key } as unknown as Operation);
	}
}

/** A change of a node or key, by its {@link changedName}. */
interface Change {
	readonly name: string;
	readonly what: "written" | "deleted";
}

function changed(kind: "node" | "key", name: string, after: object | null): Change {
	return { name: changedName(kind, name), what: after === null ? "deleted" : "written" };
}

interface Move {
	readonly member: string;
	readonly from: string | null | undefined;
	readonly to: string | null | undefined;
}

function shortIdOf({ id }: NodeRecord): string {
	return id.slice(-12);
}
