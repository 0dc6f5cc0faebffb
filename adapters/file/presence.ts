import { Buffer } from "node:buffer";
import type { FileHandle, FileStat, FileSystem } from "./file-system.js";

/** The most bytes of the beginning and of the end of a file by which it is known again. */
const knownBytes = 4096;

/** What another program has done to a file, as the end of "The file has been …". */
export type ForeignChange =
	| "moved away or deleted"
	| "replaced by another file"
	| "cut off by another program"
	| "appended to by another program"
	| "overwritten by another program";

/** The changes that leave the content of the open file alone. */
const elsewhere: readonly ForeignChange[] = ["moved away or deleted", "replaced by another file"];

/**
 * Knows how an open file was after its last own write, and notices what other programs have done to it since: a look at its path
 * costs some microseconds. A file whose time alone has changed (by `touch`, or a backup program) is compared by its first and
 * last bytes.
 */
export class Presence {
	readonly #fileSystem: FileSystem;
	readonly #path: string;
	readonly #handle: FileHandle;
	readonly #first: Buffer;
	#last: Buffer;
	/** How the file was after the last own write. */
	#stat: FileStat;

	private constructor(
		fileSystem: FileSystem,
		path: string,
		handle: FileHandle,
		stat: FileStat,
		ends: [Buffer, Buffer],
	) {
		this.#fileSystem = fileSystem;
		this.#path = path;
		this.#handle = handle;
		this.#stat = stat;
		[this.#first, this.#last] = ends;
	}

	/**
	 * Knows an open file as it is now. Undefined if another program is changing it, or has put another file in its place.
	 *
	 * @param path - where it is to be looked for from now on
	 * @param now - where it is now
	 */
	static async of(fileSystem: FileSystem, handle: FileHandle, path: string, now = path): Promise<Presence | undefined> {
		const opened = await handle.stat();
		const size = Number(opened.size);
		const first = await bytesAt(handle, 0, Math.min(size, knownBytes));
		const last = await bytesAt(handle, Math.max(0, size - knownBytes), size);
		// Later looks are compared with a look at the path: not every system numbers open files and paths alike.
		const stat = fileSystem.lstatSync(now);
		if (stat === undefined || stat.size !== opened.size || stat.mtimeNs !== opened.mtimeNs) return undefined;
		return new Presence(fileSystem, path, handle, stat, [first, last]);
	}

	/**
	 * Returns the change that another program made to the file after the last own write; null if there is none.
	 *
	 * @param size - the number of bytes that were written and known to be durable
	 * @param most - the number of bytes that the file may have after a write that failed
	 * @throws the system's error
	 */
	change(size: number, most = size): ForeignChange | null | Promise<ForeignChange | null> {
		const stat = this.#fileSystem.lstatSync(this.#path);
		const change = this.#changeShownBy(stat, size, most);
		if (change !== null || stat!.mtimeNs === this.#stat.mtimeNs) return change;
		return this.#compare(stat!, size);
	}

	/**
	 * Notes the state of the file after an own write, and returns the change that another program made meanwhile, if its size or name
	 * show that.
	 *
	 * @param size - the number of bytes that it now must have
	 * @param written - what was written, at the end of the file
	 * @throws the system's error
	 */
	changeDuringWrite(size: number, written: readonly Buffer[]): ForeignChange | null {
		const stat = this.#fileSystem.lstatSync(this.#path);
		const change = this.#changeShownBy(stat, size, size);
		if (change !== null) return change;
		this.#stat = stat!;
		this.#last = lastOf(written);
		return null;
	}

	/** Whether a change has left the content of the open file alone, wherever it is now. */
	static leavesContent(change: ForeignChange): boolean {
		return elsewhere.includes(change);
	}

	#changeShownBy(stat: FileStat | undefined, size: number, most: number): ForeignChange | null {
		if (stat === undefined) return "moved away or deleted";
		if (stat.dev !== this.#stat.dev || stat.ino !== this.#stat.ino) return "replaced by another file";
		if (stat.size < size) return "cut off by another program";
		return stat.size > most ? "appended to by another program" : null;
	}

	/** Compares the first and the last bytes with the known ones. */
	async #compare(stat: FileStat, size: number): Promise<ForeignChange | null> {
		const { length } = this.#last;
		const same =
			this.#first.equals(await bytesAt(this.#handle, 0, this.#first.length)) &&
			this.#last.equals(await bytesAt(this.#handle, size - length, size));
		if (!same) return "overwritten by another program";
		this.#stat = stat;
		return null;
	}
}

/** The last bytes that the buffers hold together, in memory of their own unless they are all there is. */
function lastOf(buffers: readonly Buffer[]): Buffer {
	if (buffers.length === 1 && buffers[0]!.length <= knownBytes) return buffers[0]!;
	const last: Buffer[] = [];
	for (let at = buffers.length - 1, left = knownBytes; at >= 0 && left > 0; at--) {
		last.unshift(buffers[at]!.subarray(-left));
		left -= last[0]!.length;
	}
	return Buffer.concat(last);
}

async function bytesAt(handle: FileHandle, start: number, end: number): Promise<Buffer> {
	const buffer = Buffer.alloc(end - start);
	for (let at = 0; at < buffer.length; ) {
		const { bytesRead } = await handle.read(buffer, at, buffer.length - at, start + at);
		if (bytesRead === 0) return buffer.subarray(0, at);
		at += bytesRead;
	}
	return buffer;
}
