import type { FileHandle, FileStat } from "../../adapters/file/file-system.js";
import {
	changeFile,
	type DiskFile,
	type Entry,
	streamPrefix,
	streamSize,
	withChange,
	withEntryChange,
} from "./crash-disk.js";
import type { FailedSync, MakeCall } from "./crash-file-system.js";
import { systemError } from "./system-error.js";

/** The meaning of the letters of an open call. */
export interface OpenFlags {
	readonly read: boolean;
	readonly write: boolean;
	readonly append: boolean;
	readonly create: boolean;
	readonly exclusive: boolean;
	readonly truncate: boolean;
}

/** Parses the flags that Node knows. */
export function openFlags(flags: string): OpenFlags {
	const [, letter, sync, exclusive, plus] = /^([rwa])(s?)(x?)(\+?)$/.exec(flags) ?? [];
	if (letter === undefined || (letter === "r" && exclusive === "x") || (letter === "w" && sync === "s")) {
		throw new TypeError(`The argument 'flags' is invalid. Received '${flags}'`);
	}
	return {
		read: letter === "r" || plus === "+",
		write: letter !== "r" || plus === "+",
		append: letter === "a",
		create: letter !== "r",
		exclusive: exclusive === "x",
		truncate: letter === "w",
	};
}

/** An open file or directory of a crash file system. */
export class CrashFileHandle implements FileHandle {
	#isClosed = false;

	constructor(
		readonly entry: Entry,
		readonly path: string,
		readonly flags: OpenFlags,
		readonly failedSync: FailedSync,
		readonly makeCall: MakeCall,
		readonly statOf: (entry: Entry) => FileStat,
		readonly closed: () => void,
	) {}

	read(buffer: Uint8Array, offset: number, length: number, position: number): Promise<{ bytesRead: number }> {
		checkRange(buffer, offset, length);
		return this.makeCall({ type: "read", path: this.path, offset: position, length }, (part) => {
			const file = this.#file("read", this.flags.read);
			return () => {
				const bytes = file.cached.subarray(position, position + partial(length, part));
				buffer.set(bytes, offset);
				return { bytesRead: bytes.length };
			};
		});
	}

	/** @throws Error if the bytes change while they are being written */
	write(buffer: Uint8Array, offset: number, length: number, position: number): Promise<{ bytesWritten: number }> {
		checkRange(buffer, offset, length);
		return this.makeCall({ type: "write", path: this.path, offset: position, length }, (part) => {
			this.#open("write");
			// Node doesn't call the system then.
			if (length === 0) return () => ({ bytesWritten: 0 });
			const file = this.#file("write", this.flags.write);
			const bytes = new Uint8Array(buffer.subarray(offset, offset + partial(length, part)));
			const start = this.flags.append ? file.cached.length : position;
			changeFile(file, { type: "write", offset: start, bytes });
			return () => {
				if (Buffer.compare(bytes, buffer.subarray(offset, offset + bytes.length)) !== 0) {
					throw new Error("the buffer was changed before its write had settled");
				}
				return { bytesWritten: bytes.length };
			};
		});
	}

	truncate(length: number): Promise<void> {
		return this.makeCall({ type: "truncate", path: this.path, length }, () => {
			const file = this.#file("ftruncate", this.flags.write, "EINVAL");
			if (length !== file.cached.length) changeFile(file, { type: "truncate", length });
			return () => undefined;
		});
	}

	datasync(): Promise<void> {
		return this.#synced("datasync");
	}

	sync(): Promise<void> {
		return this.#synced("sync");
	}

	stat(): Promise<FileStat> {
		return this.makeCall({ type: "stat", path: this.path }, () => {
			const stat = this.statOf(this.#open("fstat"));
			return () => stat;
		});
	}

	/** Closes even if the call fails, as the system does. */
	close(): Promise<void> {
		const close = () => {
			this.#isClosed = true;
			this.closed();
		};
		return this.makeCall({ type: "close", path: this.path }, () => close, close);
	}

	/** Makes the changes durable that were there when it was called. Later changes wait for the next sync. */
	#synced(type: "datasync" | "sync"): Promise<void> {
		const covered = new Set<unknown>(this.entry.unsynced);
		const synced = (part: "all" | "half") => {
			this.#open(type);
			return () => {
				if (part === "all") return persist(this.entry, covered);
				lose(this.entry, covered, true, this.failedSync);
				throw systemError("EIO", type, this.path);
			};
		};
		return this.makeCall({ type, path: this.path }, synced, () => lose(this.entry, covered, false, this.failedSync));
	}

	#open(call: string): Entry {
		if (this.#isClosed) throw systemError("EBADF", call, this.path);
		return this.entry;
	}

	#file(call: string, allowed: boolean, refusal = "EBADF"): DiskFile {
		const entry = this.#open(call);
		if (!allowed) throw systemError(refusal, call, this.path);
		if (entry.type === "directory") throw systemError("EISDIR", call, this.path);
		return entry;
	}
}

function persist(entry: Entry, covered: ReadonlySet<unknown>): void {
	if (entry.type === "file") {
		entry.durable = entry.unsynced.filter((change) => covered.has(change)).reduce(withChange, entry.durable);
		entry.unsynced = entry.unsynced.filter((change) => !covered.has(change));
	} else {
		entry.durable = entry.unsynced.filter((change) => covered.has(change)).reduce(withEntryChange, entry.durable);
		entry.unsynced = entry.unsynced.filter((change) => !covered.has(change));
	}
}

/**
 * The changes of a failed sync count as written from now on, although at most half of them were. The changes
 * of a directory stay unsynced, because they are in the file system's own journal. The system writes that
 * journal again, or nothing can be written any more.
 */
function lose(entry: Entry, covered: ReadonlySet<unknown>, half: boolean, failedSync: FailedSync): void {
	if (entry.type === "directory") return;
	const lost = entry.unsynced.filter((change) => covered.has(change));
	const size = half ? Math.floor(streamSize(lost) / 2) : 0;
	entry.durable = streamPrefix(lost, size).reduce(withChange, entry.durable);
	entry.unsynced = entry.unsynced.filter((change) => !covered.has(change));
	if (failedSync === "drops") entry.cached = entry.unsynced.reduce(withChange, entry.durable);
}

function partial(length: number, part: "all" | "half"): number {
	return part === "half" ? Math.ceil(length / 2) : length;
}

function checkRange(buffer: Uint8Array, offset: number, length: number): void {
	if (offset < 0 || length < 0 || offset + length > buffer.byteLength) {
		throw new RangeError(`${length} bytes at ${offset} are outside of a buffer of ${buffer.byteLength} bytes`);
	}
}
