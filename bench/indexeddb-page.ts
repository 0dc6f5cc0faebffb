import { type IDBPDatabase, openDB } from "idb";
import { Outline, type OutlineNode } from "outlinekit";
import { createHttpHandler } from "outlinekit/http";
import { createIndexedDbStorage } from "outlinekit/indexeddb";
import { createMemoryStorage } from "outlinekit/memory";
import { createHttpRemote, createReplica } from "outlinekit/sync";
import type { SeedNode } from "./contender.ts";
import { OutlineContender } from "./contenders/outline.ts";
import { PlainMap } from "./contenders/plain-map.ts";
import { microseconds, microsecondsEach } from "./measure.ts";
import { Workload } from "./workload.ts";

type Durability = "strict" | "relaxed";

/** An outline's figure and the one beside it, taken in turns. */
export interface Pair {
	readonly ours: number;
	readonly base: number;
}

const moment = 1_795_219_200;
const creates = 200;
const reads = { counted: 9, uncounted: 2, calls: 2000 };
const exports = { counted: 5, uncounted: 2, calls: 1 };

/** Microseconds of an awaited create and of an idb record in a transaction of its own, in several rounds. */
export async function createOneByOne(durability: Durability): Promise<Pair[]> {
	const storage = createIndexedDbStorage(`one-by-one-${durability}`, { durability });
	const outline = new Outline({ storage, timeZone: "UTC" });
	const database = await openBare(`bare-${durability}`);
	const pairs: Pair[] = [];
	let made = 0;
	const name = () => `node ${made} of those that are created`.padEnd(40, ".");
	for (let round = 0; round < 5; round++) {
		const ours = await microseconds(async () => {
			for (let number = 0; number < creates; number++, made++) await outline.create({ name: name() });
		});
		const base = await microseconds(async () => {
			for (let number = 0; number < creates; number++, made++) {
				const transaction = database.transaction("nodes", "readwrite", { durability });
				void transaction.store.add(bareRecord(crypto.randomUUID(), "root", -made, name()));
				await transaction.done;
			}
		});
		if (round > 0) pairs.push({ ours: ours / creates, base: base / creates });
	}
	await outline.close();
	database.close();
	return pairs;
}

/** Fills an outline and a bare database. Microseconds for each node. */
export async function fill(nodes: number): Promise<Pair> {
	const { roots } = new Workload(nodes);
	const outline = new OutlineContender(createIndexedDbStorage("filled"));
	const ours = (await microseconds(() => outline.bulkCreate(roots))) / nodes;
	await outline.close();
	const database = await openBare("bare");
	const base = await microseconds(async () => {
		const transaction = database.transaction("nodes", "readwrite", { durability: "strict" });
		const add = (parentId: string, siblings: readonly SeedNode[]) => {
			for (const [priority, { id, name, children }] of siblings.entries()) {
				void transaction.store.add(bareRecord(id, parentId, priority, name));
				add(id, children);
			}
		};
		add("root", roots);
		await transaction.done;
	});
	database.close();
	return { ours, base: base / nodes };
}

/** Milliseconds from nothing in memory to the root's children. */
export async function loadOutline(): Promise<number> {
	const outline = new Outline({ storage: createIndexedDbStorage("filled"), timeZone: "UTC" });
	const taken = await microseconds(() => outline.list());
	await outline.close();
	return taken / 1000;
}

/** The same of the bare database, read into a Map. */
export async function loadBare(): Promise<number> {
	const taken = await microseconds(async () => {
		const database = await openBare("bare");
		const records = new Map<string, { parentId: string }>();
		for (const record of await database.getAll("nodes")) records.set(record.id, record);
		[...records.values()].filter(({ parentId }) => parentId === "root");
	});
	return taken / 1000;
}

/**
 * Microseconds of reads of the filled outline and of a Map in the page with the same data; of the export, for
 * each node.
 */
export async function read(nodes: number): Promise<Record<"get" | "list" | "export", Pair>> {
	const workload = new Workload(nodes);
	const outline = new OutlineContender(createIndexedDbStorage("filled"));
	const map = new PlainMap();
	map.bulkCreate(workload.roots);
	await outline.list(null);
	const count = (reads.counted + reads.uncounted) * reads.calls;
	const ids = workload.nodes(count);
	const parents = workload.parents(count);
	const once = Array.from({ length: exports.counted + exports.uncounted });
	// Keeps each node for a moment, or the compiler might find that no code uses it.
	let last: OutlineNode | undefined;
	const visit = (node: OutlineNode) => {
		last = node;
	};
	const pairs = {
		get: {
			ours: await microsecondsEach(reads, ids, (id) => outline.get(id)),
			base: await microsecondsEach(reads, ids, (id) => map.get(id), true),
		},
		list: {
			ours: await microsecondsEach(reads, parents, (id) => outline.list(id)),
			base: await microsecondsEach(reads, parents, (id) => map.list(id), true),
		},
		export: {
			ours: (await microsecondsEach(exports, once, () => outline.export(visit))) / nodes,
			base: (await microsecondsEach(exports, once, () => map.export(visit), true)) / nodes,
		},
	};
	await outline.close();
	if (last === undefined) throw new Error("Nothing was exported.");
	return pairs;
}

/** Milliseconds of a first sync, to the root's children. The server works in the same thread. */
export async function firstSync(nodes: number): Promise<number> {
	const storage = createMemoryStorage();
	await new OutlineContender(storage).bulkCreate(new Workload(nodes).roots);
	const server = new Outline({ storage, timeZone: "UTC" });
	const handler = createHttpHandler({ authenticate: () => server });
	const remote = createHttpRemote({
		url: `${location.origin}/api/v1`,
		apiKey: "key",
		fetch: async (input, init) => handler(new Request(input, init)),
	});
	const replica = createReplica({ local: createIndexedDbStorage("synced"), remote, auto: false });
	const outline = new Outline({ storage: replica.storage, timeZone: "UTC" });
	let top = 0;
	const taken = await microseconds(async () => {
		await replica.sync();
		top = (await outline.list()).nodes.length;
	});
	await outline.close();
	if (top === 0) throw new Error("The device has no nodes.");
	return taken / 1000;
}

/** The children of each node of the lower levels: with so many at the top, a thousand times as many nodes. */
const branching = [9, 110];
const typed = { counted: 9, uncounted: 2, calls: 20 };

/** The most nodes of a file. The database keeps each commit in one record, which can't be of any size. */
const mostOfFile = 200_000;

/** Milliseconds to import Markdown files with so many nodes in all: a multiple of a thousand. */
export async function importFiles(name: string, nodes: number): Promise<number> {
	const outline = new Outline({ storage: createIndexedDbStorage(name), limits: { commit: mostOfFile * 256 } });
	const taken = await microseconds(async () => {
		for (let done = 0; done < nodes; done += mostOfFile) {
			await outline.import(linesOf(Math.min(mostOfFile, nodes - done)), { format: "markdown", position: "bottom" });
		}
	});
	await outline.close();
	return taken / 1000;
}

async function* linesOf(nodes: number): AsyncGenerator<string> {
	const [middle, lowest] = branching as [number, number];
	const line = (depth: number, number: number) => `${"  ".repeat(depth)}- node ${number} of those that are imported\n`;
	for (let top = 0; top < nodes / 1000; top++) {
		let text = line(0, top);
		for (let at = 0; at < middle; at++) {
			text += line(1, at);
			for (let below = 0; below < lowest; below++) text += line(2, below);
		}
		yield text;
	}
}

/** The outlines that this tab has open. */
const opened: Outline[] = [];

/** Opens an outline as {@link loadOutline} does, and keeps it open. Milliseconds to the root's children. */
export async function openFile(name: string): Promise<number> {
	const outline = new Outline({ storage: createIndexedDbStorage(name), timeZone: "UTC" });
	opened.push(outline);
	return (await microseconds(() => outline.list())) / 1000;
}

/** Microseconds to list and to rename nodes all over the outline that was opened last. */
export async function listAndType(): Promise<{ list: number; type: number }> {
	const outline = opened.at(-1)!;
	const { nodes: tops } = await outline.list();
	const listed = { ...typed, calls: 100 };
	const spread = (calls: number) =>
		Array.from({ length: (typed.counted + typed.uncounted) * calls }, (_, at) => tops[(at * 7919) % tops.length]!.id);
	const list = await microsecondsEach(listed, spread(listed.calls), (id) => outline.list(id));
	let number = 0;
	const rename = (id: string) => outline.update(id, { name: `typed ${number++}` });
	const type = await microsecondsEach(typed, spread(typed.calls), rename);
	return { list, type };
}

/** A store with a record for each node, and the indexes that an outline needs. */
function openBare(name: string): Promise<IDBPDatabase> {
	return openDB(name, 1, {
		upgrade(database) {
			const store = database.createObjectStore("nodes", { keyPath: "id" });
			store.createIndex("short id", "shortId");
			store.createIndex("place", ["parentId", "priority"]);
			store.createIndex("revision", "revision");
		},
	});
}

function bareRecord(id: string, parentId: string, priority: number, name: string) {
	return {
		id,
		shortId: id.slice(-12),
		parentId,
		priority,
		name,
		note: null,
		layoutMode: "bullets",
		createdAt: moment,
		modifiedAt: moment,
		completedAt: null,
		originId: null,
		revision: 1,
	};
}
