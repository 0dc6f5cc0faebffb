import { lstat, mkdir, readdir, readFile, rename, stat, symlink, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { createFileStorage } from "../../../adapters/file.js";
import { OutlineError } from "../../../src/errors.js";
import { fileOf } from "../../src/exchange/files.js";
import { codeOf, exported, newOutline, picture } from "../../support/outline.js";
import { temporaryFolder } from "../../support/temporary.js";

let directory: string;
let path: string;
beforeEach(() => {
	directory = temporaryFolder();
	path = join(directory, "outline.jsonl");
});

const open = (options = {}) => newOutline({ storage: createFileStorage(path, options) });

/** Opens the file, creates nodes with snapshots now and then, and closes it. */
async function fill(count: number): Promise<void> {
	const outline = open({ compactAfter: 300 });
	for (let made = 0; made < count; made++) await outline.create({ name: "x" });
	await outline.close();
}

/** The number of nodes in the file. */
async function nodeCount(): Promise<number> {
	const outline = open();
	const { length } = await exported(outline);
	await outline.close();
	return length;
}

/** Writes and closes a file with `count` nodes, each in its own commit and flush. */
async function written(count: number, close = true): Promise<string[]> {
	const outline = open();
	for (let index = 0; index < count; index++) await outline.create({ name: `node ${index}`, position: "bottom" });
	await outline.close();
	const lines = (await readFile(path, "utf8")).split("\n").slice(0, -1);
	expect(lines.length).toBe(count + 2);
	if (close) return lines;
	await writeFile(path, `${lines.slice(0, -1).join("\n")}\n`);
	return lines.slice(0, -1);
}

/** Expects that opening fails with the code and leaves every byte of the file as it was. */
async function expectRefused(code: string, mention: RegExp): Promise<void> {
	const before = await readFile(path);
	const outline = open();
	const error = await outline.list().catch((thrown: unknown) => thrown);
	expect(error).toBeInstanceOf(OutlineError);
	expect(error).toMatchObject({ code, message: expect.stringMatching(mention) });
	expect(await codeOf(outline.create({ name: "x" }))).toBe(code);
	await outline.close();
	expect(await readFile(path)).toEqual(before);
	expect(await readdir(directory)).toEqual(["outline.jsonl"]);
}

describe("the file", () => {
	test("is text, a line for each commit", async () => {
		const outline = open();
		await outline.create({ name: "# Äpfel & <b>Birnen</b> \u{1f34f}", note: "two\nlines" });
		await outline.close();
		const text = await readFile(path, "utf8");
		expect(text).toContain("Äpfel &amp; <b>Birnen</b> \u{1f34f}");
		for (const line of text.split("\n").slice(0, -1)) expect(JSON.parse(line)).toHaveProperty("crc32");
	});

	test("is readable by its owner only, and keeps its mode when a snapshot replaces it", async () => {
		const outline = open({ compactAfter: 500 });
		await outline.create({ name: "x" });
		expect((await stat(path)).mode & 0o777).toBe(0o600);
		for (let index = 0; index < 20; index++) await outline.create({ name: "x" });
		await outline.close();
		expect(JSON.parse((await readFile(path, "utf8")).split("\n")[0]!).revision).toBeGreaterThan(10);
		expect((await stat(path)).mode & 0o777).toBe(0o600);
		expect(await readdir(directory)).toEqual(["outline.jsonl"]);
		expect(await nodeCount()).toBe(21);
	});

	test("holds a snapshot of long texts in blocks of a bounded length", async () => {
		const outline = open({ compactAfter: 10_000_000 });
		const note = "n".repeat(900_000);
		for (let index = 0; index < 24; index++) await outline.create({ name: `${index}`, note });
		await outline.close();
		const lines = (await readFile(path, "utf8")).split("\n");
		const blocks = lines.filter((line) => line.slice(20).startsWith('"id":'));
		expect(blocks.length).toBeGreaterThan(1);
		for (const line of blocks) expect(line.length).toBeLessThan(6_000_000);
		const again = open();
		expect((await again.list()).nodes.filter((node) => node.note === note).length).toBe(24);
		await again.close();
	});

	test("grows by the changed fields, not by the whole node", async () => {
		const outline = open();
		const { id } = await outline.create({ name: "x".repeat(100_000) });
		const { size } = await stat(path);
		await outline.complete(id);
		await outline.move(id, { parent: "today" });
		expect((await stat(path)).size - size).toBeLessThan(2000);
		await outline.close();
	});

	test("may be opened through a symbolic link, which stays a link", async () => {
		await mkdir(join(directory, "real"));
		await fill(1);
		await rename(path, join(directory, "real", "outline.jsonl"));
		await symlink(join(directory, "real", "outline.jsonl"), path);
		await fill(20);
		expect(await readdir(directory)).toEqual(["outline.jsonl", "real"]);
		expect((await stat(join(directory, "real", "outline.jsonl"))).size).toBeGreaterThan(1000);
	});

	test("is created at the target of a symbolic link", async () => {
		await mkdir(join(directory, "real"));
		await symlink(join("real", "outline.jsonl"), path);
		await fill(1);
		expect(await readdir(join(directory, "real"))).toEqual(["outline.jsonl"]);
		expect((await lstat(path)).isSymbolicLink()).toBe(true);
	});

	test("leaves other files beside it alone, whatever their names", async () => {
		const neighbours = [
			"outline.jsonl.new",
			"outline.jsonl.tmp",
			"outline.jsonl.lock",
			"outline.jsonl~",
			".outline.jsonl",
		];
		for (const name of neighbours) await writeFile(join(directory, name), "mine");
		await fill(20);
		expect((await readdir(directory)).sort()).toEqual([...neighbours, "outline.jsonl"].sort());
		for (const name of neighbours) expect(await readFile(join(directory, name), "utf8")).toBe("mine");
	});

	test.each([
		["a name of 255 bytes", "n".repeat(255)],
		["a name of 255 bytes in wide characters", `${"ü".repeat(127)}n`],
		["a name just too long for a suffix", "n".repeat(241)],
	])("may have %s, with snapshots", async (_, name) => {
		path = join(directory, name);
		await fill(20);
		expect(await readdir(directory)).toEqual([name]);
		expect(JSON.parse((await readFile(path, "utf8")).split("\n")[0]!).revision).toBeGreaterThan(10);
		expect(await nodeCount()).toBe(20);
	});
});

describe("a torn tail is cut off", () => {
	test("at any byte of the last line", async () => {
		const lines = await written(4, false);
		const whole = await readFile(path);
		const kept = whole.length - Buffer.byteLength(lines.at(-1)!) - 1;
		for (let end = kept; end < whole.length; end += 7) {
			await writeFile(path, whole.subarray(0, end));
			const outline = open();
			expect(await picture(outline)).toBe("node 0\nnode 1\nnode 2");
			await outline.create({ name: "after", position: "bottom" });
			await outline.close();
			const again = open();
			expect(await picture(again)).toBe("node 0\nnode 1\nnode 2\nafter");
			await again.close();
		}
	});

	test.each([
		["zeros", Buffer.alloc(5000)],
		["garbage", Buffer.from(Array.from({ length: 3000 }, (_, index) => (index * 7919) % 256))],
		["lines of garbage", Buffer.from('{"crc32":"00000000","revision":9}\n\n\n{"x":1}\n')],
		["half a line", Buffer.from('{"crc32":"')],
	])("together with %s behind it", async (_, tail) => {
		await written(3, false);
		await writeFile(path, Buffer.concat([await readFile(path), tail]));
		const outline = open();
		expect(await picture(outline)).toBe("node 0\nnode 1\nnode 2");
		await outline.close();
	});

	test("opening keeps a flush of several commits up to its first damaged line, because the rest was never acknowledged", async () => {
		const outline = open();
		await outline.create({ name: "first" });
		await Promise.all(
			Array.from({ length: 10 }, (_, index) => outline.create({ name: `${index}`, position: "bottom" })),
		);
		await outline.close();
		const lines = (await readFile(path, "utf8")).split("\n").slice(0, -2);
		const flushes = lines.slice(1).map((line) => JSON.parse(line).flush);
		expect(flushes).toEqual([1, ...Array.from({ length: 10 }, () => 2)]);
		lines[6] = lines[6]!.replace("name", "eman");
		await writeFile(path, `${lines.join("\n")}\n`);
		expect(await nodeCount()).toBe(5);
	});
});

describe("damage other than a torn tail throws storage_corrupt and leaves the file as it was", () => {
	test.each([
		["in any line but the last", { count: 5, isClosed: false, step: 41, bit: 0x20 }],
		["anywhere in a file that was closed", { count: 3, isClosed: true, step: 31, bit: 0x01 }],
	])("a changed byte %s", async (_, { count, isClosed, step, bit }) => {
		await written(count, isClosed);
		const whole = await readFile(path);
		const lastLine = whole.lastIndexOf("\n", whole.length - 2) + 1;
		for (let at = 0; at < lastLine; at += step) {
			const damaged = Buffer.from(whole);
			damaged[at]! ^= bit;
			await writeFile(path, damaged);
			await expectRefused("storage_corrupt", /damaged|not a file of an outline/);
		}
	});

	test("a missing, repeated or misplaced line, and a missing newline", async () => {
		const lines = await written(5);
		const text = (kept: (string | undefined)[]) => `${kept.join("\n")}\n`;
		for (const changed of [
			text(lines.toSpliced(2, 1)),
			text(lines.toSpliced(2, 0, lines[2]!)),
			text([lines[0], lines[2], lines[1], ...lines.slice(3)]),
			`${lines.slice(0, 4).join("\n")}${lines.slice(4).join("\n")}\n`,
		]) {
			await writeFile(path, changed);
			await expectRefused("storage_corrupt", /damaged/);
		}
	});

	test("a snapshot with a damaged or missing block", async () => {
		const outline = open({ compactAfter: 2000 });
		for (let index = 0; index < 40; index++) await outline.create({ name: `node ${index}` });
		await outline.close();
		const whole = await readFile(path, "utf8");
		const lines = whole.split("\n");
		expect(JSON.parse(lines[0]!)).toMatchObject({ nodes: lines[1]!.split('"parent":')[0]!.split(",").length - 2 });
		await writeFile(path, whole.replace("node 3", "node 4"));
		await expectRefused("storage_corrupt", /damaged/);
		await writeFile(path, `${lines[0]}\n`);
		await expectRefused("storage_corrupt", /damaged/);
		await writeFile(path, [lines[0], ...lines.slice(2)].join("\n"));
		await expectRefused("storage_corrupt", /damaged/);
	});

	test.each([
		["text", "hello, world\n"],
		["JSON", '{"name":"x"}\n'],
		["a single byte", "x"],
		["binary data", Buffer.alloc(1000)],
	])("a file that holds no outline: %s", async (_, content) => {
		await writeFile(path, content);
		await expectRefused("storage_corrupt", /not a file of an outline/);
	});

	test("an export, which has no checksums", async () => {
		const outline = newOutline();
		await outline.create({ name: "x" });
		await writeFile(path, await fileOf(outline, "json"));
		await expectRefused("storage_corrupt", /is an export of an outline, not the file of a storage/);
	});

	test("an empty file, which outlinekit never leaves", async () => {
		await writeFile(path, "");
		await expectRefused("storage_corrupt", /is empty.* Restore it from a copy, or delete it to begin a new outline/);
	});

	test("a file of a newer format throws storage_unavailable and says what to do", async () => {
		await written(2);
		await writeFile(path, (await readFile(path, "utf8")).replace('"version":2', '"version":3'));
		await expectRefused("storage_unavailable", /newer outlinekit/);
	});
});

describe("the error for an unusable path says why", () => {
	test.each([
		["a directory", "folder", /directory/],
		["a missing directory", "missing/outline.jsonl", /Create it/],
		["a path through a file", "file/outline.jsonl", /leads through a file/],
		["no regular file", "/dev/full", /regular file/],
		["a name that is too long", "n".repeat(256), /A name may have 255 bytes/],
		["a directory that nothing can be made in", "/proc/outline.jsonl", /./],
	])("%s", async (_, place, mention) => {
		await mkdir(join(directory, "folder"));
		await writeFile(join(directory, "file"), "");
		path = resolve(directory, place);
		const outline = open();
		const error = await outline.create({ name: "x" }).catch((thrown: OutlineError) => thrown);
		expect(error).toMatchObject({ code: "storage_unavailable", message: expect.stringMatching(mention) });
		await outline.close();
	});

	test.each(["", "a\0b", 5, undefined, "outline.outlinekit-new"])("%j is refused as a path", (wrong) => {
		expect(() => createFileStorage(wrong as string)).toThrow(expect.objectContaining({ code: "invalid_argument" }));
	});
});
