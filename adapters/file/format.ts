import { Buffer } from "node:buffer";
import { crc32 } from "node:zlib";
import { OutlineError } from "../../src/errors.js";
import type { Batch, KeyRecord, NodeRecord, Tombstone } from "../../src/storage.js";
import type { IndexImage } from "../resident/record-index.js";

/*
 * The file is a text of lines, each a JSON object whose first member is the CRC-32 of the rest of the line:
 *
 *   {"crc32":"…","format":"outlinekit","version":1,"revision":R,"blocks":B}    the header
 *   {"crc32":"…","id":[…],"parentId":[…],"name":[…],…}                        B blocks: the snapshot, at revision R
 *   {"crc32":"…","revision":R+1,"flush":F,"nodes":[…],"deleted":[…],…}        the journal: a line for each commit
 *   {"crc32":"…","synced":R+1}                                                written on closing
 *
 * `flush` is the revision of the first commit that was written in the same flush. The next flush begins only when the one
 * before is durable, so a line whose `flush` lies behind a damaged line proves that the damaged one had been durable.
 */

/** The version of the format that this code writes; it reads no newer one. */
const formatVersion = 1;

/** How many nodes, keys or tombstones stand in a block of the snapshot, at most. */
const blockSize = 500;

/** How many characters of text a block holds, about: a line is read and written as one string. */
const blockText = 4_000_000;

const newline = 10;
const crcPrefix = '{"crc32":"';
/** `{"crc32":"01234567",` */
const crcLength = crcPrefix.length + 10;

/** The fields of a record that a line may leave out, and what they are then. */
const blank = {
	parentId: null,
	priority: 0,
	name: "",
	note: null,
	layoutMode: "bullets",
	createdAt: 0,
	modifiedAt: 0,
	completedAt: null,
	originId: null,
} as const satisfies Omit<NodeRecord, "id" | "revision">;

type Field = keyof typeof blank;
type Fields = Pick<NodeRecord, Field>;

const fields = Object.keys(blank) as Field[];
/** Fields that most nodes leave at their default: a block names only the rows that don't. */
const rareFields = new Set<Field>(["note", "layoutMode", "completedAt", "originId"]);

/** The first line of a file. */
export interface Header {
	readonly format: "outlinekit";
	readonly version: number;
	/** The revision of the snapshot. */
	readonly revision: number;
	/** How many lines the snapshot has. */
	readonly blocks: number;
}

/** A line of the snapshot: nodes in columns, or keys, or tombstones. */
export type Block = {
	readonly id?: readonly string[];
	readonly revisions?: readonly number[];
	readonly keys?: readonly KeyRecord[];
	readonly deleted?: readonly Tombstone[];
} & { readonly [F in Field]?: readonly unknown[] | { readonly [row: string]: unknown } };

/** A line of the journal: what one commit changed. Of a changed node, the fields that differ; of a new one, those not blank. */
export interface CommitLine {
	readonly revision: number;
	readonly flush: number;
	readonly nodes?: readonly ({ readonly id: string } & Partial<Fields>)[];
	readonly deleted?: readonly string[];
	readonly keys?: readonly KeyRecord[];
	readonly droppedKeys?: readonly string[];
}

/** The lines of a snapshot, header first. */
export function* snapshotLines({ revision, nodes, keys, deleted }: IndexImage): Generator<Buffer> {
	const nodeBlocks = blocksOf(nodes, ({ name, note }) => name.length + (note?.length ?? 0));
	const keyBlocks = blocksOf(keys, ({ key }) => key.length);
	const deletedBlocks = blocksOf(deleted, ({ id }) => id.length);
	const blocks = nodeBlocks.length + keyBlocks.length + deletedBlocks.length;
	yield line({ format: "outlinekit", version: formatVersion, revision, blocks } satisfies Header);
	for (const [start, end] of nodeBlocks) yield line(columns(nodes.slice(start, end)));
	for (const [start, end] of keyBlocks) yield line({ keys: keys.slice(start, end) });
	for (const [start, end] of deletedBlocks) yield line({ deleted: deleted.slice(start, end) });
}

/** The line of a commit. `flush`: the revision of the first commit that is written together with it. */
export function commitLine({ base, nodes, keys }: Batch, flush: number): Buffer {
	const content: { -readonly [K in keyof CommitLine]: CommitLine[K] } = { revision: base + 1, flush };
	const written = nodes.flatMap(({ before, after }) => (after === null ? [] : [difference(before ?? blank, after)]));
	const deleted = nodes.flatMap(({ before, after }) => (after === null ? [before!.id] : []));
	const set = keys.flatMap(({ after }) => (after === null ? [] : [after]));
	const dropped = keys.flatMap(({ before, after }) => (after === null ? [before!.key] : []));
	if (written.length > 0) content.nodes = written;
	if (deleted.length > 0) content.deleted = deleted;
	if (set.length > 0) content.keys = set;
	if (dropped.length > 0) content.droppedKeys = dropped;
	return line(content);
}

/** The line that says that all before it is durable. */
export function syncedLine(revision: number): Buffer {
	return line({ synced: revision });
}

/** The records of a block of the snapshot. */
export function blockContent(block: Block): Partial<IndexImage> {
	const { id = [], keys = [], deleted = [], revisions = [] } = block;
	const nodes = id.map((each, row): NodeRecord => {
		const values: Partial<Record<Field, unknown>> = {};
		for (const field of fields) {
			const column = block[field] as { readonly [row: number]: unknown } | undefined;
			values[field] = column?.[row] ?? blank[field];
		}
		return { id: each, ...(values as Fields), revision: revisions[row]! };
	});
	return { nodes, keys, deleted };
}

/** The batch that a line of the journal stands for, given the records that it changes. */
export function commitContent(
	{ revision, nodes = [], deleted = [], keys = [], droppedKeys = [] }: CommitLine,
	record: (id: string) => NodeRecord | undefined,
	key: (key: string) => KeyRecord | undefined,
): Batch {
	return {
		base: revision - 1,
		nodes: [
			...nodes.map((change) => {
				const before = record(change.id) ?? null;
				return { before, after: { ...blank, ...before, ...change, revision } };
			}),
			...deleted.map((id) => ({ before: record(id) ?? null, after: null })),
		],
		keys: [
			...keys.map((after) => ({ before: key(after.key) ?? null, after })),
			...droppedKeys.map((name) => ({ before: key(name) ?? null, after: null })),
		],
	};
}

/** What a line holds, if its checksum is right; undefined for a damaged one. The line comes without its newline. */
export function lineContent(bytes: Buffer): unknown {
	if (bytes.length <= crcLength || bytes.toString("latin1", 0, crcPrefix.length) !== crcPrefix) return undefined;
	const stated = bytes.toString("latin1", crcPrefix.length, crcPrefix.length + 8);
	if (stated !== checksum(bytes.subarray(crcLength))) return undefined;
	try {
		return JSON.parse(bytes.toString("utf8"));
	} catch {
		return undefined;
	}
}

/**
 * Checks the first line of a file.
 *
 * @throws `storage_unavailable` for a newer format, `storage_corrupt` for a damaged header or a file that isn't an outline's
 */
export function headerContent(bytes: Buffer, path: string): Header {
	// Looked at before the checksum, which a newer format may well compute otherwise.
	const version = /"format":"outlinekit","version":(\d{1,9})/.exec(bytes.toString("latin1", 0, 256))?.[1];
	if (version !== undefined && Number(version) > formatVersion) {
		throw new OutlineError(
			"storage_unavailable",
			`${path} is in version ${version} of the file format, and this release reads version ${formatVersion}. Install a newer outlinekit to open it.`,
		);
	}
	const content = lineContent(bytes) as Header | undefined;
	if (content?.format === "outlinekit") return content;
	throw new OutlineError(
		"storage_corrupt",
		version === undefined
			? `${path} is not a file of an outline. It was left as it is; choose another path.`
			: `The first line of ${path} is damaged. The file was left as it is; restore it from a copy.`,
	);
}

/** Whether a line that is whole stands anywhere in the bytes and proves that a revision before it had been durable. */
export function provesDurable(bytes: Buffer, revision: number): boolean {
	for (let at = bytes.indexOf(crcPrefix); at >= 0; at = bytes.indexOf(crcPrefix, at + 1)) {
		const end = bytes.indexOf(newline, at);
		const content = lineContent(bytes.subarray(at, end < 0 ? bytes.length : end)) as
			| { flush?: number; synced?: number }
			| undefined;
		if (content !== undefined && ((content.flush ?? 0) > revision || (content.synced ?? 0) >= revision)) return true;
	}
	return false;
}

/** Where the blocks of a list begin and end, none of them with too many entries or too much text. */
function blocksOf<T>(entries: readonly T[], textOf: (entry: T) => number): [start: number, end: number][] {
	const blocks: [start: number, end: number][] = [];
	let start = 0;
	let text = 0;
	for (const [at, entry] of entries.entries()) {
		text += textOf(entry);
		if (at + 1 - start < blockSize && text < blockText && at + 1 < entries.length) continue;
		blocks.push([start, at + 1]);
		start = at + 1;
		text = 0;
	}
	return blocks;
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

function difference(before: Fields, after: NodeRecord): { id: string } & Partial<Fields> {
	const changed: { id: string } & Partial<Record<Field, unknown>> = { id: after.id };
	for (const field of fields) {
		if (before[field] !== after[field]) changed[field] = after[field];
	}
	return changed as { id: string } & Partial<Fields>;
}

function line(content: object): Buffer {
	const rest = `${JSON.stringify(content).slice(1)}\n`;
	const bytes = Buffer.from(`${crcPrefix}00000000",${rest}`);
	bytes.write(checksum(bytes.subarray(crcLength, -1)), crcPrefix.length, "latin1");
	return bytes;
}

function checksum(bytes: Buffer): string {
	return crc32(bytes).toString(16).padStart(8, "0");
}
