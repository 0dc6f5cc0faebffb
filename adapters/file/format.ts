import type { Buffer } from "node:buffer";
import { crc32 } from "node:zlib";
import { OutlineError } from "../../src/errors.js";
import type { Batch } from "../../src/storage.js";
import { otherBlocksOf, packedBlocksOf } from "../resident/block.js";
import { type Delta, deltaOf } from "../resident/delta.js";
import type { IndexImage } from "../resident/record-index.js";

/*
 * The file is a text of lines, each a JSON object whose first member is the CRC-32 of the rest of the line:
 *
 *   {"crc32":"…","format":"outlinekit","version":1,"revision":R,"nodes":N,…}   the header: how much there is of everything
 *   {"crc32":"…","id":[…],"parent":[…],"priority":[…],"name":[…],…}           the snapshot, at revision R: nodes in columns,
 *   {"crc32":"…","keys":[…]}                                                  then keys, tombstones and receipts
 *   {"crc32":"…","revision":R+1,"flush":F,"nodes":[…],"deleted":[…],…}        the journal: a line for each commit
 *   {"crc32":"…","synced":R+1}                                                written on closing
 *
 * `flush` is the revision of the first commit that was written in the same flush. The next flush begins only when the one
 * before is durable, so a line whose `flush` lies behind a damaged line proves that the damaged one had been durable.
 */

/** The version of the format that this code writes; it reads no newer one. */
const formatVersion = 1;

const newline = 10;
const crcPrefix = '{"crc32":"';
/** Where the members of a line begin, behind `{"crc32":"01234567",`. */
export const crcLength = crcPrefix.length + 10;

/** The first line of a file. */
export interface Header {
	readonly format: "outlinekit";
	readonly version: number;
	/** The revision of the snapshot. */
	readonly revision: number;
	/** How many nodes, keys, tombstones and receipts the snapshot has. */
	readonly nodes: number;
	readonly keys: number;
	readonly deleted: number;
	readonly receipts: number;
}

/** A line of the journal: what one commit changed. */
export type CommitLine = Delta & {
	/** The revision of the first commit that was written in the same flush. */
	readonly flush: number;
};

/** The lines of a snapshot, header first. */
export function* snapshotLines(image: IndexImage): Generator<string> {
	const { revision, nodes, keys, deleted, receipts } = image;
	yield line({
		format: "outlinekit",
		version: formatVersion,
		revision,
		nodes: nodes.length,
		keys: keys.length,
		deleted: deleted.length,
		receipts: receipts.length,
	} satisfies Header);
	for (const block of packedBlocksOf(nodes.nodes())) yield line(block);
	for (const block of otherBlocksOf(image)) yield line(block);
}

/** The line of a commit. `flush`: the revision of the first commit that is written together with it. */
export function commitLine(batch: Batch, flush: number): string {
	const { revision, ...changes } = deltaOf(batch);
	return line({ revision, flush, ...changes } satisfies CommitLine);
}

/** The line that says that all before it is durable. */
export function syncedLine(revision: number): string {
	return line({ synced: revision });
}

/** Whether the checksum of a line is right. The line comes without its newline. */
export function isWhole(bytes: Buffer): boolean {
	if (bytes.length <= crcLength || bytes.toString("latin1", 0, crcPrefix.length) !== crcPrefix) return false;
	return bytes.toString("latin1", crcPrefix.length, crcPrefix.length + 8) === checksum(bytes.subarray(crcLength));
}

/** What a line holds, if its checksum is right; undefined for a damaged one. */
export function lineContent(bytes: Buffer): unknown {
	if (!isWhole(bytes)) return undefined;
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

function line(content: object): string {
	const rest = JSON.stringify(content).slice(1);
	return `${crcPrefix}${checksum(rest)}",${rest}\n`;
}

/** Of a text, the checksum of its bytes in UTF-8. */
function checksum(content: Buffer | string): string {
	return crc32(content).toString(16).padStart(8, "0");
}
