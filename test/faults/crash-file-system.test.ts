import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import type { FileHandle, FileSystem } from "../../adapters/file/file-system.js";
import { nodeFileSystem } from "../../adapters/file/node-file-system.js";
import { Random } from "../conformance/random.js";
import { temporaryFolder } from "../support/temporary.js";
import type { CrashState } from "./crash-disk.js";
import { type Call, CrashFileSystem, type CrashFileSystemOptions } from "./crash-file-system.js";
import { systemError } from "./system-error.js";

const path = "/data/file";
const bytes = (text: string) => Buffer.from(text, "latin1");
const text = (content: Uint8Array | undefined) =>
	content === undefined ? undefined : Buffer.from(content).toString("latin1");

async function file(content: string, options: CrashFileSystemOptions = {}) {
	const disk = new CrashFileSystem(options);
	disk.put(path, bytes(content));
	return { disk, handle: await disk.open(path, "r+") };
}

async function write(handle: FileHandle, content: string, position: number): Promise<number> {
	return (await handle.write(bytes(content), 0, content.length, position)).bytesWritten;
}

/** The different contents of the file that a power cut may leave. */
function contents(disk: CrashFileSystem, limit = Number.POSITIVE_INFINITY): Set<string | undefined> {
	return new Set(
		Array.from(disk.crashStates({ limit }), ({ root }) => text(new CrashFileSystem({}, root).content(path))),
	);
}

describe("a power cut", () => {
	it("leaves all synced data", async () => {
		const { disk, handle } = await file("");
		await write(handle, "abc", 0);
		await handle.datasync();
		expect(contents(disk)).toEqual(new Set(["abc"]));
		await handle.truncate(1);
		await handle.sync();
		expect(contents(disk)).toEqual(new Set(["a"]));
	});

	it("leaves any prefix of unsynced data, with nothing, zeros or random bytes after it", async () => {
		const { disk, handle } = await file("ab");
		await write(handle, "cde", 2);
		const found = contents(disk);
		for (const content of ["ab", "abc", "abcd", "abcde", "ab\0\0\0", "abc\0\0", "abcd\0"])
			expect(found).toContain(content);
		const garbage = [...found].filter((content) => !/^ab(c(de?)?)?\0*$/.test(content ?? ""));
		expect(garbage.length).toBeGreaterThan(1);
		expect(garbage.every((content) => content?.startsWith("ab") && content.length === 5)).toBe(true);
	});

	it("leaves overwritten bytes as they were, as they should be, or in between", async () => {
		const { disk, handle } = await file("abcd");
		await write(handle, "XY", 1);
		expect(contents(disk)).toEqual(new Set(["abcd", "aXcd", "aXYd"]));
	});

	it("may lose a truncation and keep the bytes written after it", async () => {
		const { disk, handle } = await file("abcdef");
		await handle.truncate(2);
		await write(handle, "XY", 2);
		const found = contents(disk);
		for (const content of ["abcdef", "ab", "abXY", "abXdef", "abXYef"]) expect(found).toContain(content);
	});

	it("leaves the pages of a write in any order", async () => {
		const { disk, handle } = await file("");
		await write(handle, "a".repeat(512) + "b".repeat(512) + "c".repeat(76), 0);
		const found = contents(disk);
		expect(found).toContain("\0".repeat(512) + "b".repeat(512) + "\0".repeat(76));
		expect(found).toContain("a".repeat(512) + "\0".repeat(512) + "c".repeat(76));
		expect([...found].filter((content) => content?.endsWith("b".repeat(76))).length).toBeGreaterThan(0);
	});

	it("may lose the name of a new file whose data is durable, until the directory is synced", async () => {
		const disk = new CrashFileSystem();
		const handle = await disk.open(path, "wx+");
		await write(handle, "abc", 0);
		await handle.sync();
		expect(contents(disk)).toEqual(new Set([undefined, "abc"]));
		const directory = await disk.open("/data", "r");
		await directory.sync();
		expect(contents(disk)).toEqual(new Set(["abc"]));
	});

	it("may come before or after a rename, and the renamed file may still be empty", async () => {
		const { disk } = await file("old");
		const handle = await disk.open(`${path}.new`, "w");
		await write(handle, "x", 0);
		await disk.rename(`${path}.new`, path);
		const withoutSync = contents(disk);
		expect(withoutSync).toContain("old");
		expect(withoutSync).toContain("");
		await handle.datasync();
		expect(contents(disk)).toEqual(new Set(["old", "x"]));
		await (await disk.open("/data", "r")).sync();
		expect(contents(disk)).toEqual(new Set(["x"]));
		expect(disk.names("/data")).toEqual(["file"]);
	});

	it("keeps the changes of a directory in order, but not in order with the changes of another directory", async () => {
		const disk = new CrashFileSystem({ directories: ["/one", "/two"] });
		for (const name of ["/one/a", "/one/b", "/two/a"]) await disk.open(name, "w");
		const found = new Set(
			Array.from(disk.crashStates(), ({ root }) => {
				const after = new CrashFileSystem({}, root);
				return [...after.names("/one"), ":", ...after.names("/two")].join("");
			}),
		);
		expect(found).toEqual(new Set([":", "a:", "ab:", ":a", "a:a", "ab:a"]));
	});

	it("may bring back a file that was unlinked", async () => {
		const { disk } = await file("abc");
		await disk.unlink(path);
		expect(disk.content(path)).toBeUndefined();
		expect(contents(disk)).toEqual(new Set([undefined, "abc"]));
	});

	it("leaves the disk of its moment, whatever changes later", async () => {
		const { disk, handle } = await file("ab");
		await write(handle, "c", 2);
		const states = disk.crashStates();
		await handle.datasync();
		await write(handle, "d", 3);
		await disk.unlink(path);
		const found = new Set(Array.from(states, ({ root }) => text(new CrashFileSystem({}, root).content(path))));
		expect(found).toContain("ab");
		expect(found).toContain("abc");
		expect([...found].every((content) => content?.length === 2 || content?.length === 3)).toBe(true);
	});

	it("during a sync leaves any part of the covered changes, and the sync doesn't cover later writes", async () => {
		const { disk, handle } = await file("");
		await write(handle, "a", 0);
		const syncing = handle.datasync();
		const writing = write(handle, "b", 1);
		expect(contents(disk)).toContain("");
		await Promise.all([syncing, writing]);
		const found = contents(disk);
		expect(found).toContain("a");
		expect(found).toContain("ab");
		expect(found).not.toContain("");
	});

	it("returns no more states than asked for, the extreme ones among them, and the same ones each time", async () => {
		const { disk, handle } = await file("");
		await write(handle, "x".repeat(5000), 0);
		const describe = () => Array.from(disk.crashStates({ limit: 20 }), (state: CrashState) => state.description);
		const found = describe();
		expect(found).toHaveLength(20);
		expect(found.slice(0, 2)).toEqual(["0 of 5000 bytes, the rest absent", "5000 of 5000 bytes, the rest absent"]);
		expect(describe()).toEqual(found);
	});
});

describe("a call that fails", () => {
	it("has no effect, and the fault function gets the call", async () => {
		const { disk, handle } = await file("ab");
		const seen: Call[] = [];
		disk.failOn((call) => {
			seen.push(call);
			return systemError("EIO", call.type, call.path);
		});
		await expect(handle.write(bytes("xc"), 1, 1, 2)).rejects.toMatchObject({ code: "EIO", syscall: "write" });
		await expect(handle.truncate(1)).rejects.toMatchObject({ code: "EIO" });
		await expect(disk.open("/data/other", "w")).rejects.toMatchObject({ code: "EIO" });
		await expect(disk.rename(path, "/data/other")).rejects.toMatchObject({ code: "EIO" });
		await expect(disk.unlink(path)).rejects.toMatchObject({ code: "EIO" });
		expect(seen.map(({ index, type }) => [index, type])).toEqual([
			[1, "write"],
			[2, "truncate"],
			[3, "open"],
			[4, "rename"],
			[5, "unlink"],
		]);
		expect(seen[0]).toEqual({ index: 1, type: "write", path, offset: 2, length: 1 });
		expect(disk.calls.slice(1)).toEqual(seen);
		expect(disk.names("/data")).toEqual(["file"]);
		expect(text(disk.content(path))).toBe("ab");
	});

	it("still closes a file", async () => {
		const { disk, handle } = await file("");
		disk.failOn(() => systemError("EIO", "close", path));
		expect(disk.openHandles.size).toBe(1);
		await expect(handle.close()).rejects.toMatchObject({ code: "EIO" });
		expect(disk.openHandles.size).toBe(0);
		disk.failOn(() => undefined);
		await expect(handle.stat()).rejects.toMatchObject({ code: "EBADF" });
	});

	it("may read or write a part", async () => {
		const { disk, handle } = await file("abcde");
		disk.failOn(() => "short");
		expect(await write(handle, "XYZ", 0)).toBe(2);
		expect(await handle.read(Buffer.alloc(5), 0, 5, 0)).toEqual({ bytesRead: 3 });
		expect(text(disk.content(path))).toBe("XYcde");
	});

	describe.each(["keeps", "drops"] as const)("as a sync that %s the bytes it didn't write", (failedSync) => {
		it("loses them for good, although later syncs succeed", async () => {
			const { disk, handle } = await file("a", { failedSync });
			await write(handle, "b", 1);
			disk.failOn(() => systemError("EIO", "datasync", path));
			await expect(handle.datasync()).rejects.toMatchObject({ code: "EIO" });
			disk.failOn(() => undefined);
			expect(text(disk.content(path))).toBe(failedSync === "keeps" ? "ab" : "a");
			await handle.datasync();
			expect(contents(disk)).toEqual(new Set(["a"]));
			await write(handle, "c", 2);
			await handle.datasync();
			expect(text(disk.content(path))).toBe(failedSync === "keeps" ? "abc" : "a\0c");
			expect(contents(disk)).toEqual(new Set(["a\0c"]));
		});

		it("may have written half of them", async () => {
			const { disk, handle } = await file("a", { failedSync });
			await write(handle, "bc", 1);
			await write(handle, "de", 3);
			disk.failOn(() => "short");
			await expect(handle.sync()).rejects.toMatchObject({ code: "EIO" });
			expect(contents(disk)).toEqual(new Set(["abc"]));
			expect(text(disk.content(path))).toBe(failedSync === "keeps" ? "abcde" : "abc");
		});
	});

	it("as the sync of a directory leaves the changes to a later one", async () => {
		const disk = new CrashFileSystem();
		await disk.open(path, "w");
		const directory = await disk.open("/data", "r");
		disk.failOn(() => systemError("EIO", "sync", "/data"));
		await expect(directory.sync()).rejects.toMatchObject({ code: "EIO" });
		expect(contents(disk)).toEqual(new Set([undefined, ""]));
		disk.failOn(() => undefined);
		await directory.sync();
		expect(contents(disk)).toEqual(new Set([""]));
	});
});

describe("a killed process", () => {
	it("waits forever, and leaves its writes to the next process", async () => {
		const { disk, handle } = await file("a");
		await write(handle, "b", 1);
		disk.killAt(disk.calls.length + 1);
		const settled: string[] = [];
		void write(handle, "c", 2).then(() => settled.push("write"));
		void handle.datasync().finally(() => settled.push("sync"));
		void disk.unlink(path).finally(() => settled.push("unlink"));
		await disk.killed;
		await pause(5);
		expect(settled).toEqual([]);
		const next = disk.afterKill();
		expect(text(next.content(path))).toBe("abc");
		expect(next.names("/data")).toEqual(["file"]);
		expect(contents(next)).toContain("a");
		await (await next.open(path, "r")).datasync();
		expect(contents(next)).toEqual(new Set(["abc"]));
	});

	it("may have half written", async () => {
		const { disk, handle } = await file("");
		disk.killAt(disk.calls.length, "half");
		void write(handle, "abcd", 0);
		await disk.killed;
		expect(text(disk.afterKill().content(path))).toBe("ab");
	});
});

describe("a crash file system", () => {
	it("behaves like the real one, error for error", async () => {
		const directory = temporaryFolder();
		for (let seed = 1; seed <= 60; seed++) {
			const place = join(directory, String(seed));
			await mkdir(place);
			const expected = await outcomes(nodeFileSystem, place, seed);
			const actual = await outcomes(new CrashFileSystem({ directories: [place] }), place, seed);
			expect(actual, `seed ${seed}`).toEqual(expected);
		}
	});

	it("refuses a buffer that changes while it is written", async () => {
		const { handle } = await file("");
		const buffer = bytes("abc");
		const writing = handle.write(buffer, 0, 3, 0);
		buffer[1] = 0;
		await expect(writing).rejects.toThrow("changed");
	});
});

/** Makes random calls and records the outcome of each. */
async function outcomes(fileSystem: FileSystem, directory: string, seed: number): Promise<unknown[]> {
	const random = new Random(seed);
	const names = ["a", "b", "c", "missing/d", "a/e", "."];
	const somePath = () => `${directory}/${random.pick(names)}`;
	const handles: FileHandle[] = [];
	const noted: unknown[] = [];
	const note = async (name: string, result: () => Promise<unknown>) => {
		noted.push([name, await result().catch((error: NodeJS.ErrnoException) => error.code)]);
	};
	for (let step = 0; step < 60; step++) {
		const handle = handles[random.below(handles.length + 1)];
		const kind = random.below(handle === undefined ? 4 : 10);
		if (kind === 0 || kind === 1) {
			const flags = random.pick(["r", "r+", "w", "wx", "w+", "wx+", "a", "a+", "ax+"]);
			await note(`open ${flags}`, async () => void handles.push(await fileSystem.open(somePath(), flags)));
		} else if (kind === 2) {
			// Systems return different errors for the name `.` here.
			const other = () => `${directory}/${random.pick(names.slice(0, -1))}`;
			await note("rename", () => fileSystem.rename(other(), other()));
		} else if (kind === 3 && random.happens(0.5)) {
			await note("stat", async () => {
				const stat = fileSystem.lstatSync(somePath());
				return stat && [stat.isFile(), stat.isFile() ? [stat.size, stat.nlink] : 0];
			});
		} else if (kind === 3) {
			await note("unlink", () => fileSystem.unlink(somePath()));
		} else if (handle === undefined) continue;
		else if (kind === 4 || kind === 5) {
			const content = bytes(random.pick(["", "x", "yz", "longer"]));
			await note("write", async () => {
				return (await handle.write(content, 0, content.length, random.below(12))).bytesWritten;
			});
		} else if (kind === 6) {
			const buffer = Buffer.alloc(8);
			await note("read", async () => (await handle.read(buffer, 1, 7, random.below(12))).bytesRead);
			noted.push(buffer.toString("latin1"));
		} else if (kind === 7) await note("truncate", () => handle.truncate(random.below(12)));
		else if (kind === 8) await note("sync", () => (random.happens(0.5) ? handle.sync() : handle.datasync()));
		else {
			await note("stat", async () => {
				const stat = await handle.stat();
				return [stat.isFile(), stat.isFile() ? [stat.size, stat.nlink] : 0];
			});
			if (random.happens(0.3)) await note("close", () => handle.close());
		}
	}
	for (const handle of handles) await handle.close();
	return noted;
}
