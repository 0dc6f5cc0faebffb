import type { Buffer } from "node:buffer";
import { OutlineError } from "../../src/errors.js";
import type { Steps } from "../../src/pace.js";
import { type Batch, textLength } from "../../src/storage.js";
import { type Delta, deltaOf, lazyDeltaOf } from "../resident/delta.js";
import type { IndexImage } from "../resident/index/record-index.js";
import { missing } from "../resident/packed/parents.js";
import { otherBlocksOf, packedBlocksOf } from "../resident/snapshot-block.js";
import { isCount } from "../resident/validity.js";
import { jsonPieces } from "./json-pieces.js";
import { lineOf, shortLine } from "./line.js";

/*
 * The file is a text of lines, each a JSON object whose first member is the CRC-32 of the rest of the line:
 *
 *   {"crc32":"…","format":"outlinekit","version":2,"revision":R,…}       the header, with numbers of entries
 *   {"crc32":"…","id":[…],"parent":[…],"name":[…],…}                     the snapshot of revision R: nodes,
 *   {"crc32":"…","keys":[…]}                                             then keys, tombstones, documents
 *   {"crc32":"…","revision":R+1,"flush":F,"nodes":[…],"deleted":[…],…}   the journal: a line for each commit
 *   {"crc32":"…","synced":R+1}                                           written on closing
 *
 * `flush` is the revision of the first commit that was written in the same flush. The next flush begins only
 * when the one before is durable. So if a line's `flush` is later than a damaged line, the damaged line had
 * been durable.
 *
 * No line has more bytes than `lineLimit`. A commit is refused if it needs a longer line, or if one of its
 * nodes needs a longer block. So every written line can be read.
 *
 * Version 1 had receipts in place of documents. A file of version 1 gets a new snapshot when it is opened.
 */

/** The version of the format that this code writes. It refuses to read newer ones. */
export const formatVersion = 2;

/**
 * The most bytes of a line that this code writes, without its newline. Every engine can make a string of such
 * a line; V8 makes none of more than 2^29 - 24 characters.
 */
export const lineLimit = 2 ** 28;

/** The most bytes that a character of a text has in JSON: a control character is written as `\u0000`. */
const characterBytes = 6;

/** The most bytes that a node, a key or a document has in a line besides its texts. */
const entryBytes = 400;

/** The most bytes that the line of a small commit may have. */
const smallCommit = 2 ** 21;

/** The beginning of an export as JSON: its first line has no checksum. */
const exportStart = '{"format":"outlinekit"';

/** The first line of a file. */
export interface Header {
	readonly format: "outlinekit";
	readonly version: number;
	/** The revision of the snapshot. */
	readonly revision: number;
	/**
	 * The number of nodes in the snapshot. The next numbers are those of keys, tombstones and documents.
	 */
	readonly nodes: number;
	readonly keys: number;
	readonly deleted: number;
	readonly droppedKeys: number;
	readonly documents: number;
	/** The revision up to which tombstones have been dropped. */
	readonly horizon: number;
	/** The number of receipts. Only in version 1, which has neither dropped keys nor documents nor a horizon. */
	readonly receipts?: number;
}

/** A line of the journal: the changes of one commit. */
export type CommitLine = Delta & {
	/** The revision of the first commit that was written in the same flush. */
	readonly flush: number;
};

/**
 * Yields the lines of a snapshot, header first, and undefined at each point where other work may run.
 *
 * @throws `too_large` if an entry that an earlier release accepted needs a longer line
 */
export function* snapshotLines(image: IndexImage, limit = lineLimit): Generator<Buffer[] | undefined, void, undefined> {
	const { revision, nodes, keys, deleted, droppedKeys, documents, horizon } = image;
	const header: Header = {
		format: "outlinekit",
		version: formatVersion,
		revision,
		nodes: nodes.length,
		keys: keys.length,
		deleted: deleted.length,
		droppedKeys: droppedKeys.length,
		documents: documents.length,
		horizon,
	};
	yield [shortLine(JSON.stringify(header))];
	// A block of several nodes never has many characters. A block of one node may.
	for (const block of packedBlocksOf(nodes.nodes())) {
		yield block.id.length > 1 ? [shortLine(JSON.stringify(block))] : yield* lineOf(jsonPieces(block), limit);
	}
	for (const block of otherBlocksOf(image)) yield yield* lineOf(jsonPieces(block), limit);
}

/**
 * Returns the line of a small commit; undefined if the line may be large. `flush` as in
 * {@link largeCommitLine}.
 */
export function smallCommitLine(batch: Batch, flush: number, limit = lineLimit): Buffer | undefined {
	if (commitBound(batch) > Math.min(smallCommit, limit)) return undefined;
	const { revision, ...changes } = deltaOf(batch);
	return shortLine(JSON.stringify({ revision, flush, ...changes } satisfies CommitLine));
}

/**
 * Returns the line of a commit that may be large. Makes it in steps.
 *
 * @param flush - the revision of the first commit that is written in the same flush
 * @param limit - the most bytes of the line, and of the snapshot block that each of its nodes would make
 * alone
 * @throws `too_large` if it would have more
 */
export function* largeCommitLine(batch: Batch, flush: number, limit = lineLimit): Steps<Buffer[]> {
	if (commitBound(batch) > limit) yield* checkNodes(batch, limit);
	const { revision, ...changes } = lazyDeltaOf(batch);
	return yield* lineOf(jsonPieces({ revision, flush, ...changes }), limit);
}

/** Returns the line which states that all lines before it are durable. */
export function syncedLine(revision: number): Buffer {
	return shortLine(JSON.stringify({ synced: revision }));
}

/** Returns an upper bound for the bytes of a commit's line. Most lines have a fraction of it. */
export function commitBound({ nodes, keys, documents }: Batch): number {
	let characters = nodes.reduce((sum, { after }) => sum + (after === null ? 0 : textLength(after)), 0);
	characters = keys.reduce((sum, { before, after }) => {
		const { key, group } = (after ?? before)!;
		return sum + key.length + group.length;
	}, characters);
	let entries = 1 + nodes.length + keys.length;
	if (documents !== undefined) {
		const { put, dropped } = documents;
		characters = put.reduce((sum, { key, value }) => sum + key.length + value.length, characters);
		characters = dropped.reduce((sum, key) => sum + key.length, characters);
		entries += put.length + dropped.length;
	}
	return characterBytes * characters + entryBytes * entries;
}

/**
 * Checks that each node fits into a block, together with the text that the commit doesn't change.
 *
 * @throws `too_large`
 */
function* checkNodes({ nodes }: Batch, limit: number): Steps<void> {
	for (const { after } of nodes) {
		if (after === null || characterBytes * textLength(after) + entryBytes <= limit) continue;
		// Measured with the id of its parent, as for a node whose parent is missing: no block of it is
		// longer.
		const [block] = packedBlocksOf([{ record: after, parent: missing }]);
		yield* lineOf(jsonPieces(block), limit);
	}
}

/**
 * Checks the first line of a file.
 *
 * @param content - undefined if the checksum is wrong
 * @param size - the number of bytes of the file
 * @throws `storage_unavailable` for a newer format; `storage_corrupt` for a damaged header or a file that
 * holds no outline
 */
export function headerContent(line: Buffer, content: unknown, size: number, path: string): Header {
	// Checked without the checksum, because a newer format may compute it differently.
	const version = /"format":"outlinekit","version":(\d{1,9})/.exec(line.toString("latin1", 0, 256))?.[1];
	if (version !== undefined && Number(version) > formatVersion) {
		throw new OutlineError(
			"storage_unavailable",
			`${path} is in version ${version} of the file format, and this release reads version ${formatVersion}. Install a newer outlinekit to open it.`,
		);
	}
	const header = presentHeader(content);
	if (isHeader(header, size)) return header;
	if (line.toString("latin1", 0, exportStart.length) === exportStart) {
		throw new OutlineError(
			"storage_corrupt",
			`${path} is an export of an outline, not the file of a storage. Import it into an outline with another file.`,
		);
	}
	throw new OutlineError(
		"storage_corrupt",
		version === undefined
			? `${path} is not a file of an outline. It was left as it is; choose another path.`
			: `The first line of ${path} is damaged. The file was left as it is; restore it from a copy.`,
	);
}

/** Returns a header of any version with the members of the present one. */
function presentHeader(content: unknown): unknown {
	const header = content as Partial<Header> | undefined;
	return header?.version === 1 ? { ...header, droppedKeys: 0, documents: 0, horizon: 0 } : content;
}

function isHeader(content: unknown, size: number): content is Header {
	const header = content as Header | undefined;
	if (header?.format !== "outlinekit" || !isCount(header.revision)) return false;
	// Each entry takes more than a byte. The check comes first because memory is reserved before the nodes
	// are read.
	const { nodes, keys, deleted, droppedKeys, documents, horizon, receipts = 0 } = header;
	const counts = [nodes, keys, deleted, droppedKeys, documents, receipts];
	return isCount(horizon) && counts.every((count) => isCount(count) && count < size);
}
