import { Buffer } from "node:buffer";
import { OutlineError } from "../../src/errors.js";
import { type Block, contentOf } from "../resident/block.js";
import { batchOf } from "../resident/delta.js";
import type { RecordIndex } from "../resident/record-index.js";
import type { FileHandle } from "./file-system.js";
import { type CommitLine, headerContent, lineContent, provesDurable } from "./format.js";

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
	let blocks = -1;
	for await (const line of lines(handle)) {
		if (blocks < 0) {
			const header = headerContent(line.bytes, path);
			blocks = header.blocks;
			index.revision = header.revision;
		} else {
			const found = line.whole ? lineContent(line.bytes) : undefined;
			const content = blocks > 0 || isCurrent(found, index.revision) ? found : undefined;
			if (content === undefined) {
				if (blocks > 0 || provesDurable(await readFrom(handle, size), index.revision + 1)) throw damaged(path, size);
				break;
			}
			if (blocks > 0) {
				index.load(contentOf(content as Block));
				blocks -= 1;
			} else if ("revision" in (content as object)) {
				const commit = content as CommitLine;
				if (commit.flush === commit.revision) provenSize = size;
				const batch = batchOf(commit, index);
				if (batch === null) throw damaged(path, size);
				index.apply(batch);
			} else provenSize = size;
		}
		size += line.bytes.length + 1;
		if (blocks === 0 && snapshotSize === 0) {
			snapshotSize = size;
			provenSize = size;
		}
	}
	if (blocks !== 0) throw damaged(path, size);
	return { size, snapshotSize, provenSize };
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
