import {
	type Document,
	type KeyRecord,
	type KeyTombstone,
	type NodeRecord,
	type Tombstone,
	textLength,
} from "../../src/storage.js";
import { portionsOf } from "../portions.js";
import { blank, type Field, fields } from "./delta.js";
import type { ImageNode } from "./index/nodes-image.js";
import type { IndexPart } from "./index/record-index.js";
import { missing } from "./packed/parents.js";

/** The most nodes, keys, tombstones or documents in a block. */
const blockSize = 500;

/** The most characters of text in a block of several entries. A block is made and parsed without a pause. */
const blockText = 1_000_000;

/**
 * Fields that most nodes leave at their default. For these, a block lists only the rows with another value.
 */
const rareFields = new Set<Field>(["note", "layoutMode", "properties", "completedAt", "originId"]);

/**
 * A piece of a snapshot: nodes in columns, or keys, tombstones or documents. Plain data, for JSON and
 * structured clones.
 */
export type Block = {
	readonly id?: readonly string[];
	readonly revisions?: readonly number[];
	readonly keys?: readonly KeyRecord[];
	readonly deleted?: readonly Tombstone[];
	readonly droppedKeys?: readonly KeyTombstone[];
	readonly documents?: readonly Document[];
} & { readonly [F in Field]?: readonly unknown[] | { readonly [row: string]: unknown } };

/** Yields the blocks of an image, and makes each only when it is needed. */
export function* blocksOf({ nodes, ...others }: Required<IndexPart>): Generator<Block> {
	for (const some of portions(nodes, textLength)) yield columns(some);
	yield* otherBlocksOf(others);
}

/** Yields the blocks of all entries that aren't nodes. */
export function* otherBlocksOf({
	keys,
	deleted,
	droppedKeys,
	documents,
}: Required<Omit<IndexPart, "nodes" | "documents">> & { readonly documents: Iterable<Document> }): Generator<Block> {
	for (const some of portions(keys, ({ key, group }) => key.length + group.length)) yield { keys: some };
	for (const some of portions(deleted, ({ id }) => id.length)) yield { deleted: some };
	for (const some of portions(droppedKeys, ({ key }) => key.length)) yield { droppedKeys: some };
	for (const some of portions(documents, ({ key, value }) => key.length + value.length)) yield { documents: some };
}

/**
 * Nodes in columns, with the parents as indexes into the image. The first three columns come first and in
 * this order. The other columns are those of a {@link Block}; its `parentId` has only the rows whose parents
 * are missing.
 */
export type PackedColumns = {
	readonly id: readonly string[];
	/** By row, as in {@link ImageNode}. */
	readonly parent: readonly number[];
	/** Absent if none of the nodes is a mirror. */
	readonly originId?: { readonly [row: string]: string };
	/**
	 * The index of the first node in the image; the last member. It shows if a block is missing or out of
	 * order. Earlier releases didn't write it, and ignore it.
	 */
	readonly first?: number;
} & Omit<Block, "id" | "originId">;

/** Yields the nodes of an image in blocks, and makes each only when it is needed. */
export function* packedBlocksOf(nodes: Iterable<ImageNode>): Generator<PackedColumns> {
	let first = 0;
	for (const some of portions(nodes, ({ record }) => textLength(record))) {
		const { id, parentId: _, originId, ...others } = columns(some.map(({ record }) => record));
		const strays = some.flatMap(({ record, parent }, row) => (parent === missing ? [[row, record.parentId]] : []));
		yield {
			id: id!,
			parent: some.map(({ parent }) => parent),
			...(originId !== undefined && { originId: originId as { [row: string]: string } }),
			...others,
			...(strays.length > 0 && { parentId: Object.fromEntries(strays) }),
			first,
		};
		first += some.length;
	}
}

/**
 * Returns the records in columns. `parentIdOf` gets the parent's id from the columns, or null if they have
 * none.
 */
export function recordsOfColumns(
	columns: PackedColumns,
	parentIdOf: (row: number, parentId: string | null) => string | null,
): NodeRecord[] {
	const { parentId } = columns as { readonly parentId?: { readonly [row: number]: string } };
	return recordsOf(columns as Block, (row) => parentIdOf(row, parentId?.[row] ?? null));
}

/** Returns the content of a block. */
export function contentOf(block: Block): IndexPart {
	const { keys = [], deleted = [], droppedKeys = [], documents = [] } = block;
	const { parentId } = block as { readonly parentId?: { readonly [row: number]: string } };
	return { nodes: recordsOf(block, (row) => parentId?.[row] ?? null), keys, deleted, droppedKeys, documents };
}

function recordsOf(block: Block, parentIdOf: (row: number) => string | null): NodeRecord[] {
	const { id = [], revisions = [] } = block;
	const columns = block as { readonly [F in Field]?: { readonly [row: number]: NodeRecord[F] } };
	const { priority, name, note, layoutMode, properties, createdAt, modifiedAt, completedAt, originId } = columns;
	// Written out, because it is done for every node, and a loop over the fields takes four times as long.
	return id.map(
		(each, row): NodeRecord => ({
			id: each,
			parentId: parentIdOf(row),
			priority: priority?.[row] ?? blank.priority,
			name: name?.[row] ?? blank.name,
			note: note?.[row] ?? blank.note,
			layoutMode: layoutMode?.[row] ?? blank.layoutMode,
			properties: properties?.[row] ?? blank.properties,
			createdAt: createdAt?.[row] ?? blank.createdAt,
			modifiedAt: modifiedAt?.[row] ?? blank.modifiedAt,
			completedAt: completedAt?.[row] ?? blank.completedAt,
			originId: originId?.[row] ?? blank.originId,
			revision: revisions[row]!,
		}),
	);
}

/** Returns the entries in groups, each for a block. */
function portions<T>(entries: Iterable<T>, textOf: (entry: T) => number): Generator<T[]> {
	return portionsOf(entries, textOf, blockText, blockSize);
}

function columns(nodes: readonly NodeRecord[]): Block {
	const block: Record<string, unknown> = { id: nodes.map(({ id }) => id) };
	for (const field of fields) {
		if (rareFields.has(field)) {
			const rows = nodes.flatMap((node, row) => (node[field] === blank[field] ? [] : [[row, node[field]] as const]));
			if (rows.length > 0) block[field] = Object.fromEntries(rows);
		} else block[field] = nodes.map((node) => node[field]);
	}
	block.revisions = nodes.map(({ revision }) => revision);
	return block;
}
