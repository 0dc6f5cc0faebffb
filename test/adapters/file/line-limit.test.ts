import { Buffer } from "node:buffer";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, test, vi } from "vitest";
import { lineLimit, snapshotLines } from "../../../adapters/file/format.js";
import { createFileStorage } from "../../../adapters/file.js";
import { RecordIndex } from "../../../adapters/resident/index/record-index.js";
import { Outline } from "../../../src/outline.js";
import type { Batch, NodeRecord } from "../../../src/storage.js";
import { CrashFileSystem } from "../../faults/crash-file-system.js";
import { storedState } from "../../model/witness.js";
import { thorough } from "../../setup/soak.js";
import { recordAt } from "../../support/batches.js";
import { codeOf, picture } from "../../support/outline.js";
import { temporaryFolder } from "../../support/temporary.js";
import { turnsDuring } from "../../support/turns.js";
import { openTrialStorage, trialPath } from "./trial.js";

const groups = ["shortcut"];

function batch(base: number, change: Partial<Batch>): Batch {
	return { base, nodes: [], keys: [], ...change };
}

function added(number: number, change: Partial<NodeRecord>): { before: null; after: NodeRecord } {
	return { before: null, after: recordAt(number, 1, change) };
}

/** The lines of the file on a disk. */
function linesOn(disk: CrashFileSystem): Buffer[] {
	const lines: Buffer[] = [];
	const content = Buffer.from(disk.content(trialPath)!);
	for (let start = 0; start < content.length; ) {
		const end = content.indexOf(10, start);
		lines.push(content.subarray(start, end));
		start = end + 1;
	}
	return lines;
}

/**
 * Commits to a new file whose lines are limited. Returns the error's code and the length of the longest line.
 */
async function committed(
	batches: readonly Batch[],
	limit: number,
): Promise<[code: string | undefined, length: number]> {
	const disk = new CrashFileSystem();
	const storage = openTrialStorage(disk, { compactAfter: 2 ** 30, lineLimit: limit });
	for (const each of batches.slice(0, -1)) await storage.commit(each);
	const before = await storedState(storage, groups);
	const code = await codeOf(storage.commit(batches.at(-1)!));
	if (code !== undefined) expect(await storedState(storage, groups)).toEqual(before);
	const state = await storedState(storage, groups);
	await storage.close();
	const lengths = linesOn(disk).map(({ length }) => length);
	const again = openTrialStorage(disk, { lineLimit: limit });
	expect(await storedState(again, groups)).toEqual(state);
	await again.close();
	return [code, Math.max(...lengths)];
}

const large = 3_000;
const texts = {
	"plain text": "x".repeat(large),
	"control characters": "\u0001\u001f\n".repeat(large / 3),
	"quotation marks and backslashes": '"\\'.repeat(large / 2),
	umlauts: "ä".repeat(large),
	"characters of three bytes": "漢\u2028".repeat(large / 2),
	"surrogate pairs": "🌲".repeat(large / 2),
};

describe("the line of a commit", () => {
	const commits: Record<string, Batch> = {
		"many nodes": batch(0, {
			nodes: Array.from({ length: 90 }, (_, number) => added(number, { name: `<b>${number}</b>` })),
		}),
		"a key": batch(0, {
			nodes: [added(1, {})],
			keys: [
				{
					before: null,
					after: { key: "ü".repeat(large), group: "\u0002".repeat(99), nodeId: recordAt(1, 1).id, revision: 1 },
				},
			],
		}),
		"a document": batch(0, {
			documents: {
				put: [{ key: "k".repeat(large), value: "漢".repeat(large) }],
				dropped: ["d".repeat(large)],
			},
		}),
	};
	for (const [name, text] of Object.entries(texts)) {
		commits[`a name of ${name}`] = batch(0, { nodes: [added(1, { name: text })] });
		commits[`a note of ${name}`] = batch(0, { nodes: [added(1, { note: text })] });
		commits[`properties of ${name}`] = batch(0, { nodes: [added(1, { properties: text })] });
	}

	test.each(Object.entries(commits))("with %s is written up to the limit, and refused above it", async (_, commit) => {
		const [, length] = await committed([commit], lineLimit);
		expect(length).toBeGreaterThan(large);
		// The node must also fit into a block alone, which takes some more bytes for its columns.
		const slack = commit.nodes.length === 1 && commit.keys.length === 0 ? 250 : 0;
		expect(await committed([commit], length + slack)).toEqual([undefined, length]);
		const [code, longest] = await committed([commit], length - 1);
		expect(code).toBe("too_large");
		expect(longest).toBeLessThan(length);
	});

	test("counts deletions and dropped keys too", async () => {
		const nodes = Array.from({ length: 90 }, (_, number) => added(number, {}));
		const after = { key: "k".repeat(900), group: "shortcut", nodeId: recordAt(1, 1).id, revision: 1 };
		const keys = [{ before: null, after }];
		const deleting = batch(1, {
			nodes: nodes.map(({ after }) => ({ before: after, after: null })),
			keys: keys.map(({ after }) => ({ before: after, after: null })),
		});
		const disk = new CrashFileSystem();
		const storage = openTrialStorage(disk, { compactAfter: 2 ** 30 });
		await storage.commit(batch(0, { nodes, keys }));
		await storage.commit(deleting);
		const { length } = linesOn(disk).at(-1)!;
		await storage.close();
		for (const limit of [length, length - 1]) {
			const each = openTrialStorage(new CrashFileSystem(), { lineLimit: limit });
			// In parts that fit, because the whole doesn't.
			await each.commit(batch(0, { nodes: nodes.slice(0, 10), keys }));
			for (let at = 10; at < 90; at += 10) {
				const part = nodes
					.slice(at, at + 10)
					.map(({ after }) => ({ before: null, after: { ...after, revision: at / 10 + 1 } }));
				await each.commit(batch(at / 10, { nodes: part }));
			}
			// Two more digits, because the revision and the flush are 10 here.
			expect(await codeOf(each.commit({ ...deleting, base: 9 }))).toBe("too_large");
			await each.close();
		}
	});
});

describe("a node", () => {
	test.each(Object.entries(texts))(
		"whose %s came in two commits fits into a snapshot block, or is refused",
		async (_, text) => {
			const before = recordAt(1, 1, { name: text });
			const after = { ...before, note: text, revision: 2 };
			const commits = [
				batch(0, { nodes: [{ before: null, after: before }] }),
				batch(1, { nodes: [{ before, after }] }),
			];
			const index = new RecordIndex();
			for (const each of commits) index.apply(each);
			const block = [...snapshotLines(index.image())].at(-1)!;
			const { length } = Buffer.concat(block);
			// Each of the lines is half as long.
			expect((await committed(commits, length - 2))[0]).toBe("too_large");
			expect((await committed(commits, length + 60))[0]).toBeUndefined();
			// The block names a parent that isn't there.
			const stray = new RecordIndex();
			for (const each of commits) {
				stray.apply({
					...each,
					nodes: each.nodes.map((node) => ({ ...node, after: { ...node.after!, parentId: recordAt(7, 1).id } })),
				});
			}
			expect(() => [...snapshotLines(stray.image(), length + 60)]).not.toThrow();
		},
	);

	test("is refused whichever of its fields is changed, if an earlier release accepted texts that are too large now", async () => {
		const disk = new CrashFileSystem();
		const text = "x".repeat(large);
		const node = recordAt(1, 1, { name: text, note: text });
		const earlier = openTrialStorage(disk, { compactAfter: 2 ** 30 });
		await earlier.commit(batch(0, { nodes: [{ before: null, after: node }] }));
		await earlier.close();
		const storage = openTrialStorage(disk, { lineLimit: 2 * large });
		await storage.read([]);
		const completed = { before: node, after: { ...node, completedAt: 5, revision: 2 } };
		expect(await codeOf(storage.commit(batch(1, { nodes: [completed] })))).toBe("too_large");
		const shortened = { before: node, after: { ...node, note: null, revision: 2 } };
		expect(await storage.commit(batch(1, { nodes: [shortened] }))).toBe(2);
		await storage.close();
	});
});

describe("a commit that is too large", () => {
	test("changes nothing, and doesn't make commits before or after it fail", async () => {
		const disk = new CrashFileSystem();
		const storage = openTrialStorage(disk, { lineLimit: 5_000 });
		const outline = new Outline({ storage });
		const create = (name: string) => outline.create({ name, position: "bottom" });
		await create("first");
		const made = await Promise.allSettled([
			create("a"),
			create("b"),
			create("x".repeat(5_000)),
			create("c"),
			create("y".repeat(5_000)),
			create("d"),
		]);
		const errors = made.map((outcome) => (outcome.status === "rejected" ? outcome.reason : null));
		const message = expect.stringContaining("more than 5000 bytes");
		const refused = expect.objectContaining({ name: "OutlineError", code: "too_large", message });
		expect(errors).toEqual([null, null, refused, null, refused, null]);
		expect(await picture(outline)).toBe("first\na\nb\nc\nd");
		await outline.close();
		const again = new Outline({ storage: openTrialStorage(disk) });
		expect(await picture(again)).toBe("first\na\nb\nc\nd");
		await again.close();
	});

	test("writes nothing, even if the storage notices it only at its end", async () => {
		const disk = new CrashFileSystem();
		const storage = openTrialStorage(disk, { lineLimit: 1_000_000 });
		await storage.read([]);
		const writes = () => disk.calls.filter(({ type }) => type === "write" || type === "truncate").length;
		const before = writes();
		const nodes = Array.from({ length: 12 }, (_, number) => added(number, { note: "n".repeat(100_000) }));
		expect(await codeOf(storage.commit(batch(0, { nodes })))).toBe("too_large");
		expect(writes()).toBe(before);
		expect(await storage.commit(batch(0, { nodes: nodes.slice(0, 9) }))).toBe(1);
		await storage.close();
	});

	test("doesn't prevent later snapshots", async () => {
		const disk = new CrashFileSystem();
		const outline = new Outline({ storage: openTrialStorage(disk, { lineLimit: 5_000 }) });
		for (let round = 0; round < 60; round++) {
			const [small, tooLarge] = [outline.create({ name: "small" }), outline.create({ name: "x".repeat(5_000) })];
			await small;
			expect(await codeOf(tooLarge)).toBe("too_large");
		}
		await outline.close();
		expect(disk.calls.filter(({ type }) => type === "rename").length).toBeGreaterThan(2);
	});
});

describe("a large commit", () => {
	afterEach(() => vi.restoreAllMocks());

	const manyNodes = Array.from({ length: 20_000 }, (_, number) =>
		added(number, { name: `node ${number}`.padEnd(100) }),
	);
	const onePiece = [added(1, { note: 'n"'.repeat(2_500_000) })];

	test.each([
		["of many nodes", manyNodes],
		["of one large text", onePiece],
	])("of %s takes many turns of the event loop to make, write and read", async (_, nodes) => {
		const disk = new CrashFileSystem();
		const storage = openTrialStorage(disk, { compactAfter: 2 ** 30 });
		await storage.read([]);
		expect(await turnsDuring(() => storage.commit(batch(0, { nodes })))).toBeGreaterThan(40);
		const size = disk.content(trialPath)!.length;
		expect(size).toBeGreaterThan(3_000_000);
		for (const { type, length } of disk.calls) if (type === "write") expect(length).toBeLessThan(2_000_000);
		const again = openTrialStorage(disk, { compactAfter: 2 ** 30 });
		expect(await turnsDuring(() => again.read([]))).toBeGreaterThan(size / 2 ** 20 + 6);
		expect(await storedState(again, groups)).toEqual(await storedState(storage, groups));
	});

	test.runIf(thorough)("is readable at the limit, and refused above it", { timeout: 300_000 }, async () => {
		const path = join(temporaryFolder(), "outline.jsonl");
		// The nodes hold the same text, of a megabyte each in the file.
		const note = "ä".repeat(500_000);
		const nodes = Array.from({ length: 269 }, (_, number) => added(number, { note }));
		const storage = createFileStorage(path, { compactAfter: 2 ** 40 });
		expect(await codeOf(storage.commit(batch(0, { nodes })))).toBe("too_large");
		expect(await storage.commit(batch(0, { nodes: nodes.slice(0, 268) }))).toBe(1);
		await storage.close();
		expect((await stat(path)).size).toBeGreaterThan(0.99 * lineLimit);
		const again = createFileStorage(path, { compactAfter: 2 ** 40 });
		const { results } = await again.read([{ type: "children", of: null, scope: "own" }]);
		expect(results[0].length).toBe(268);
		expect(results[0].every(({ record }) => record.note === note)).toBe(true);
		await again.close();
	});
});
