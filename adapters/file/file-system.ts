/** The part of Node's `BigIntStats` that the file storage uses. */
export interface FileStat {
	/** The device and the number of the file there. No two files that exist have both in common. */
	readonly dev: bigint;
	readonly ino: bigint;
	/** The number of names (hard links) that the file has. */
	readonly nlink: bigint;
	readonly size: bigint;
	readonly mode: bigint;
	/** When the content was changed last, in nanoseconds, as exact as the file system is. */
	readonly mtimeNs: bigint;
	isFile(): boolean;
}

/** What the file storage needs of an open file: the part of Node's `FileHandle` that it uses. */
export interface FileHandle {
	read(buffer: Uint8Array, offset: number, length: number, position: number): Promise<{ bytesRead: number }>;
	write(buffer: Uint8Array, offset: number, length: number, position: number): Promise<{ bytesWritten: number }>;
	/**
	 * Writes without leaving the thread, where that can be done. What goes to the system's cache is there in less time than
	 * another thread takes to be woken.
	 */
	writeSync?(buffer: Uint8Array, offset: number, length: number, position: number): number;
	truncate(length: number): Promise<void>;
	datasync(): Promise<void>;
	sync(): Promise<void>;
	stat(): Promise<FileStat>;
	close(): Promise<void>;
}

/** What the file storage needs of the file system: the part of `node:fs` that it uses. */
export interface FileSystem {
	open(path: string, flags: string, mode?: number): Promise<FileHandle>;
	rename(from: string, to: string): Promise<void>;
	unlink(path: string): Promise<void>;
	/** Looks at what a path names, be it a symbolic link, without leaving the thread. Undefined if nothing is there. */
	lstatSync(path: string): FileStat | undefined;
}
