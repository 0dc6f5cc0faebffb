import type { AbstractBatchOperation } from "abstract-level";
import type { Batch, KeyRecord, NodeRecord } from "outlinekit";
import { ageOf, changeOf, type Database, pair, placeOf, type Table, type Tables } from "./rows.js";

type Operation = AbstractBatchOperation<Database, string, unknown>;

/** The writes that a batch comes to. The tables are read as they are, at the batch's base. */
export async function writesOf(batch: Batch, tables: Tables): Promise<Operation[]> {
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
		del(tables.changes, changeOf(before.revision, before.id));
		if (after !== null) continue;
		del(tables.nodes, before.id);
		del(tables.shortIds, shortIdOf(before));
	}
	for (const { before } of batch.keys) if (before !== null) takeOutKey(before);

	const tombstones = await tables.deleted.getMany(batch.nodes.map(({ before, after }) => (before ?? after)!.id));
	for (const [place, { before, after }] of batch.nodes.entries()) {
		const tombstone = tombstones[place];
		if (after === null) {
			put(tables.deleted, before!.id, revision);
			put(tables.changes, changeOf(revision, before!.id), "deleted");
			continue;
		}
		if (tombstone !== undefined) {
			del(tables.deleted, after.id);
			del(tables.changes, changeOf(tombstone, after.id));
		}
		put(tables.nodes, after.id, after);
		put(tables.shortIds, shortIdOf(after), after.id);
		put(tables.children, placeOf(after), after.id);
		put(tables.changes, changeOf(revision, after.id), "written");
	}
	for (const { after } of batch.keys) {
		if (after === null) continue;
		put(tables.keys, after.key, after);
		put(tables.groups, pair(after.group, after.key), after.key);
	}
	const mirrors = batch.nodes.map(({ before, after }) => {
		return { member: (before ?? after)!.id, from: before?.originId, to: after?.originId };
	});
	const pointers = batch.keys.map(({ before, after }) => {
		return { member: (before ?? after)!.key, from: before?.nodeId, to: after?.nodeId };
	});
	await putLists(tables.mirrors, mirrors);
	await putLists(tables.pointers, pointers);
	for (const receipt of await tables.receipts.getMany([...(batch.receipts?.dropped ?? [])])) {
		if (receipt === undefined) continue;
		del(tables.receipts, receipt.key);
		del(tables.results, receipt.key);
		del(tables.ages, ageOf(receipt));
	}
	for (const { result, ...receipt } of batch.receipts?.added ?? []) {
		put(tables.receipts, receipt.key, receipt);
		put(tables.results, receipt.key, result);
		put(tables.ages, ageOf(receipt), receipt.key);
	}
	put(tables.state, "revision", revision);
	return operations;

	function takeOutKey({ key, group }: KeyRecord): void {
		del(tables.keys, key);
		del(tables.groups, pair(group, key));
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

interface Move {
	readonly member: string;
	readonly from: string | null | undefined;
	readonly to: string | null | undefined;
}

function shortIdOf({ id }: NodeRecord): string {
	return id.slice(-12);
}
