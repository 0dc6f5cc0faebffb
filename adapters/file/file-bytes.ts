import { Buffer } from "node:buffer";
import type { FileHandle } from "./file-system.js";

/** The approximate number of bytes of one read or write. */
const chunkSize = 1 << 20;

/** The most bytes that are written synchronously, on this thread. */
const smallWrite = 1 << 16;

/** Reads up to `length` bytes from a position; fewer at the end of the file, and at most a chunk. */
export async function readAt(handle: FileHandle, position: number, length: number): Promise<Buffer> {
	const buffer = Buffer.allocUnsafe(Math.min(length, chunkSize));
	const { bytesRead } = await handle.read(buffer, 0, buffer.length, position);
	return buffer.subarray(0, bytesRead);
}

/** Writes buffers one after another from a position; at once if there are few bytes. Returns their number. */
export function writeAll(handle: FileHandle, buffers: readonly Buffer[], position: number): number | Promise<number> {
	const size = buffers.reduce((sum, { length }) => sum + length, 0);
	if (size > smallWrite || handle.writeSync === undefined) return writeChunks(handle, buffers, position);
	const bytes = joined(buffers);
	for (let written = 0; written < size; ) {
		written += handle.writeSync(bytes, written, size - written, position + written);
	}
	return size;
}

async function writeChunks(handle: FileHandle, buffers: readonly Buffer[], position: number): Promise<number> {
	let end = position;
	for (const chunk of chunksOf(buffers)) {
		await writeChunk(handle, chunk, end);
		end += chunk.length;
	}
	return end - position;
}

/** Copies a range of one file into another file, or into the same one, at a position. */
export async function copyBytes(
	from: FileHandle,
	range: { readonly start: number; readonly end: number },
	to: FileHandle,
	position: number,
): Promise<void> {
	for (let at = range.start; at < range.end; ) {
		const chunk = await readAt(from, at, range.end - at);
		if (chunk.length === 0) throw new Error(`the file ended at byte ${at}, before ${range.end}`);
		await writeChunk(to, chunk, position + at - range.start);
		at += chunk.length;
	}
}

/** Joins small buffers, because a system call takes longer than a copy in memory. */
function* chunksOf(buffers: readonly Buffer[]): Generator<Buffer, void, undefined> {
	let waiting: Buffer[] = [];
	let size = 0;
	for (const buffer of buffers) {
		waiting.push(buffer);
		size += buffer.length;
		if (size < chunkSize) continue;
		yield joined(waiting);
		waiting = [];
		size = 0;
	}
	if (waiting.length > 0) yield joined(waiting);
}

function joined(buffers: readonly Buffer[]): Buffer {
	return buffers.length === 1 ? buffers[0]! : Buffer.concat(buffers);
}

async function writeChunk(handle: FileHandle, bytes: Buffer, position: number): Promise<void> {
	for (let written = 0; written < bytes.length; ) {
		const { bytesWritten } = await handle.write(bytes, written, bytes.length - written, position + written);
		written += bytesWritten;
	}
}
