import { Buffer } from "node:buffer";
import type { FileHandle, FileStat, FileSystem } from "./file-system.js";

/** The most bytes at the beginning, and at the end, of a file that are kept to recognize it. */
const knownBytes = 4096;

/** A change that another program made to a file, worded as the end of "The file has been …". */
export type ForeignChange =
	| "moved away or deleted"
	| "replaced by another file"
	| "cut off by another program"
	| "appended to by another program"
	| "overwritten by another program";

/** The changes that don't affect the content of the open file. */
const elsewhere: readonly ForeignChange[] = ["moved away or deleted", "replaced by another file"];

/**
 * The state of an open file after its last own write, to notice changes by other programs. A look at its path
 * costs some microseconds. If only the file's time has changed (by `touch`, or a backup program), the first
 * and last bytes are compared.
 */
export class Presence {
	readonly #fileSystem: FileSystem;
	readonly #path: string;
	readonly #handle: FileHandle;
	readonly #first: Buffer;
	#last: Buffer;
	/** The file's status after the last own write. */
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
	 * Records the present state of an open file. Returns undefined if another program is changing the file, or
	 * has replaced it.
	 *
	 * @param path - the path to check from now on
	 * @param now - the present path
	 */
	static async of(fileSystem: FileSystem, handle: FileHandle, path: string, now = path): Promise<Presence | undefined> {
		const opened = await handle.stat();
		const size = Number(opened.size);
		const first = await bytesAt(handle, 0, Math.min(size, knownBytes));
		const last = await bytesAt(handle, Math.max(0, size - knownBytes), size);
		// Later checks look at the path, so the status must come from the path too: some systems number open
		// files and paths differently.
		const stat = fileSystem.lstatSync(now);
		if (stat === undefined || stat.size !== opened.size || stat.mtimeNs !== opened.mtimeNs) return undefined;
		return new Presence(fileSystem, path, handle, stat, [first, last]);
	}

	/** Whether the file is as the last own write left it, as far as one look at its path can tell. */
	isUnchanged(size: number): boolean {
		let stat: FileStat | undefined;
		try {
			stat = this.#fileSystem.lstatSync(this.#path);
		} catch {
			return false;
		}
		return this.#changeShownBy(stat, size, size) === null && stat!.mtimeNs === this.#stat.mtimeNs;
	}

	/**
	 * Returns the change that another program made to the file after the last own write; null if there is none.
	 *
	 * @param size - the number of bytes that were written and are known to be durable
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
	 * Records the state of the file after an own write. Returns the change that another program made meanwhile,
	 * if the file's size or name shows one.
	 *
	 * @param size - the number of bytes that the file must have now
	 * @param written - the buffers that were written at the end of the file
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

	/** Whether a change left the content of the open file alone, wherever the file is now. */
	static leavesContent(change: ForeignChange): boolean {
		return elsewhere.includes(change);
	}

	#changeShownBy(stat: FileStat | undefined, size: number, most: number): ForeignChange | null {
		if (stat === undefined) return "moved away or deleted";
		if (stat.dev !== this.#stat.dev || stat.ino !== this.#stat.ino) return "replaced by another file";
		if (stat.size < size) return "cut off by another program";
		return stat.size > most ? "appended to by another program" : null;
	}

	/** Compares the first and the last bytes with the recorded ones. */
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

/** Returns the last bytes of the buffers, in a buffer of their own unless there is only one small buffer. */
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
