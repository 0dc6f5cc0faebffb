import { copyFile, mkdir, readdir, readFile, rename, symlink, unlink } from "node:fs/promises";
import { join, relative } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { lockFile } from "../../../adapters/file/lock.js";
import type { SharedFile } from "../../../adapters/file/shared-storage.js";
import { createFileStorage } from "../../../adapters/file.js";
import { OutlineError } from "../../../src/errors.js";
import type { OutlineEvent } from "../../../src/index.js";
import type { StorageAdapter } from "../../../src/storage.js";
import { adding } from "../../support/batches.js";
import { codeOf, newOutline, picture } from "../../support/outline.js";
import { standaloneProgram } from "../../support/program.js";
import { temporaryFolder } from "../../support/temporary.js";

let directory: string;
let path: string;
const opened: StorageAdapter[] = [];

function storageAt(place = path, options = {}): StorageAdapter {
	const storage = createFileStorage(place, options);
	opened.push(storage);
	return storage;
}

const outlineAt = (place = path) => newOutline({ storage: storageAt(place) });

/** The open files of this thread. */
function registry(): Map<string, SharedFile> {
	const holder = globalThis as { [key: symbol]: Map<string, SharedFile> | undefined };
	return holder[Symbol.for("outlinekit.open-files.1")] ?? new Map();
}

const filesOf = () => [...registry().keys()].filter((place) => place.startsWith(directory));

beforeEach(() => {
	directory = temporaryFolder();
	path = join(directory, "outline.jsonl");
});
afterEach(async () => {
	await Promise.all(opened.splice(0).map((storage) => storage.close()));
	expect(filesOf()).toEqual([]);
});

describe("several storages on one file", () => {
	test("share it: each commits, and reads and hears the commits of the other ones", async () => {
		const outlines = [outlineAt(), outlineAt(), outlineAt()];
		const heard: OutlineEvent[][] = outlines.map(() => []);
		for (const [place, outline] of outlines.entries()) outline.subscribe((event) => heard[place]!.push(event));
		await Promise.all(outlines.map((outline) => outline.list()));
		for (const [place, outline] of outlines.entries()) await outline.create({ name: `${place}`, position: "bottom" });
		for (const outline of outlines) expect(await picture(outline)).toBe("0\n1\n2");
		for (const [place, events] of heard.entries()) {
			expect(events.map(({ revision }) => revision)).toEqual([1, 2, 3]);
			expect(events.map(({ source }) => source)).toEqual(
				outlines.map((_, other) => (other === place ? "local" : "remote")),
			);
		}
	});

	test("share it by relative paths and symbolic links, used for the first time at once, before it exists and after", async () => {
		await mkdir(join(directory, "inner"));
		await symlink(directory, join(directory, "inner", "link"));
		await symlink(path, join(directory, "absolute"));
		await symlink("./inner/../outline.jsonl", join(directory, "relative"));
		const places = [
			join(directory, "relative"),
			path,
			relative(process.cwd(), path),
			join(directory, "inner", "link", "outline.jsonl"),
			join(directory, "absolute"),
		];
		for (let round = 0; round < 2; round++) {
			const outlines = places.map(outlineAt);
			await Promise.all(outlines.map((outline) => outline.create({ name: "x" })));
			for (const outline of outlines) expect((await outline.list()).nodes.length).toBe(places.length * (round + 1));
			expect(filesOf()).toHaveLength(1);
			await Promise.all(outlines.map((outline) => outline.close()));
		}
		expect(await readdir(directory)).toEqual(["absolute", "inner", "outline.jsonl", "relative"]);
	});

	test("leave it open until the last one is closed, in any order", async () => {
		const [first, second, third] = [outlineAt(), outlineAt(), outlineAt()];
		await first.create({ name: "a", position: "bottom" });
		await second.create({ name: "b", position: "bottom" });
		await first.close();
		expect(await codeOf(first.list())).toBe("closed");
		await second.create({ name: "c", position: "bottom" });
		expect(await picture(third)).toBe("a\nb\nc");
		await second.close();
		expect(await codeOf(lockFile(path))).toBe("storage_unavailable");
		await third.create({ name: "d", position: "bottom" });
		await third.close();
		expect(await readdir(directory)).toEqual(["outline.jsonl"]);
		expect(await readFile(path, "utf8")).toMatch(/"synced":4\}\n$/);
	});

	test("are opened while another one closes it, again and again, and lose nothing", async () => {
		let count = 0;
		let closing: Promise<unknown> = Promise.resolve();
		for (let round = 0; round < 30; round++) {
			const outline = outlineAt();
			const creating = outline.create({ name: `${round}` });
			if (round % 3 === 0) await closing;
			await creating;
			count += 1;
			expect((await outline.list()).nodes.length).toBe(count);
			closing = outline.close();
		}
		await closing;
		expect(filesOf()).toEqual([]);
	});

	test("peek at each other's commits at once, and at nothing before they have joined or after they have left", async () => {
		const [first, second] = [storageAt(), storageAt()];
		await first.read([]);
		expect(second.peek!([])).toBeUndefined();
		await second.read([]);
		const committing = first.commit(adding(1, 0));
		expect(second.peek!([])).toEqual({ revision: 1, durable: false, results: [] });
		await committing;
		expect(second.peek!([])).toEqual({ revision: 1, durable: true, results: [] });
		await second.close();
		expect(second.peek!([])).toBeUndefined();
		expect(first.peek!([])).toBeDefined();
	});

	test("end only their own watches and scans when closed, and wait only for their own commits", async () => {
		const [first, second] = [storageAt(), storageAt()];
		await Promise.all([first.read([]), second.read([])]);
		const heard: string[] = [];
		first.watch!(({ revision }) => heard.push(`first ${revision}`));
		second.watch!(({ revision }) => heard.push(`second ${revision}`));
		await first.commit(adding(1, 0));
		const scan = first.scan()[Symbol.asyncIterator]();
		const otherScan = second.scan()[Symbol.asyncIterator]();
		let settled = false;
		const committing = first.commit(adding(2, 1)).then(() => {
			settled = true;
		});
		await first.close();
		expect(settled).toBe(true);
		await committing;
		expect(await codeOf(scan.next())).toBe("closed");
		expect((await otherScan.next()).value).toHaveLength(2);
		await second.commit(adding(3, 2));
		expect(heard).toEqual(["first 1", "second 1", "first 2", "second 2", "second 3"]);
		expect(await codeOf(first.commit(adding(4, 3)))).toBe("closed");
	});

	test("are notified of commits that come while they are opening, even if they began to watch meanwhile", async () => {
		const first = storageAt();
		await first.read([]);
		const second = storageAt();
		const heard: string[] = [];
		second.watch!(({ revision }) => heard.push(`before ${revision}`));
		const reading = second.read([]);
		await Promise.resolve();
		second.watch!(({ revision }) => heard.push(`meanwhile ${revision}`));
		const { revision } = await reading;
		for (let base = revision; base < 3; base++) await first.commit(adding(base + 1, base));
		expect(heard.filter((each) => each.startsWith("meanwhile"))).toEqual(["meanwhile 1", "meanwhile 2", "meanwhile 3"]);
		expect(heard.filter((each) => each.startsWith("before"))).toEqual(["before 1", "before 2", "before 3"]);
	});

	test("pass on that a listener reads only revisions, so that no detail is computed for it", async () => {
		const storage = storageAt();
		const details: boolean[] = [];
		storage.watch!(({ detail }) => details.push(detail !== undefined), false);
		await storage.commit(adding(1, 0));
		const stop = storage.watch!(() => {});
		await storage.commit(adding(2, 1));
		stop();
		await storage.commit(adding(3, 2));
		expect(details).toEqual([false, true, false]);
	});

	test("use the snapshot size of the first one", async () => {
		const first = newOutline({ storage: storageAt(path, { compactAfter: 2 ** 30 }) });
		await first.create({ name: "x" });
		const second = newOutline({ storage: storageAt(path, { compactAfter: 1 }) });
		for (let count = 0; count < 10; count++) await second.create({ name: "x".repeat(1_000) });
		await Promise.all([first.close(), second.close()]);
		expect(JSON.parse((await readFile(path, "utf8")).split("\n")[0]!).revision).toBe(0);
	});
});

describe("a storage whose file can't be opened", () => {
	test("retries at the next use, for each storage that uses it", async () => {
		const place = join(directory, "missing", "outline.jsonl");
		const [first, second] = [outlineAt(place), outlineAt(place)];
		expect(await Promise.all([codeOf(first.list()), codeOf(second.list())])).toEqual([
			"storage_unavailable",
			"storage_unavailable",
		]);
		expect(filesOf()).toEqual([]);
		await mkdir(join(directory, "missing"));
		await Promise.all([first.create({ name: "a" }), second.create({ name: "b" })]);
		expect((await first.list()).nodes.length).toBe(2);
	});

	test("opens the file that its path then leads to", async () => {
		const lock = await lockFile(path);
		const outline = outlineAt();
		expect(await codeOf(outline.list())).toBe("storage_unavailable");
		await symlink(join(directory, "other.jsonl"), path);
		await outline.create({ name: "x" });
		await lock.release();
		expect((await readdir(directory)).sort()).toContain("other.jsonl");
	});

	test("leaves nothing open if it is closed while it opens", async () => {
		const storage = storageAt();
		const reading = codeOf(storage.read([]));
		await storage.close();
		expect([undefined, "closed"]).toContain(await reading);
		expect(filesOf()).toEqual([]);
		expect((await readdir(directory)).filter((name) => name.includes("lock"))).toEqual([]);
	});
});

describe("storages on a file that has been replaced", () => {
	test("still show it until they are closed, while new ones share the present file", async () => {
		const [first, second] = [outlineAt(), outlineAt()];
		await first.create({ name: "old", position: "bottom" });
		await copyFile(path, `${path}.backup`);
		await second.create({ name: "lost", position: "bottom" });
		await rename(`${path}.backup`, path);
		expect(await codeOf(first.create({ name: "refused" }))).toBe("storage_unavailable");
		const [third, fourth] = [outlineAt(), outlineAt()];
		await third.create({ name: "new", position: "bottom" });
		await fourth.create({ name: "newer", position: "bottom" });
		expect(await picture(first)).toBe("old\nlost");
		expect(await picture(second)).toBe("old\nlost");
		expect(await codeOf(second.create({ name: "refused" }))).toBe("storage_unavailable");
		for (const outline of [third, fourth]) expect(await picture(outline)).toBe("old\nnew\nnewer");
		await first.close();
		await second.close();
		await third.create({ name: "newest", position: "bottom" });
		expect(await picture(fourth)).toBe("old\nnew\nnewer\nnewest");
	});

	test("are noticed by new ones that come all at once, which then open the present file once", async () => {
		const first = outlineAt();
		await first.create({ name: "old" });
		await unlink(path);
		const outlines = Array.from({ length: 10 }, () => outlineAt());
		await Promise.all(outlines.map((outline) => outline.create({ name: "new" })));
		for (const outline of outlines) expect((await outline.list()).nodes.length).toBe(10);
		expect(await picture(first)).toBe("old");
	});
});

describe("copies of the package", () => {
	/** Evaluates the modules again, as a development server does after a change. */
	async function copy() {
		vi.resetModules();
		const [file, core] = await Promise.all([import("../../../adapters/file.js"), import("../../../src/index.js")]);
		expect(file.createFileStorage).not.toBe(createFileStorage);
		return { ...file, ...core };
	}

	test("share the file, as after a hot reload, and each throws errors of its own class", async () => {
		const first = outlineAt();
		await first.create({ name: "before", position: "bottom" });
		const second = await copy();
		const storage = second.createFileStorage(path);
		opened.push(storage);
		const outline = new second.Outline({ storage });
		await outline.create({ name: "after", position: "bottom" });
		for (const each of [first, outline]) {
			const { nodes } = await each.list();
			expect(nodes.map(({ name }) => name)).toEqual(["before", "after"]);
		}
		const large = storage.commit(adding(1, 99)).catch((error: unknown) => error);
		expect(await large).toBeInstanceOf(second.OutlineError);
		expect(await large).toMatchObject({ code: "conflict" });
		await unlink(path);
		const lost = outline.create({ name: "lost" }).catch((error: unknown) => error);
		expect(await lost).toBeInstanceOf(second.OutlineError);
		expect(await first.create({ name: "lost" }).catch((error: unknown) => error)).toBeInstanceOf(OutlineError);
	});

	test("open it again after the copy that had opened it was closed", async () => {
		const first = outlineAt();
		await first.create({ name: "a", position: "bottom" });
		const second = await copy();
		const storage = second.createFileStorage(path);
		opened.push(storage);
		const outline = new second.Outline({ storage });
		await outline.list();
		await first.close();
		await outline.create({ name: "b", position: "bottom" });
		await outline.close();
		expect(await picture(outlineAt())).toBe("a\nb");
	});
});

describe("another thread of the process", () => {
	const program = standaloneProgram("test/adapters/file/shared-program.ts");

	test("is refused with a message that says so", async () => {
		const child = program.start([path]);
		expect(await child.line()).toMatch(/^storage_unavailable .* is open in another thread of this process/);
		expect(await child.line()).toBe("one, other");
		expect(await child.ended).toMatchObject({ code: 0, errors: "" });
	});
});
