import { fdatasync, lstatSync, writeSync } from "node:fs";
import { type FileHandle as NodeFileHandle, open, rename, unlink } from "node:fs/promises";
import type { FileHandle, FileSystem } from "./file-system.js";

/** The file system of the process. */
export const nodeFileSystem: FileSystem = {
	open: async (path, flags, mode) => new OpenFile(await open(path, flags, mode)),
	rename,
	unlink,
	lstatSync(path) {
		try {
			return lstatSync(path, { bigint: true });
		} catch (error) {
			const { code } = error as NodeJS.ErrnoException;
			// `ENOTDIR`: a directory of the path is a file now.
			if (code === "ENOENT" || code === "ENOTDIR") return undefined;
			throw error;
		}
	},
};

class OpenFile implements FileHandle {
	readonly #handle: NodeFileHandle;

	constructor(handle: NodeFileHandle) {
		this.#handle = handle;
	}

	read(buffer: Uint8Array, offset: number, length: number, position: number) {
		return this.#handle.read(buffer, offset, length, position);
	}

	write(buffer: Uint8Array, offset: number, length: number, position: number) {
		return this.#handle.write(buffer, offset, length, position);
	}

	writeSync(buffer: Uint8Array, offset: number, length: number, position: number) {
		return writeSync(this.#handle.fd, buffer, offset, length, position);
	}

	truncate(length: number) {
		return this.#handle.truncate(length);
	}

	datasync() {
		const { fd } = this.#handle;
		// The handle knows the error of a closed file.
		if (fd < 0) return this.#handle.datasync();
		// Each commit calls this, and the method of the handle takes more than twice the memory.
		return new Promise<void>((resolve, reject) => {
			fdatasync(fd, (error) => (error ? reject(error) : resolve()));
		});
	}

	sync() {
		return this.#handle.sync();
	}

	stat() {
		return this.#handle.stat({ bigint: true });
	}

	close() {
		return this.#handle.close();
	}
}
