import { join } from "node:path";
import libsql from "libsql";
import { Outline, type OutlineTree, type StorageAdapter } from "outlinekit";
import { createMemoryStorage } from "outlinekit/memory";
import { createSqliteStorage } from "outlinekit/sqlite";
import { withDirectory } from "../directory.ts";
import { collectGarbage, microsecondsEach } from "../measure.ts";
import { treeInput } from "../tree-input.ts";
import { Workload } from "../workload.ts";

export interface SearchScalingInput {
	readonly nodes: number;
	readonly storage: "memory" | "sqlite";
}

export interface SearchScalingResult {
	/** Microseconds for each search. */
	readonly figures: Readonly<Record<string, number>>;
	/** Bytes of the index for each node: what the heap and the buffers grow by with the first searches. */
	readonly bytes: number;
}

const rounds = { counted: 10, uncounted: 5, calls: 50 };
const needles = 10;

/** Measures searches that find ten nodes, in an outline of a size. */
export function run({ nodes, storage }: SearchScalingInput): Promise<SearchScalingResult> {
	return withDirectory(async (directory) => {
		if (storage === "memory") return measure(nodes, createMemoryStorage());
		const database = new libsql(join(directory, "outline.db"));
		const result = await measure(nodes, createSqliteStorage(database, { outline: "measured", synchronous: "normal" }));
		database.close();
		return result;
	});
}

async function measure(nodes: number, storage: StorageAdapter): Promise<SearchScalingResult> {
	const outline = new Outline({ storage, timeZone: "UTC", history: { steps: 0 } });
	const top = await plant(outline, nodes);
	const queries: Readonly<Record<string, readonly [string, string?]>> = {
		"a word": ["needle"],
		"a word that is rare, and one in every node": ["node needle"],
		"the beginning of a word, and not another word": ["needl -haystack"],
		"a phrase": ['"in the hay"'],
		"a tag, and a word in every node": ["node #rare"],
		"either of two words": ["needle OR pin"],
		"open todos with a word": ["is:todo -is:completed needle"],
		"a word below a node": ["needle", top],
	};
	// The storage makes its log of changes now, which is no part of the index.
	await outline.changes({ since: 0, limit: 1 });
	const before = await memory();
	for (const [query, within] of Object.values(queries)) {
		const found = await outline.search(query, { within });
		if (found.length !== needles) throw new Error(`${query} finds ${found.length} nodes.`);
	}
	const bytes = ((await memory()) - before) / nodes;
	const figures: Record<string, number> = {};
	const calls = Array.from({ length: (rounds.counted + rounds.uncounted) * rounds.calls });
	for (const [name, [query, within]] of Object.entries(queries)) {
		await collectGarbage();
		figures[name] = await microsecondsEach(rounds, calls, () => outline.search(query, { within }));
	}
	await outline.close();
	return { figures, bytes };
}

/** Makes a seeded outline with ten needles all over it. Returns a node that all of them are below. */
async function plant(outline: Outline, nodes: number): Promise<string> {
	const { id: top } = await outline.create({ name: "top" });
	const all: string[] = [];
	const take = ({ id, children }: OutlineTree) => {
		all.push(id);
		children.forEach(take);
	};
	for (const root of new Workload(nodes).roots) take(await outline.createTree({ ...treeInput(root), parent: top }));
	for (let made = 0; made < needles; made++) {
		const id = all[Math.floor(((made + 0.5) * all.length) / needles)]!;
		await outline.update(id, { name: "node with a needle in the hay #rare", layoutMode: "todo", completed: false });
	}
	return top;
}

async function memory(): Promise<number> {
	await collectGarbage();
	await collectGarbage();
	const { heapUsed, external } = process.memoryUsage();
	return heapUsed + external;
}
