import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Does something with an empty directory, which is removed afterwards. `TMPDIR` says on which disk. */
export async function withDirectory<T>(work: (directory: string) => Promise<T>): Promise<T> {
	const directory = await mkdtemp(join(tmpdir(), "outlinekit-bench-"));
	try {
		return await work(directory);
	} finally {
		await rm(directory, { recursive: true, force: true });
	}
}
