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
	stat(): Promise<{ size: number; mode?: number; isFile(): boolean; isDirectory(): boolean }>;
	close(): Promise<void>;
}

/** What the file storage needs of the file system: the part of `node:fs/promises` that it uses. */
export interface FileSystem {
	open(path: string, flags: string, mode?: number): Promise<FileHandle>;
	rename(from: string, to: string): Promise<void>;
	unlink(path: string): Promise<void>;
}
