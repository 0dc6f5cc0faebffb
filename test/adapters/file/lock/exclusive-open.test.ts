import { type FileHandle, open, readdir, readFile, unlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { type ExclusiveOpen, lockByOpening } from "../../../../adapters/file/lock/exclusive-open.js";
import type { HeldLock } from "../../../../adapters/file/lock/holder.js";
import { temporaryFolder } from "../../../support/temporary.js";

/**
 * The lock of macOS and the BSDs, which belongs to an open file, not to its path. `opened` runs before it is
 * tried.
 */
function kernel(opened: () => Promise<void> = async () => undefined): ExclusiveOpen {
	const locked = new Map<bigint, FileHandle>();
	return async (path) => {
		const handle = await open(path, "a+");
		const { ino } = await handle.stat({ bigint: true });
		await opened();
		if (locked.has(ino)) {
			await handle.close();
			throw Object.assign(new Error("EAGAIN: resource temporarily unavailable"), { code: "EAGAIN" });
		}
		locked.set(ino, handle);
		const close = handle.close.bind(handle);
		handle.close = () => {
			locked.delete(ino);
			return close();
		};
		return handle;
	};
}

describe("a lock on an open file", () => {
	let directory: string;
	let path: string;
	beforeEach(() => {
		directory = temporaryFolder();
		path = join(directory, "outline.lock");
	});

	it("is granted to one of many, whose pid each other one gets, and leaves nothing", async () => {
		const openExclusively = kernel();
		const lock = (await lockByOpening(path, openExclusively)) as HeldLock;
		expect(await readFile(path, "latin1")).toBe(String(process.pid));
		const others = await Promise.all(Array.from({ length: 5 }, () => lockByOpening(path, openExclusively)));
		expect(others).toEqual(Array(5).fill({ pid: process.pid }));
		await Promise.all([lock.release(), lock.release()]);
		expect(await readdir(directory)).toEqual([]);
		await ((await lockByOpening(path, openExclusively)) as HeldLock).release();
	});

	it("stays with its next holder after a second release", async () => {
		const openExclusively = kernel();
		const first = (await lockByOpening(path, openExclusively)) as HeldLock;
		await first.release();
		const second = (await lockByOpening(path, openExclusively)) as HeldLock;
		await first.release();
		expect(await lockByOpening(path, openExclusively)).toEqual({ pid: process.pid });
		await second.release();
	});

	it("takes over the file of a process that ended", async () => {
		await writeFile(path, "4194304000");
		const lock = (await lockByOpening(path, kernel())) as HeldLock;
		expect(await readFile(path, "latin1")).toBe(String(process.pid));
		await lock.release();
		expect(await readdir(directory)).toEqual([]);
	});

	it("doesn't count on a file that was removed meanwhile", async () => {
		let turns = 0;
		const removing = kernel(async () => {
			if (turns++ < 3) await unlink(path);
		});
		const lock = (await lockByOpening(path, removing)) as HeldLock;
		// One more opening checks that a second one is refused.
		expect(turns).toBe(5);
		expect(await lockByOpening(path, removing)).toEqual({ pid: process.pid });
		await lock.release();
	});

	it("reports no pid while the holder hasn't written it", async () => {
		const openExclusively = kernel();
		const handle = await openExclusively(path);
		expect(await lockByOpening(path, openExclusively)).toEqual({ pid: null });
		await handle.close();
	});

	it("is refused by an engine that opens files without it", async () => {
		await expect(lockByOpening(path, (each) => open(each, "a+"))).rejects.toThrow("doesn't open files with a lock");
	});

	it("passes on the error if the file can't be opened", async () => {
		await expect(lockByOpening(join(path, "below"), kernel())).rejects.toMatchObject({ code: "ENOENT" });
	});
});
