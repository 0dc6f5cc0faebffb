import type { AbstractBatchOperation } from "abstract-level";
import type { Batch, Key, NodeRecord } from "outlinekit";
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

/** The writes that a batch comes to. The tables are read as they are, at the batch's base. */
export async function writesOf(batch: Batch, tables: Tables): Promise<Operation[]> {
	const { documents, horizon } = batch;
	const revision = batch.base + 1;
	const operations: Operation[] = [];
	const put = <V>(sublevel: Table<V>, key: string, value: V) => {
		operations.push({ type: "put", sublevel, key, value } as unknown as Operation);
	};
	const del = <V>(sublevel: Table<V>, key: string) => {
		operations.push({ type: "del", sublevel, key } as unknown as Operation);
	};

	// Of several writes to one key the last one counts. So all deletions come first, and all additions after
	// them.
	for (const { before, after } of batch.nodes) {
		if (before === null) continue;
		del(tables.children, placeOf(before));
		del(tables.changes, changeOf(before.revision, changedName("node", before.id)));
		if (after !== null) continue;
		del(tables.nodes, before.id);
		del(tables.shortIds, shortIdOf(before));
	}
	const stored = await tables.keys.getMany(batch.keys.map(({ before, after }) => (before ?? after)!.key));
	for (const record of stored) {
		if (record === undefined) continue;
		del(tables.changes, changeOf(record.revision, changedName("key", record.key)));
		takeOutKey(record);
	}

	for (const { after } of batch.nodes) {
		if (after === null) continue;
		put(tables.nodes, after.id, after);
		put(tables.shortIds, shortIdOf(after), after.id);
		put(tables.children, placeOf(after), after.id);
	}
	for (const { after } of batch.keys) {
		if (after === null) continue;
		put(tables.keys, after.key, after);
		put(tables.groups, pair(after.group, after.key), after.key);
	}
	await putChanges([
		...batch.nodes.map(({ before, after }) => changed("node", (before ?? after)!.id, after)),
		...batch.keys.map(({ before, after }) => changed("key", (before ?? after)!.key, after)),
	]);
	const mirrors = batch.nodes.map(({ before, after }) => {
		return { member: (before ?? after)!.id, from: before?.originId, to: after?.originId };
	});
	const pointers = batch.keys.map(({ before, after }) => {
		return { member: (before ?? after)!.key, from: before?.nodeId, to: after?.nodeId };
	});
	await putLists(tables.mirrors, mirrors);
	await putLists(tables.pointers, pointers);
	for (const key of documents?.dropped ?? []) del(tables.documents, key);
	for (const { key, value } of documents?.put ?? []) put(tables.documents, key, value);
	if (horizon !== undefined) await prune(horizon);
	put(tables.state, "revision", revision);
	return operations;

	function takeOutKey({ key, group }: Key): void {
		del(tables.keys, key);
		del(tables.groups, pair(group, key));
	}

	/** Puts changes into the feed, in the place of earlier deletions. */
	async function putChanges(changes: readonly Change[]): Promise<void> {
		const tombstones = await tables.deleted.getMany(changes.map(({ name }) => name));
		for (const [place, { name, what }] of changes.entries()) {
			const tombstone = tombstones[place];
			if (tombstone !== undefined) {
				del(tables.deleted, name);
				del(tables.changes, changeOf(tombstone, name));
			}
			if (what === "deleted") put(tables.deleted, name, revision);
			put(tables.changes, changeOf(revision, name), what);
		}
	}

	/** Drops the tombstones of commits up to a revision. */
	async function prune(horizon: number): Promise<void> {
		for await (const [place, what] of tables.changes.iterator({ lt: `${sortable(horizon)}~` })) {
			if (what !== "deleted") continue;
			const { kind, name } = changeAt(place);
			del(tables.changes, place);
			del(tables.deleted, changedName(kind, name));
		}
		put(tables.state, "horizon", Math.max(horizon, (await tables.state.get("horizon")) ?? 0));
	}

	/** Puts members from one list into another, in a table of sorted lists. */
	async function putLists(table: Table<readonly string[]>, moves: readonly Move[]): Promise<void> {
		const changed = moves.filter(({ from, to }) => from !== to);
		const owners = [...new Set(changed.flatMap(({ from, to }) => [from, to]))].filter(
			(each) => typeof each === "string",
		);
		const lists = await table.getMany(owners);
		const sets = new Map(owners.map((owner, place) => [owner, new Set(lists[place])]));
		for (const { member, from } of changed) sets.get(from ?? "")?.delete(member);
		for (const { member, to } of changed) sets.get(to ?? "")?.add(member);
		for (const [owner, members] of sets) {
			if (members.size === 0) del(table, owner);
			else put(table, owner, [...members].sort());
		}
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
