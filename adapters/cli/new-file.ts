import { link, open, unlink } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { Failure } from "./failure.ts";

/**
 * Writes a new file. The file gets its name when it is complete and on the disk, so an interrupted command
 * leaves no half of it. Never replaces a file.
 */
export async function writeNewFile(path: string, pieces: AsyncIterable<string>): Promise<void> {
	const temporary = join(dirname(path), `.${basename(path)}.${process.pid}.new`);
	try {
		const file = await open(temporary, "wx", 0o600);
		try {
			for await (const piece of pieces) await file.writeFile(piece);
			await file.sync();
		} finally {
			await file.close();
		}
		// Unlike a rename, this fails if the file is there.
		await link(temporary, path);
	} catch (error) {
		const { code } = error as NodeJS.ErrnoException;
		if (code === "EEXIST")
			throw new Failure("exists", `${path} already exists. Give another name, or delete it first.`);
		if (code === "ENOENT") throw new Failure("not_found", `There is no folder ${dirname(path)}. Create it first.`);
		throw error;
	} finally {
		await unlink(temporary).catch(() => {});
	}
}
