import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createFileStorage } from "../../adapters/file.js";
import { createIndexedDbStorage } from "../../adapters/indexeddb.js";
import { createSqliteStorage } from "../../adapters/sqlite.js";
import { Outline } from "../../src/outline.js";
import type { StorageAdapter } from "../../src/storage.js";
import { CrashFileSystem } from "../faults/crash-file-system.js";
import { temporaryFolder } from "../support/temporary.js";
import { fixture } from "../support/version-1.js";
import { openTrialStorage, trialPath } from "./file/trial.js";
import { rawContent } from "./indexeddb/raw.js";
import { describeClients } from "./sqlite/clients.js";
import "./indexeddb/globals.js";

/** Writes nodes without properties, and one that has some for a while. */
async function writeNodes(storage: StorageAdapter): Promise<void> {
	const outline = new Outline({ storage });
	const { id } = await outline.createTree({ name: "a", note: "b", children: [{ name: "c" }, { name: "d" }] });
	await outline.update(id, { name: "e", properties: { some: "thing" } });
	await outline.update(id, { name: "f", properties: { some: null } });
	const { nodes } = await outline.list(id);
	await outline.mirror(id, { parent: (await outline.create({ name: "g" })).id });
	await outline.delete(nodes[0]!.id);
	await outline.close();
}

/** Makes many nodes and shortcuts, and deletes them. */
async function leaveTombstones(storage: StorageAdapter): Promise<void> {
	const outline = new Outline({ storage });
	const children = Array.from({ length: 300 }, (_, number) => ({ name: `${number}` }));
	const { id } = await outline.createTree({ name: "gone", children });
	const { nodes } = await outline.list(id);
	for (const [number, node] of nodes.slice(0, 50).entries()) await outline.setShortcut(`gone-${number}`, node.id);
	await outline.delete(id);
	await outline.create({ name: "stays" });
	await outline.close();
}

/** Prunes, and makes so many commits that a snapshot is due. */
async function prune(storage: StorageAdapter): Promise<void> {
	const outline = new Outline({ storage });
	const { revision, deleted } = await outline.changes({ since: 0 });
	expect(deleted).toHaveLength(301);
	await outline.prune({ before: revision });
	const { id } = await outline.create({ name: "after it" });
	for (let number = 0; number < 100; number++) await outline.update(id, { note: `${number}`.repeat(200) });
	await outline.update(id, { note: null });
	const [changes] = (await storage.read([{ type: "changes", since: 0, limit: 1000 }])).results;
	expect([changes.deleted, changes.droppedKeys, changes.nodes.length]).toEqual([[], [], 2]);
	await outline.close();
}

describe("in a file,", () => {
	test("nodes without properties take no byte more than in version 1", async () => {
		const path = join(temporaryFolder(), "outline.jsonl");
		await writeNodes(createFileStorage(path));
		expect(readFileSync(path, "utf8").match(/properties/g)).toHaveLength(2);
		await writeNodes(createFileStorage(path, { compactAfter: 1 }));
		const blocks = readFileSync(path, "utf8").match(/^.*"id":\[.*$/gm)!;
		expect(blocks).toHaveLength(1);
		expect(blocks[0]).not.toContain("properties");

		const earlier = readFileSync(fixture("outline.jsonl"), "utf8").split(/(?<=\n)/);
		const end = earlier.findIndex((line) => line.includes('"synced"'));
		const disk = new CrashFileSystem();
		disk.put(trialPath, Buffer.from(earlier.slice(0, end).join("")));
		const storage = openTrialStorage(disk);
		await storage.read([]);
		await storage.close();
		expect(
			Buffer.from(disk.content(trialPath)!)
				.toString()
				.split(/(?<=\n)/)[1],
		).toBe(earlier[1]);
	});

	test("the snapshot after pruning has no tombstones", async () => {
		const path = join(temporaryFolder(), "outline.jsonl");
		const open = () => createFileStorage(path, { compactAfter: 1 });
		await leaveTombstones(open());
		const { size } = statSync(path);
		await prune(open());
		expect(statSync(path).size).toBeLessThan(size / 5);
		expect(readFileSync(path, "utf8")).not.toMatch(/"deleted":\[|"droppedKeys":\[/);
	});
});

describe("in a browser's database,", () => {
	test("nodes without properties have none in journal and blocks", async () => {
		const factory = new IDBFactory();
		for (const compactAfter of [500, 1]) {
			await writeNodes(createIndexedDbStorage("outline", { indexedDB: factory, compactAfter }));
			const { journal, blocks } = await rawContent(factory, "outline");
			const withProperties = (list: unknown) => JSON.stringify(list).match(/properties/g)?.length;
			if (compactAfter === 500) expect(withProperties(journal)).toBe(2);
			expect(withProperties(blocks)).toBeUndefined();
			expect(blocks!.length > 0).toBe(compactAfter === 1);
		}
	});

	test("the snapshot after pruning has no tombstones", async () => {
		const factory = new IDBFactory();
		const open = () => createIndexedDbStorage("outline", { indexedDB: factory, compactAfter: 1 });
		const blocks = async () => JSON.stringify((await rawContent(factory, "outline")).blocks);
		await leaveTombstones(open());
		expect(await blocks()).toMatch(/"deleted".*"droppedKeys"/);
		const { length } = await blocks();
		await prune(open());
		expect((await blocks()).length).toBeLessThan(length / 5);
		expect(await blocks()).not.toMatch(/"deleted"|"droppedKeys"/);
	});
});

describeClients("in an SQLite database,", (client) => {
	test("nodes without properties have a NULL, and deleted ones too", async () => {
		const database = client.open();
		await writeNodes(createSqliteStorage(database));
		const count = database.prepare("SELECT count(*) AS n, count(properties) AS some FROM outlinekit_nodes").all();
		expect(count).toEqual([{ n: 5, some: 0 }]);
	});

	test("pruning deletes the rows of tombstones, which an index finds", async () => {
		const database = client.open();
		const counts = () =>
			["nodes", "keys"].map(
				(table) => database.prepare(`SELECT key FROM (SELECT 1 AS key FROM outlinekit_${table})`).all().length,
			);
		await leaveTombstones(createSqliteStorage(database));
		expect(counts()).toEqual([302, 50]);
		await prune(createSqliteStorage(database));
		expect(counts()).toEqual([2, 0]);
		const plan = database
			.prepare("EXPLAIN QUERY PLAN DELETE FROM outlinekit_nodes WHERE deleted AND outline = 1 AND revision <= 5")
			.all();
		expect(JSON.stringify(plan)).toContain("outlinekit_nodes_dropped");
	});
});
