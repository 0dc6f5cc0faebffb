import { Buffer } from "node:buffer";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import fc from "fast-check";
import { beforeEach, describe, expect, test } from "vitest";
import type { FileHandle } from "../../../adapters/file/file-system.js";
import { snapshotLines } from "../../../adapters/file/format.js";
import { crcLength } from "../../../adapters/file/line.js";
import { loadFile } from "../../../adapters/file/load.js";
import { createFileStorage } from "../../../adapters/file.js";
import { RecordIndex } from "../../../adapters/resident/index/record-index.js";
import type { OutlineNode } from "../../../src/index.js";
import type { StoredNode } from "../../../src/storage.js";
import { assertAnswer } from "../../conformance/agreement.js";
import { document } from "../../conformance/records.js";
import { NaiveRecords } from "../../model/naive-records.js";
import { addingAll, recordAt } from "../../support/batches.js";
import { codeOf, exported, newOutline } from "../../support/outline.js";
import { temporaryFolder } from "../../support/temporary.js";
import { assertAgrees } from "../resident/naive-agreement.js";
import { batchOf, commits, queriesAbout } from "../resident/random-batches.js";

/** Writes a snapshot of an index, and reads it into a new index. */
async function reread(index: RecordIndex): Promise<RecordIndex> {
	const bytes = Buffer.concat([...snapshotLines(index.image())].flatMap((line) => line ?? []));
	const handle = {
		stat: async () => ({ size: BigInt(bytes.length) }),
		async read(buffer: Uint8Array, offset: number, length: number, position: number) {
			const piece = bytes.subarray(position, position + length);
			buffer.set(piece, offset);
			return { bytesRead: piece.length };
		},
	} as Partial<FileHandle> as FileHandle;
	const copy = new RecordIndex();
	const { size, snapshotSize } = await loadFile(handle, "a snapshot", copy);
	expect([size, snapshotSize]).toEqual([bytes.length, bytes.length]);
	return copy;
}

test("an index read from a snapshot gives the same answers and accepts the same commits", async () => {
	await fc.assert(
		fc.asyncProperty(commits, commits, commits, async (first, second, third) => {
			const naive = new NaiveRecords();
			let index = new RecordIndex();
			for (const [place, part] of [first, second, third].entries()) {
				for (const steps of part) {
					const batch = batchOf(steps, naive);
					const undo = index.undo(batch);
					index.apply(batch);
					index.revert(undo);
					index.apply(batch);
					naive.apply(batch);
				}
				// The test reads some nodes before the next snapshot; the rest stays packed.
				if (place === 1) index.answer(queriesAbout([0, 3], naive));
				index = await reread(index);
			}
			const scanned: StoredNode[] = [...index.scan(7)].flat();
			expect(scanned.map(({ record }) => record.id).sort()).toEqual([...naive.nodes.keys()].sort());
			for (const node of scanned) assertAnswer({ type: "node", at: { id: node.record.id } }, node, naive);
			assertAgrees(index, naive);
		}),
		{ numRuns: 80 },
	);
});

test("a node whose parent is missing waits for it, across a snapshot too, and a part of an id finds nothing", async () => {
	const parent = recordAt(1, 1);
	const child = recordAt(2, 1, { parentId: parent.id });
	const index = new RecordIndex();
	index.apply(addingAll([child]));
	const again = await reread(index);
	again.apply(addingAll([parent], 1));
	const shortId = child.id.slice(-12);
	const [children, ancestors, byShortId, byPart] = again.answer([
		{ type: "children", of: { id: parent.id }, scope: "own" },
		{ type: "ancestors", of: { id: child.id } },
		{ type: "node", at: { shortId } },
		{ type: "node", at: { id: shortId } },
	]);
	expect(children.map(({ record }) => record)).toEqual([child]);
	expect(ancestors).toEqual([child.id, parent.id]);
	expect(byShortId?.record).toEqual(child);
	expect(byPart).toBeNull();
});

describe("closing a file replaces it by a snapshot", () => {
	const path = () => join(temporaryFolder(), "outline.jsonl");

	/** Creates nodes with names of some length, one by one, and closes the file. Returns the number of its commits. */
	async function commitsAfter(path: string, nodes: number, length = 1000): Promise<number> {
		const outline = newOutline({ storage: createFileStorage(path) });
		for (let made = 0; made < nodes; made++) await outline.create({ name: "x".repeat(length) });
		await outline.close();
		return (await readFile(path, "utf8")).match(/"flush":/g)?.length ?? 0;
	}

	test("from 16 KiB of commits on", async () => {
		const file = path();
		expect(await commitsAfter(file, 10)).toBe(10);
		expect(await commitsAfter(file, 10)).toBe(0);
	});

	test("from a sixteenth of the last snapshot on", async () => {
		const file = path();
		expect(await commitsAfter(file, 4, 200_000)).toBe(0);
		expect(await commitsAfter(file, 30)).toBe(30);
		expect(await commitsAfter(file, 30)).toBe(0);
	});
});

describe("an outline that is read from a snapshot", () => {
	let directory: string;
	let path: string;
	beforeEach(() => {
		directory = temporaryFolder();
		path = join(directory, "outline.jsonl");
	});

	const open = () => newOutline({ storage: createFileStorage(path, { compactAfter: 1 }) });

	/** Makes a file whose snapshot holds a tree of `count` nodes, each tenth with a mirror. */
	async function written(count: number): Promise<string[]> {
		const outline = open();
		const names = Array.from({ length: count }, (_, number) => ({ name: `node ${number}` }));
		const tree = await outline.createTree({ name: "all", children: names });
		const ids = tree.children.map(({ id }) => id);
		const holder = await outline.create({ name: "mirrors", position: "bottom" });
		for (let at = 0; at < count; at += 10) await outline.mirror(ids[at]!, { parent: holder.id });
		await outline.close();
		const [header, ...lines] = (await readFile(path, "utf8")).trimEnd().split("\n");
		expect(JSON.parse(header!).nodes).toBe(count + 2 + Math.ceil(count / 10));
		expect(lines.slice(0, -1).every((line) => line.slice(crcLength).startsWith('"id":'))).toBe(true);
		return ids;
	}

	test("is exported as it was at the beginning of the export, whatever is committed meanwhile", async () => {
		const ids = await written(1_500);
		const before = open();
		const expected = await exported(before);
		await before.close();
		const outline = open();
		const seen: OutlineNode[] = [];
		for await (const node of outline.export()) {
			if (seen.length === 0) {
				await outline.update(ids[1_400]!, { name: "changed" });
				await outline.delete(ids[1_401]!);
				await outline.move(ids[1_402]!, { parent: ids[3]! });
				await outline.mirror(ids[1_403]!, { parent: ids[3]! });
				await outline.update(ids[1_410]!, { name: "changed, and its mirror with it" });
				await outline.create({ name: "new" });
			}
			seen.push(node);
		}
		const byId = (left: OutlineNode, right: OutlineNode) => (left.id < right.id ? -1 : 1);
		expect(seen.sort(byId)).toEqual(expected.sort(byId));
		await outline.close();
	});

	test("is refused if a line has the right checksum and invalid content", async () => {
		const ids = await written(20);
		const content = await readFile(path, "utf8");
		for (const change of [
			(line: string) => line.replace('"id":["', '"id":["0'),
			(line: string) => line.replace('"parent":[-1', '"parent":[99'),
			(line: string) => line.replace('"parent":[-1,', '"parent":[-1;'),
			(line: string) => line.replace('"parent":[-1,', '"parent":['),
			(line: string) => line.replace('"originId":{', '"originId":{x'),
			// The storage notices these only when a node is read.
			(line: string) => line.replace('"name":[', '"name":[,'),
			(line: string) => line.slice(0, -1),
		]) {
			await writeFile(path, forged(content, '"id":', change));
			const outline = open();
			expect(await codeOf(outline.get(ids[7]!)), String(change)).toBe("storage_corrupt");
			expect(await codeOf(outline.list())).toBe("storage_corrupt");
			expect(await codeOf(outline.update(ids[7]!, { name: "x" }))).toBe("storage_corrupt");
			expect(await codeOf(exported(outline))).toBe("storage_corrupt");
			await outline.close();
		}
	});

	test("reads its documents only when they are needed, and refuses forged ones then", async () => {
		const storage = createFileStorage(path, { compactAfter: 1 });
		const put = ["b", "a", "c"].map((key) => document(key, `"{"key":"${key}" in quotes`));
		await storage.commit({ base: 0, nodes: [], keys: [], documents: { put, dropped: [] } });
		await storage.close();
		const content = await readFile(path, "utf8");
		const read = async (text: string) => {
			await writeFile(path, text);
			const reading = createFileStorage(path);
			const opened = await codeOf(reading.read([]));
			const all = reading.read([{ type: "documents", prefix: "" }]);
			const found = await all.then(
				({ results: [documents] }) => documents,
				() => codeOf(all),
			);
			await reading.close();
			return [opened, found];
		};
		expect(await read(content)).toEqual([undefined, [put[1], put[0], put[2]]]);
		for (const [change, refusals] of [
			[(line: string) => line.replace('"b","value"', '"b","name"'), [undefined, "storage_corrupt"]],
			[(line: string) => line.replace(/\]\}$/, '],"more":[]}'), [undefined, "storage_corrupt"]],
			[(line: string) => line.slice(0, -1), [undefined, "storage_corrupt"]],
			[(line: string) => line.replace('{"key":"b"', '{"name":"b"'), ["storage_corrupt", "storage_corrupt"]],
		] as const) {
			const changed = forged(content, '"documents":[', change);
			expect(changed).not.toBe(content);
			expect(await read(changed), String(change)).toEqual(refusals);
		}
	});
});

/** The content with a change of the members of some lines, and the right checksums. */
function forged(content: string, part: string, change: (members: string) => string): string {
	const lines = content.split("\n").map((line) => {
		if (!line.includes(part)) return line;
		const members = change(line.slice(crcLength));
		return `{"crc32":"${crc32(members).toString(16).padStart(8, "0")}",${members}`;
	});
	return lines.join("\n");
}
