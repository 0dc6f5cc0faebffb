import { byPlace } from "../../src/siblings.js";
import type {
	Answer,
	ChangedSince,
	KeyRecord,
	NodeRecord,
	Query,
	Receipt,
	StoredKey,
	StoredNode,
	Tombstone,
} from "../../src/storage.js";
import type { Column } from "./select.js";

/** A row of a select as a database client returns it: integers may be strings or big integers. */
export type Row = { readonly [C in Column]?: unknown };

/** Makes the answer to a query from the rows of its selects. `revision` is the outline's. */
export function answerFrom(query: Query, selects: readonly (readonly Row[])[], revision: number): Answer<Query> {
	const rows = selects[0]!;
	switch (query.type) {
		case "node":
			return rows.length === 0 ? null : storedNode(rows[0]!);
		case "children":
			return childrenAmong(query, selects.flat().map(storedNode));
		case "ancestors":
			return lineOf(rows);
		case "subtree":
			return { nodes: parentsFirst(rows.map(storedNode)), keys: selects[1]!.map(keyRecord) };
		case "related":
			return rows.map(storedNode);
		case "taken":
			return rows.map(({ short_id }) => short_id as string);
		case "keys":
			return rows.map((row): StoredKey => {
				const node = storedNode(row);
				return { record: { key: row.key as string, group: row.key_group as string, nodeId: node.record.id }, node };
			});
		case "receipt":
			return { receipt: rows.length === 0 ? null : receiptIn(rows[0]!), expired: oldestFirst(selects[1]!) };
		case "changes":
			return changedSince(rows, revision);
	}
}

/** Returns the record in a row. */
export function nodeRecord(row: Row): NodeRecord {
	return {
		id: row.id as string,
		parentId: row.parent_id as string | null,
		priority: Number(row.priority),
		name: row.name as string,
		note: row.note as string | null,
		layoutMode: row.layout_mode as NodeRecord["layoutMode"],
		createdAt: Number(row.created_at),
		modifiedAt: Number(row.modified_at),
		completedAt: row.completed_at === null ? null : Number(row.completed_at),
		originId: row.origin_id as string | null,
		revision: Number(row.revision),
	};
}

/** Returns the record in a row with its origin and its mirrors. */
export function storedNode(row: Row): StoredNode {
	return {
		record: nodeRecord(row),
		origin: originIn(row.origin),
		mirrorIds: row.mirrors === null ? [] : (row.mirrors as string).split(",").sort(),
	};
}

/** Returns the origin in a value of the column `origin`. */
export function originIn(value: unknown): NodeRecord | null {
	return value === null ? null : originRecord(JSON.parse(value as string));
}

function originRecord(values: readonly unknown[]): NodeRecord {
	const [id, parent_id, priority, name, note, layout_mode, created_at, modified_at, completed_at, origin_id, revision] =
		values;
	return nodeRecord({
		id,
		parent_id,
		priority,
		name,
		note,
		layout_mode,
		created_at,
		modified_at,
		completed_at,
		origin_id,
		revision,
	});
}

function keyRecord(row: Row): KeyRecord {
	return { key: row.key as string, group: row.key_group as string, nodeId: row.id as string };
}

function receiptIn({ key, request, created_at, result }: Row): Receipt {
	return {
		key: key as string,
		request: request as string,
		createdAt: Number(created_at),
		result: result as string,
	};
}

function oldestFirst(rows: readonly Row[]): string[] {
	const inOrder = rows.toSorted((left, right) => Number(left.created_at) - Number(right.created_at));
	return inOrder.map(({ key }) => key as string);
}

/** Returns the answer to a `children` query from the nodes of its selects. */
export function childrenAmong(
	{ limit, fromLast }: Extract<Query, { type: "children" }>,
	nodes: StoredNode[],
): StoredNode[] {
	nodes.sort((left, right) => byPlace(left.record, right.record));
	if (limit === undefined || nodes.length <= limit) return nodes;
	return fromLast ? nodes.slice(nodes.length - limit) : nodes.slice(0, limit);
}

/**
 * Returns the ids from a node upwards, from rows in any order. The node is the one that no other row has as
 * parent.
 */
function lineOf(rows: readonly Row[]): string[] {
	const parents = new Map(rows.map(({ id, parent_id }) => [id as string, parent_id as string | null]));
	const above = new Set(parents.values());
	const ids: string[] = [];
	let id: string | null | undefined = [...parents.keys()].find((each) => !above.has(each));
	while (typeof id === "string" && parents.has(id)) {
		ids.push(id);
		const above = parents.get(id);
		// In a damaged outline the ancestors may form a cycle.
		parents.delete(id);
		id = above;
	}
	return ids;
}

function parentsFirst(nodes: readonly StoredNode[]): StoredNode[] {
	const ids = new Set(nodes.map(({ record }) => record.id));
	const children = new Map<string | null, StoredNode[]>();
	for (const node of nodes) {
		const { parentId } = node.record;
		const parent = parentId !== null && ids.has(parentId) ? parentId : null;
		const siblings = children.get(parent);
		if (siblings === undefined) children.set(parent, [node]);
		else siblings.push(node);
	}
	const ordered = [...(children.get(null) ?? [])];
	// Grows while it is read.
	for (const { record } of ordered) {
		for (const child of children.get(record.id) ?? []) ordered.push(child);
	}
	return ordered;
}

function changedSince(rows: readonly Row[], current: number): ChangedSince {
	const nodes: NodeRecord[] = [];
	const deleted: Tombstone[] = [];
	for (const row of rows) {
		if (row.deleted) deleted.push({ id: row.id as string, revision: Number(row.revision) });
		else nodes.push(nodeRecord(row));
	}
	const byRevision = (left: Tombstone, right: Tombstone) =>
		left.revision - right.revision || (left.id < right.id ? -1 : 1);
	nodes.sort(byRevision);
	deleted.sort(byRevision);
	const cut = rows.length > 0 && rows[0]!.next !== null;
	const last = Math.max(nodes.at(-1)?.revision ?? 0, deleted.at(-1)?.revision ?? 0);
	return { nodes, deleted, revision: cut ? last : current };
}
