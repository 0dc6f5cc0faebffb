import type { KeyRecord, NodeRecord, Receipt, Tombstone } from "../../../src/storage.js";
import { blank, type Field, fields } from "../delta.js";
import type { IndexPart } from "../index/record-index.js";
import type { ImageNode } from "./nodes-image.js";
import { missing } from "./packed-block.js";

/** How many nodes, keys, tombstones or receipts stand in a block, at most. */
const blockSize = 500;

/** The most characters of text in a block of several entries: it is made and parsed without a pause. */
const blockText = 1_000_000;

/** Fields that most nodes leave at their default: a block names only the rows that don't. */
const rareFields = new Set<Field>(["note", "layoutMode", "completedAt", "originId"]);

/** A piece of a snapshot: nodes in columns, or keys, tombstones or receipts. Plain data, for JSON and for structured clones. */
export type Block = {
	readonly id?: readonly string[];
	readonly revisions?: readonly number[];
	readonly keys?: readonly KeyRecord[];
	readonly deleted?: readonly Tombstone[];
	readonly receipts?: readonly Receipt[];
} & { readonly [F in Field]?: readonly unknown[] | { readonly [row: string]: unknown } };

/** The blocks of an image, each made when it is asked for. */
export function* blocksOf({ nodes, keys, deleted, receipts }: Required<IndexPart>): Generator<Block> {
	for (const some of portions(nodes, textOfNode)) yield columns(some);
	yield* otherBlocksOf({ keys, deleted, receipts });
}

/** The blocks of all that isn't a node. */
export function* otherBlocksOf({ keys, deleted, receipts }: Required<Omit<IndexPart, "nodes">>): Generator<Block> {
	for (const some of portions(keys, ({ key, group }) => key.length + group.length)) yield { keys: some };
	for (const some of portions(deleted, ({ id }) => id.length)) yield { deleted: some };
	const textOfReceipt = ({ key, request, result }: Receipt) => key.length + request.length + result.length;
	for (const some of portions(receipts, textOfReceipt)) yield { receipts: some };
}

/**
 * Nodes in columns, whose parents are told by their places in the image. The first three are always at the beginning, in this
 * order; the others are those of a {@link Block}, of which `parentId` has the rows whose parents aren't there.
 */
export type PackedColumns = {
	readonly id: readonly string[];
	/** By row: as in {@link ImageNode}. */
	readonly parent: readonly number[];
	/** Left out if none of the nodes is a mirror. */
	readonly originId?: { readonly [row: string]: string };
	/**
	 * The place of the first node in the image, as the last member: it shows that no block is missing or in another place. Earlier
	 * releases left it out, and pass over it.
	 */
	readonly first?: number;
} & Omit<Block, "id" | "originId">;

/** The nodes of an image in blocks, each made when it is asked for. */
export function* packedBlocksOf(nodes: Iterable<ImageNode>): Generator<PackedColumns> {
	let first = 0;
	for (const some of portions(nodes, ({ record }) => textOfNode(record))) {
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

/** The records that stand in columns. `parentIdOf` is given what they say of the parent's id, if anything. */
export function recordsOfColumns(
	columns: PackedColumns,
	parentIdOf: (row: number, parentId: string | null) => string | null,
): NodeRecord[] {
	const { parentId } = columns as { readonly parentId?: { readonly [row: number]: string } };
	return recordsOf(columns as Block, (row) => parentIdOf(row, parentId?.[row] ?? null));
}

/** What a block holds. */
export function contentOf(block: Block): IndexPart {
	const { keys = [], deleted = [], receipts = [] } = block;
	const { parentId } = block as { readonly parentId?: { readonly [row: number]: string } };
	return { nodes: recordsOf(block, (row) => parentId?.[row] ?? null), keys, deleted, receipts };
}

function recordsOf(block: Block, parentIdOf: (row: number) => string | null): NodeRecord[] {
	const { id = [], revisions = [] } = block;
	const columns = block as { readonly [F in Field]?: { readonly [row: number]: NodeRecord[F] } };
	const { priority, name, note, layoutMode, createdAt, modifiedAt, completedAt, originId } = columns;
	// Written out: this is done for every node, and a loop over the fields takes four times as long.
	return id.map(
		(each, row): NodeRecord => ({
			id: each,
			parentId: parentIdOf(row),
			priority: priority?.[row] ?? blank.priority,
			name: name?.[row] ?? blank.name,
			note: note?.[row] ?? blank.note,
			layoutMode: layoutMode?.[row] ?? blank.layoutMode,
			createdAt: createdAt?.[row] ?? blank.createdAt,
			modifiedAt: modifiedAt?.[row] ?? blank.modifiedAt,
			completedAt: completedAt?.[row] ?? blank.completedAt,
			originId: originId?.[row] ?? blank.originId,
			revision: revisions[row]!,
		}),
	);
}

/** Some entries at a time, none of the portions with too many or too much text; an entry with more text is alone. */
function* portions<T>(entries: Iterable<T>, textOf: (entry: T) => number): Generator<T[]> {
	let portion: T[] = [];
	let text = 0;
	for (const entry of entries) {
		const more = textOf(entry);
		if (portion.length === blockSize || (portion.length > 0 && text + more > blockText)) {
			yield portion;
			portion = [];
			text = 0;
		}
		portion.push(entry);
		text += more;
	}
	if (portion.length > 0) yield portion;
}

function textOfNode({ name, note }: NodeRecord): number {
	return name.length + (note?.length ?? 0);
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
