import { randomUUID } from "node:crypto";
import { link, open, rename, unlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { exitCodes, Failure } from "./failure.ts";

/** The codes of file systems without hard links, such as FAT. On Windows it is EISDIR. */
const withoutLinks: ReadonlySet<unknown> = new Set(["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EISDIR"]);

/**
 * Writes a new file. The file gets its name when it is complete and on the disk, so an interrupted command
 * leaves no half of it. Never replaces a file.
 */
export async function writeNewFile(path: string, pieces: AsyncIterable<string>): Promise<void> {
	// Neither longer than other names nor the name of a file that a killed command has left.
	const temporary = join(dirname(path), `.outlinekit-${randomUUID()}.new`);
	try {
		const file = await open(temporary, "wx", 0o600);
		try {
			for await (const piece of pieces) await file.writeFile(piece);
			await file.sync();
		} finally {
			await file.close();
		}
		await giveName(temporary, path);
	} catch (error) {
		const { code } = error as NodeJS.ErrnoException;
		if (code === "EEXIST")
			throw new Failure("exists", `${path} already exists. Give another name, or delete it first.`);
		if (code === "ENOENT")
			throw new Failure("not_found", `There is no folder ${dirname(path)}. Create it first.`, exitCodes.missing);
		throw error;
	} finally {
		await unlink(temporary).catch(() => {});
	}
}

/** Moves a file to a name that no other file has. */
async function giveName(temporary: string, path: string): Promise<void> {
	try {
		// Unlike a rename, this fails if the file is there.
		await link(temporary, path);
	} catch (error) {
		if (!withoutLinks.has((error as NodeJS.ErrnoException).code)) throw error;
		// Takes the name with an empty file first, so that the rename replaces no other file.
		await (await open(path, "wx", 0o600)).close();
		await rename(temporary, path);
	}
}
