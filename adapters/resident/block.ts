import type { KeyRecord, NodeRecord, Receipt, Tombstone } from "../../src/storage.js";
import { blank, type Field, fields } from "./delta.js";
import type { IndexImage } from "./record-index.js";

/** How many nodes, keys, tombstones or receipts stand in a block, at most. */
const blockSize = 500;

/** How many characters of text a block holds, about: it is written and read as one piece. */
const blockText = 4_000_000;

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

/** How many blocks an image makes, and the blocks, each made when it is asked for. */
export function blocksOf({ nodes, keys, deleted, receipts }: IndexImage): {
	count: number;
	blocks: () => Generator<Block>;
} {
	const nodeSpans = spansOf(nodes, ({ name, note }) => name.length + (note?.length ?? 0));
	const keySpans = spansOf(keys, ({ key }) => key.length);
	const deletedSpans = spansOf(deleted, ({ id }) => id.length);
	const receiptSpans = spansOf(receipts, ({ request, result }) => request.length + result.length);
	return {
		count: nodeSpans.length + keySpans.length + deletedSpans.length + receiptSpans.length,
		*blocks() {
			for (const [start, end] of nodeSpans) yield columns(nodes.slice(start, end));
			for (const [start, end] of keySpans) yield { keys: keys.slice(start, end) };
			for (const [start, end] of deletedSpans) yield { deleted: deleted.slice(start, end) };
			for (const [start, end] of receiptSpans) yield { receipts: receipts.slice(start, end) };
		},
	};
}

/** What a block holds. */
export function contentOf(block: Block): Partial<IndexImage> {
	const { id = [], keys = [], deleted = [], receipts = [], revisions = [] } = block;
	const columns = block as { readonly [F in Field]?: { readonly [row: number]: NodeRecord[F] } };
	const { parentId, priority, name, note, layoutMode, createdAt, modifiedAt, completedAt, originId } = columns;
	// Written out: this is done for every node when an outline is opened, and a loop over the fields takes four times as long.
	const nodes = id.map(
		(each, row): NodeRecord => ({
			id: each,
			parentId: parentId?.[row] ?? blank.parentId,
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
	return { nodes, keys, deleted, receipts };
}

/** Where the blocks of a list begin and end, none of them with too many entries or too much text. */
function spansOf<T>(entries: readonly T[], textOf: (entry: T) => number): [start: number, end: number][] {
	const spans: [start: number, end: number][] = [];
	let start = 0;
	let text = 0;
	for (const [at, entry] of entries.entries()) {
		text += textOf(entry);
		if (at + 1 - start < blockSize && text < blockText && at + 1 < entries.length) continue;
		spans.push([start, at + 1]);
		start = at + 1;
		text = 0;
	}
	return spans;
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
