import { byPlace } from "../../src/siblings.js";
import type {
	Answer,
	ChangedSince,
	Document,
	KeyRecord,
	KeyTombstone,
	NodeRecord,
	Query,
	StoredKey,
	StoredNode,
	Tombstone,
} from "../../src/storage.js";
import type { Column, recordColumns } from "./select.js";

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
				return { record: keyRecord({ ...row, node_id: node.record.id, revision: row.key_revision }), node };
			});
		case "documents":
			return rows.map(({ key, value }): Document => ({ key: key as string, value: value as string }));
		case "changes":
			return changedSince(query.limit, rows, selects[1]!, Number(selects[2]![0]?.horizon ?? 0), revision);
	}
}

/** Returns the record in a row. */
function nodeRecord(row: Row): NodeRecord {
	return {
		id: row.id as string,
		parentId: row.parent_id as string | null,
		priority: Number(row.priority),
		name: row.name as string,
		note: row.note as string | null,
		layoutMode: row.layout_mode as NodeRecord["layoutMode"],
		properties: row.properties as string | null,
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
	return value === null ? null : recordIn(JSON.parse(value as string));
}

/** Returns the record in a list of values that begins with those of {@link recordColumns}, as JSON has them. */
export function recordIn(values: readonly unknown[]): NodeRecord {
	return {
		id: values[0] as string,
		parentId: values[1] as string | null,
		priority: values[2] as number,
		name: values[3] as string,
		note: values[4] as string | null,
		layoutMode: values[5] as NodeRecord["layoutMode"],
		properties: values[11] as string | null,
		createdAt: values[6] as number,
		modifiedAt: values[7] as number,
		completedAt: values[8] as number | null,
		originId: values[9] as string | null,
		revision: values[10] as number,
	};
}

/** Returns the key in a row. */
export function keyRecord({ key, key_group, node_id, revision }: Row): KeyRecord {
	return {
		key: key as string,
		group: key_group as string,
		nodeId: node_id as string,
		revision: Number(revision),
	};
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

function changedSince(
	limit: number,
	nodeRows: readonly Row[],
	keyRows: readonly Row[],
	horizon: number,
	current: number,
): ChangedSince {
	const rows = [...nodeRows, ...keyRows];
	const revisions = rows.map((row) => Number(row.revision)).sort((left, right) => left - right);
	/** The revision of the entry that fills the limit. A damaged entry may have a revision beyond the current one. */
	const last = revisions[limit - 1] ?? Number.POSITIVE_INFINITY;
	const isCut = rows.some(({ revision, next }) => Number(revision) > last || next !== null);
	const changed = new ChangedRows();
	for (const row of nodeRows) if (Number(row.revision) <= last) changed.addNode(row);
	for (const row of keyRows) if (Number(row.revision) <= last) changed.addKey(row);
	return changed.answer(isCut ? last : current, horizon);
}

/** Collects rows to an answer to `changes`. */
export class ChangedRows {
	readonly #nodes: NodeRecord[] = [];
	readonly #deleted: Tombstone[] = [];
	readonly #keys: KeyRecord[] = [];
	readonly #droppedKeys: KeyTombstone[] = [];
	/** Adds the row of a node or its tombstone. */
	addNode(row: Row): void {
		if (row.deleted) this.#deleted.push({ id: row.id as string, revision: Number(row.revision) });
		else this.#nodes.push(nodeRecord(row));
	}

	/** Adds the row of a key or its tombstone. */
	addKey(row: Row): void {
		if (row.node_id === null) this.#droppedKeys.push({ key: row.key as string, revision: Number(row.revision) });
		else this.#keys.push(keyRecord(row));
	}

	/**
	 * Returns the answer, without tombstones that are still to be dropped.
	 *
	 * @param revision - the revision to continue from
	 */
	answer(revision: number, horizon: number): ChangedSince {
		const stays = (tombstone: { readonly revision: number }) => tombstone.revision > horizon;
		const byRevision = (left: Tombstone, right: Tombstone) =>
			left.revision - right.revision || (left.id < right.id ? -1 : 1);
		const byRevisionAndKey = (left: KeyTombstone, right: KeyTombstone) =>
			left.revision - right.revision || (left.key < right.key ? -1 : 1);
		return {
			nodes: this.#nodes.sort(byRevision),
			deleted: this.#deleted.filter(stays).sort(byRevision),
			keys: this.#keys.sort(byRevisionAndKey),
			droppedKeys: this.#droppedKeys.filter(stays).sort(byRevisionAndKey),
			horizon,
			revision,
		};
	}
}
