import { Buffer } from "node:buffer";
import { OutlineError } from "../../src/errors.js";
import { type Block, contentOf } from "../resident/block.js";
import { batchOf } from "../resident/delta.js";
import type { RecordIndex } from "../resident/record-index.js";
import type { FileHandle } from "./file-system.js";
import {
	type CommitLine,
	crcLength,
	type Header,
	headerContent,
	isWhole,
	lineContent,
	provesDurable,
} from "./format.js";
import { isTextBlock, TextBlock } from "./text-block.js";

const readSize = 1 << 20;
const newline = 10;

/** How much of a file counts. */
export interface LoadedFile {
	/** The bytes up to the last line that is whole. What comes behind them is a torn write. */
	readonly size: number;
	/** The bytes of the header and the snapshot. */
	readonly snapshotSize: number;
	/** The bytes that are proven to be durable: those before the last flush, or before the line that says so on closing. */
	readonly provenSize: number;
}

/**
 * Reads a file into an index. Nothing is written.
 *
 * @throws `storage_unavailable` for a newer format; `storage_corrupt` for a file that isn't ours, a damaged snapshot, or a
 * damaged line of the journal that is proven to have been durable. A last line that never became durable is no damage.
 */
export async function loadFile(handle: FileHandle, path: string, index: RecordIndex): Promise<LoadedFile> {
	let size = 0;
	let snapshotSize = 0;
	let provenSize = 0;
	let snapshot: SnapshotReader | undefined;
	for await (const line of lines(handle)) {
		if (snapshot === undefined) {
			const header = headerContent(line.bytes, path);
			snapshot = new SnapshotReader(header, index, path);
		} else if (!snapshot.complete) {
			if (!line.whole || !isWhole(line.bytes)) throw damaged(path, size);
			snapshot.read(line.bytes, size);
		} else {
			const content = line.whole ? lineContent(line.bytes) : undefined;
			if (content === undefined || !isCurrent(content, index.revision)) {
				if (provesDurable(await readFrom(handle, size), index.revision + 1)) throw damaged(path, size);
				break;
			}
			if ("revision" in (content as object)) {
				const commit = content as CommitLine;
				if (commit.flush === commit.revision) provenSize = size;
				const batch = batchOf(commit, index);
				if (batch === null) throw damaged(path, size);
				index.apply(batch);
			} else provenSize = size;
		}
		size += line.bytes.length + 1;
		if (snapshot.complete && snapshotSize === 0) {
			index.settle();
			snapshotSize = size;
			provenSize = size;
		}
	}
	if (!snapshot?.complete) throw damaged(path, size);
	return { size, snapshotSize, provenSize };
}

/** Puts the lines of a snapshot into an index. */
class SnapshotReader {
	readonly #index: RecordIndex;
	readonly #path: string;
	/** How much is still to come. */
	#left: number;
	readonly #nodes: number;
	#nodesRead = 0;

	constructor({ revision, nodes, keys, deleted, receipts }: Header, index: RecordIndex, path: string) {
		this.#index = index;
		this.#path = path;
		this.#left = nodes + keys + deleted + receipts;
		this.#nodes = nodes;
		index.revision = revision;
		index.reserve(nodes);
	}

	/** Whether all of the snapshot has been read. */
	get complete(): boolean {
		return this.#left === 0;
	}

	/** @throws `storage_corrupt` for a line that is none of a snapshot */
	read(line: Buffer, at: number): void {
		const corrupt = () => damaged(this.#path, at);
		if (isTextBlock(line, crcLength)) {
			const block = new TextBlock(line, crcLength, this.#nodes, corrupt);
			this.#nodesRead += block.count;
			if (this.#nodesRead > this.#nodes) throw corrupt();
			this.#index.loadPacked(block);
			this.#left -= block.count;
		} else {
			const { keys = [], deleted = [], receipts = [] } = contentOf(lineContent(line) as Block);
			const found = keys.length + deleted.length + receipts.length;
			if (found === 0 || found > this.#left) throw corrupt();
			this.#index.load({ keys, deleted, receipts });
			this.#left -= found;
		}
	}
}

/** The lines of a file, without their newlines. The last is not `whole` if it has none. */
async function* lines(handle: FileHandle): AsyncGenerator<{ bytes: Buffer; whole: boolean }> {
	const pieces: Buffer[] = [];
	for (let position = 0; ; ) {
		const chunk = await readAt(handle, position, readSize);
		if (chunk.length === 0) break;
		position += chunk.length;
		let start = 0;
		for (let end = chunk.indexOf(newline); end >= 0; end = chunk.indexOf(newline, start)) {
			pieces.push(chunk.subarray(start, end));
			yield { bytes: pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces), whole: true };
			pieces.length = 0;
			start = end + 1;
		}
		if (start < chunk.length) pieces.push(chunk.subarray(start));
	}
	if (pieces.length > 0) yield { bytes: Buffer.concat(pieces), whole: false };
}

async function readAt(handle: FileHandle, position: number, length: number): Promise<Buffer> {
	const buffer = Buffer.allocUnsafe(length);
	const { bytesRead } = await handle.read(buffer, 0, length, position);
	return buffer.subarray(0, bytesRead);
}

/** The bytes from a position to the end. */
export async function readFrom(handle: FileHandle, start: number): Promise<Buffer> {
	const chunks: Buffer[] = [];
	for (let position = start; ; ) {
		const chunk = await readAt(handle, position, readSize);
		if (chunk.length === 0) return Buffer.concat(chunks);
		chunks.push(chunk);
		position += chunk.length;
	}
}

/** Whether a line of the journal goes on from a revision: behind its durable end a file may show old pieces of itself. */
function isCurrent(content: unknown, revision: number): boolean {
	const line = content as { revision?: number; synced?: number } | undefined;
	return line?.revision === undefined ? line?.synced === revision : line.revision > revision;
}

function damaged(path: string, at: number): OutlineError {
	return new OutlineError(
		"storage_corrupt",
		`${path} is damaged at byte ${at}, before commits that were acknowledged. The file was left as it is; restore it from a copy.`,
	);
}
