import { describe, expect, test } from "vitest";
import { createMemoryStorage } from "../../../adapters/memory.js";
import type { PendingCommit, WriteReport } from "../../../src/engine/event.js";
import type { OutlineOptions } from "../../../src/engine/settings.js";
import type { Outline } from "../../../src/outline.js";
import type { StorageAdapter } from "../../../src/storage.js";
import { beforeCommits } from "../../support/interrupted.js";
import { codeOf, exported, newOutline, picture, planted } from "../../support/outline.js";
import { SyncDevice } from "../../support/sync-device.js";

const tooLong = new RangeError("A title has at most 10 letters.");

/** The rule of a host: short names. */
function shortNames({ changes }: PendingCommit): void {
	if (changes.some(({ after }) => after !== undefined && after.name.length > 10)) throw tooLong;
}

/** A storage in which another writer commits just before the first commit. */
function raced(storage: StorageAdapter): StorageAdapter {
	let isFirst = true;
	return beforeCommits(storage, async () => {
		if (isFirst) await newOutline({ storage }).create({ name: "first" });
		isFirst = false;
	});
}

const long = "more than ten letters";

describe("validate", () => {
	test("is told the method, and what it would change", async () => {
		const commits: PendingCommit[] = [];
		const { outline, id } = await planted("a #id", { validate: (commit) => void commits.push(commit) });
		await outline.update(id, { name: "b" });
		await outline.update(id, { name: "b" });
		await outline.setShortcut("key", id);
		await outline.undo();
		await outline.scope(id, { write: true }).create({ name: "below" });
		await outline.import("- c", { format: "markdown", parent: id });
		await outline.batch([{ type: "delete", ref: id }]);
		expect(commits.map(({ operation, changes }) => [operation, changes.length])).toEqual([
			["create", 1],
			["update", 1],
			["setShortcut", 0],
			["undo", 0],
			["create", 1],
			["import", 1],
			["batch", 3],
		]);
		expect(commits[1]!.changes).toMatchObject([{ id, before: { name: "a" }, after: { name: "b" } }]);
		expect(commits[2]!.keys).toEqual([{ key: "key", type: "shortcut", nodeId: id }]);
		expect(commits[3]!.keys).toEqual([{ key: "key", type: "shortcut", nodeId: null, previousId: id }]);
	});

	test.each<[string, (outline: Outline, id: string) => Promise<unknown>]>([
		["create", (outline) => outline.create({ name: long })],
		["update", (outline, id) => outline.update(id, { name: long })],
		[
			"batch",
			(outline) =>
				outline.batch([
					{ type: "create", name: "a" },
					{ type: "create", name: long },
				]),
		],
		["scope", (outline, id) => outline.scope(id, { write: true }).create({ name: long })],
		["createTree", (outline) => outline.createTree({ name: "a", children: [{ name: long }] })],
		["import", (outline) => outline.import(`- a\n- ${long}`, { format: "markdown" })],
	])("refuses a commit of %s as a whole", async (_, write) => {
		const { outline, id } = await planted("kept #id", { validate: shortNames });
		const before = await picture(outline);
		await expect(write(outline, id)).rejects.toMatchObject({
			code: "refused",
			message: tooLong.message,
			cause: tooLong,
		});
		expect(await picture(outline)).toBe(before);
		expect(outline.history.undo).toBe(1);
		await outline.create({ name: "later" });
	});

	test.each([false, true])("refuses an undo, which can be tried again (history kept: %s)", async (keep) => {
		let strict = false;
		const outline = newOutline({ history: { keep }, validate: (commit) => void (strict && shortNames(commit)) });
		const { id } = await outline.create({ name: long });
		await outline.update(id, { name: "short" });
		strict = true;
		expect(await codeOf(outline.undo())).toBe("refused");
		expect((await outline.get(id)).name).toBe("short");
		strict = false;
		expect((await outline.undo())?.operation).toBe("update");
		expect((await outline.get(id)).name).toBe(long);
	});

	test("refuses entries of devices alone, which then know why", async () => {
		const server = newOutline({ validate: shortNames });
		const device = new SyncDevice();
		for (let number = 1; number <= 20; number++) device.create({ name: number % 7 === 0 ? long : `n${number}` });
		await device.sync(server);
		expect(device.refused).toEqual([7, 14].map((seq) => ({ seq, code: "refused", message: tooLong.message })));
		expect(await exported(server)).toHaveLength(18);
	});

	test("decides again when another writer's commit came first", async () => {
		const storage = createMemoryStorage();
		let calls = 0;
		const outline = newOutline({ storage: raced(storage), validate: () => void calls++ });
		await outline.create({ name: "second" });
		expect(calls).toBe(2);
	});

	test("must answer at once", async () => {
		for (const answer of [async () => {}, () => Promise.reject(new Error("late"))]) {
			const outline = newOutline({ validate: answer as unknown as () => void });
			await expect(outline.create({ name: "a" })).rejects.toThrow("perhaps a promise");
			expect(await exported(outline)).toEqual([]);
		}
	});
});

test("onWrite is told of each write: the method, the time, the attempts and the size", async () => {
	const reports: WriteReport[] = [];
	const storage = createMemoryStorage();
	const outline = newOutline({ storage: raced(storage), onWrite: (report) => void reports.push(report) });
	await outline.create({ name: "four" });
	await codeOf(outline.update("nowhere", { name: "b" }));
	await outline.undo();
	expect(reports).toEqual([
		{ operation: "create", attempts: 2, size: 68, milliseconds: expect.any(Number) },
		{
			operation: "update",
			attempts: 1,
			size: 0,
			milliseconds: expect.any(Number),
			error: expect.objectContaining({ code: "not_found" }),
		},
		{ operation: "undo", attempts: 1, size: 64, milliseconds: expect.any(Number) },
	]);
	expect(reports.every(({ milliseconds }) => milliseconds >= 0 && milliseconds < 60_000)).toBe(true);
});

test.each(["validate", "onWrite"])("%s must be a function", (option) => {
	const options = { [option]: "yes" } as unknown as Partial<OutlineOptions>;
	expect(() => newOutline(options)).toThrow(`${option} is "yes". It must be a function.`);
});
