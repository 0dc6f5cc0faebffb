import {
	appendFile,
	copyFile,
	link,
	mkdir,
	readdir,
	readFile,
	rename,
	stat,
	symlink,
	truncate,
	unlink,
	utimes,
	writeFile,
} from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { nodeFileSystem } from "../../../adapters/file/node-file-system.js";
import { createFileStorage, openFileStorage } from "../../../adapters/file.js";
import { OutlineError } from "../../../src/errors.js";
import type { Outline } from "../../../src/outline.js";
import { codeOf, newOutline, picture } from "../../support/outline.js";
import { temporaryFolder } from "../../support/temporary.js";

let directory: string;
let path: string;
let backup: string;
let outline: Outline;

const open = (options = {}, place = path) => newOutline({ storage: createFileStorage(place, options) });

/** Commits and returns the error. */
async function refusal(): Promise<OutlineError> {
	const error = await outline.create({ name: "refused" }).catch((thrown: unknown) => thrown);
	expect(error).toBeInstanceOf(OutlineError);
	return error as OutlineError;
}

beforeEach(async () => {
	directory = temporaryFolder();
	path = join(directory, "folder", "outline.jsonl");
	backup = join(directory, "backup.jsonl");
	await mkdir(join(directory, "folder"));
	outline = open();
	await outline.create({ name: "old", position: "bottom" });
	await outline.close();
	await copyFile(path, backup);
	outline = open();
	await outline.create({ name: "one", position: "bottom" });
});
afterEach(() => outline.close());

/**
 * The changes by another program, the words for it in the message, and the content of the path afterwards.
 */
const changes: Record<string, readonly [change: () => Promise<unknown>, called: string, then: string | RegExp]> = {
	"replaced by a rename, as by editors and tools that synchronise": [() => rename(backup, path), "replaced", "old"],
	deleted: [() => unlink(path), "deleted", ""],
	"moved away": [() => rename(path, join(directory, "elsewhere.jsonl")), "moved away", ""],
	"moved away, with a symbolic link in its place": [
		async () => {
			await rename(path, join(directory, "elsewhere.jsonl"));
			await symlink(join(directory, "elsewhere.jsonl"), path);
		},
		"replaced",
		"old\none",
	],
	"moved away with its directory": [
		async () => {
			await rename(join(directory, "folder"), join(directory, "other"));
			await mkdir(join(directory, "folder"));
		},
		"moved away",
		"",
	],
	"overwritten in place by a shorter one": [() => copyFile(backup, path), "cut off", "old"],
	"overwritten in place by a longer one": [
		async () => {
			const longer = open({}, backup);
			for (let count = 0; count < 9; count++) await longer.create({ name: "l", position: "bottom" });
			await longer.close();
			await copyFile(backup, path);
		},
		"appended to",
		`old${"\nl".repeat(9)}`,
	],
	"overwritten in place by one of the same size": [
		async () => {
			const content = await readFile(path, "latin1");
			await writeFile(path, content.replace('"one"', '"eno"'));
			// The system's clock for files may not have advanced in between.
			await utimes(path, 1_000_000_000, 1_000_000_000);
		},
		"overwritten",
		// For the storage, a damaged last line was never acknowledged.
		"old",
	],
	"cut off": [() => truncate(path, 300), "cut off", /storage_corrupt|^$|^old$/],
	emptied: [() => truncate(path, 0), "cut off", "storage_corrupt"],
	"appended to": [() => appendFile(path, "x\n"), "appended to", "old\none"],
};

describe.each(Object.entries(changes))("a file that is %s while it is open", (_, [change, called, then]) => {
	test("is refused further commits with the same error, and is still shown", async () => {
		await change();
		const { code, message } = await refusal();
		expect(code).toBe("storage_unavailable");
		expect(message).toContain(`outline.jsonl has been ${called}`);
		expect(message).toContain("Close the storage and open the path again");
		expect((await refusal()).message).toBe(message);
		expect((await Promise.all([refusal(), refusal()])).map((error) => error.message)).toEqual([message, message]);
		expect(await picture(outline)).toBe("old\none");
	});

	test("is not touched by refused commits or by closing", async () => {
		await change();
		const content = async () =>
			Promise.all(
				(await readdir(directory, { recursive: true })).sort().map(async (name) => {
					if (!(await stat(join(directory, name))).isFile()) return name;
					return [name, await readFile(join(directory, name), "latin1")];
				}),
			);
		const withoutLock = (entries: unknown[]) => entries.filter((entry) => !String(entry).includes(".lock-"));
		const before = withoutLock(await content());
		await refusal();
		await outline.close();
		expect(withoutLock(await content())).toEqual(before);
	});

	test("is not touched by closing alone, even if a snapshot is due", async () => {
		const due = open({ compactAfter: 1 });
		await outline.close();
		outline = due;
		// The first commit brings a snapshot; the second makes one due on closing.
		for (let count = 0; count < 5; count++) await outline.create({ name: "x".repeat(300), position: "bottom" });
		await change();
		const before = await readFile(path, "latin1").catch(() => undefined);
		await outline.close();
		expect(await readFile(path, "latin1").catch(() => undefined)).toBe(before);
	});

	test("releases the path at once: a new storage opens the file that is there now", async () => {
		await change();
		await refusal();
		const again = open();
		const found = await picture(again).catch(({ code }: OutlineError) => code);
		expect(found).toMatch(then);
		if (typeof then === "string") expect(found).toBe(then);
		if (!/^storage_/.test(found)) {
			await again.create({ name: "new", position: "bottom" });
			expect(await picture(again)).toBe(found === "" ? "new" : `${found}\nnew`);
		}
		expect((await refusal()).code).toBe("storage_unavailable");
		expect(await picture(outline)).toBe("old\none");
		await again.close();
	});

	test("is opened in its present state by a new storage, even if no commit has noticed the change", async () => {
		await change();
		const again = open();
		const found = await picture(again).catch(({ code }: OutlineError) => code);
		if (typeof then === "string") expect(found).toBe(then);
		await again.close();
		expect((await refusal()).code).toBe("storage_unavailable");
	});
});

describe("a file with unchanged content", () => {
	test("accepts commits after its time has been set, as by touch and backup programs", async () => {
		for (let round = 0; round < 3; round++) {
			await utimes(path, 1_000_000_000 + round, 1_000_000_000 + round);
			await outline.create({ name: `${round}`, position: "bottom" });
		}
		expect(await picture(outline)).toBe("old\none\n0\n1\n2");
	});

	test("accepts commits after it was moved away and back, or written again with the same bytes", async () => {
		await rename(path, `${path}.moved`);
		await rename(`${path}.moved`, path);
		await outline.create({ name: "two", position: "bottom" });
		await writeFile(path, await readFile(path));
		await outline.create({ name: "three", position: "bottom" });
		await outline.close();
		const again = open();
		expect(await picture(again)).toBe("old\none\ntwo\nthree");
		await again.close();
	});

	test("accepts commits while a backup program reads, links and copies it", async () => {
		await link(path, join(directory, "hourly"));
		await copyFile(join(directory, "hourly"), join(directory, "copy"));
		await outline.create({ name: "two", position: "bottom" });
		await unlink(join(directory, "hourly"));
		await outline.create({ name: "three", position: "bottom" });
		expect(await picture(outline)).toBe("old\none\ntwo\nthree");
	});
});

test("a commit after the file was moved isn't in the moved file, even if it was written there already", async () => {
	const moved = join(directory, "moved.jsonl");
	const creating = Array.from({ length: 300 }, (_, number) => codeOf(outline.create({ name: `${number}` })));
	await rename(path, moved);
	const codes = await Promise.all(creating);
	const acknowledged = codes.filter((code) => code === undefined).length;
	const found = open({}, moved);
	expect((await found.list()).nodes.length).toBe(2 + acknowledged);
	await found.close();
});

describe("a file whose lock file was deleted", () => {
	/** Opens the file as another process: no lock prevents it. */
	const openByAnother = () => {
		const lock = async () => ({ path, release: async () => {} });
		return newOutline({ storage: openFileStorage(path, {}, { fileSystem: nodeFileSystem, lock }) });
	};

	test("refuses commits of the process that had the lock, once another process has written", async () => {
		const other = openByAnother();
		await other.create({ name: "theirs", position: "bottom" });
		expect((await refusal()).message).toContain("appended to by another program");
		await outline.close();
		await other.create({ name: "more", position: "bottom" });
		await other.close();
		outline = open();
		expect(await picture(outline)).toBe("old\none\ntheirs\nmore");
	});

	test("accepts commits from the first process that writes, and refuses the other", async () => {
		const other = openByAnother();
		expect(await picture(other)).toBe("old\none");
		await outline.create({ name: "ours", position: "bottom" });
		expect(await codeOf(other.create({ name: "theirs" }))).toBe("storage_unavailable");
		await other.close();
		await outline.create({ name: "more", position: "bottom" });
		expect(await picture(outline)).toBe("old\none\nours\nmore");
	});
});

describe("a file with a second name", () => {
	test("is refused under both names, and the message says what to do", async () => {
		await outline.close();
		await link(path, join(directory, "link.jsonl"));
		for (const place of [path, join(directory, "link.jsonl")]) {
			const error = await open({}, place)
				.list()
				.catch((thrown: unknown) => thrown);
			expect(error).toMatchObject({
				code: "storage_unavailable",
				message: expect.stringContaining("2 names (hard links)"),
			});
		}
		await unlink(join(directory, "link.jsonl"));
		outline = open();
		expect(await picture(outline)).toBe("old\none");
	});

	test("is refused if it got the name while it was open", async () => {
		await link(path, join(directory, "link.jsonl"));
		expect(await codeOf(open({}, join(directory, "link.jsonl")).list())).toBe("storage_unavailable");
		await outline.create({ name: "two", position: "bottom" });
	});
});
