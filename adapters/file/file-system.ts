/** The part of Node's `BigIntStats` that the file storage uses. */
export interface FileStat {
	/** The device, and the number of the file on it. No two existing files have the same pair. */
	readonly dev: bigint;
	readonly ino: bigint;
	/** The number of names (hard links) that the file has. */
	readonly nlink: bigint;
	readonly size: bigint;
	readonly mode: bigint;
	/** The time of the last change of the content, in nanoseconds, as exact as the file system is. */
	readonly mtimeNs: bigint;
	isFile(): boolean;
}

/** An open file: the part of Node's `FileHandle` that the file storage uses. */
export interface FileHandle {
	read(buffer: Uint8Array, offset: number, length: number, position: number): Promise<{ bytesRead: number }>;
	write(buffer: Uint8Array, offset: number, length: number, position: number): Promise<{ bytesWritten: number }>;
	/**
	 * Writes synchronously, on this thread, if that is possible. Writing to the system's cache takes less
	 * time than waking another thread.
	 */
	writeSync?(buffer: Uint8Array, offset: number, length: number, position: number): number;
	truncate(length: number): Promise<void>;
	datasync(): Promise<void>;
	sync(): Promise<void>;
	stat(): Promise<FileStat>;
	close(): Promise<void>;
}

/** A file system: the part of `node:fs` that the file storage uses. */
export interface FileSystem {
	open(path: string, flags: string, mode?: number): Promise<FileHandle>;
	rename(from: string, to: string): Promise<void>;
	unlink(path: string): Promise<void>;
	/**
	 * Looks at the entry of a path itself, even if it is a symbolic link; synchronously. Returns undefined if
	 * there is no entry.
	 */
	lstatSync(path: string): FileStat | undefined;
}
