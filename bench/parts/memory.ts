import { fresh, runs } from "../fresh.ts";
import type { Extent } from "../part.ts";
import type { Row, Table } from "../report.ts";
import type { HeapResult } from "../scenes/heap.ts";
import type { OperationsResult, Scale } from "../scenes/operations.ts";
import { operationRows, sideBySide } from "./operations.ts";

const goals = {
	"bulk create": { ratio: 2 },
	get: { ratio: 2 },
	list: { ratio: 1.5 },
	"create at the top": { ratio: 2 },
	"create at the bottom": { ratio: 2 },
	update: { ratio: 2.5 },
	move: { ratio: 1.5 },
	delete: { ratio: 1.5 },
	export: { ratio: 1.15 },
};

type Results = OperationsResult[];

/** The operations whose steps a history keeps, and their price. */
const kept = {
	"create at the bottom": { ratio: 1.4 },
	update: { ratio: 1.4 },
	move: { ratio: 1.4 },
	delete: { ratio: 1.4 },
};

/** `Outline` on memory storage beside a synchronous Map of objects. */
export async function* measure({ full }: Extent): AsyncIterable<Table> {
	for (const nodes of full ? [10_000, 100_000, 1_000_000] : [10_000, 100_000]) {
		const scale = {
			...scaleOf(nodes),
			warmUp: { ...scaleOf(20_000), writes: { counted: 9, uncounted: 2, calls: 400 } },
		};
		const contenders = ["plain-map", "careful-map", "outline-memory", "outline-memory:markdown"];
		const measured = (await sideBySide(contenders, scale)) as [Results, Results, Results, Results];
		const [plain, careful, outline, typed] = measured;
		const rows = operationRows(outline, plain, goals);
		const get = rows.find(({ name }) => name === "get")!;
		const stored = plain.map(({ figures }) => figures["get the stored object"]!);
		const beside = { name: "get, beside the stored object itself", ours: get.ours, base: stored };
		const parsed = operationRows(typed, plain)
			.filter(({ name }) => name === "bulk create" || name === "create at the bottom")
			.map((row) => ({ ...row, name: `${row.name}, markup in Markdown` }));
		yield {
			key: `memory ${nodes}`,
			title: `Memory, ${nodes.toLocaleString("en")} nodes`,
			unit: "µs a call; bulk create and export: µs a node",
			base: "plain Map",
			ours: "Outline",
			rows: [...rows, beside, ...parsed, ...(nodes > 10_000 ? [await heapRow(nodes)] : [])],
		};
		yield {
			key: `memory promises ${nodes}`,
			title: `Memory, ${nodes.toLocaleString("en")} nodes, beside the same promises kept by hand`,
			unit: "µs a call; bulk create and export: µs a node",
			base: "careful Map",
			ours: "Outline",
			rows: operationRows(outline, careful),
		};
		if (nodes !== 10_000) continue;
		const [usual, keeping] = (await sideBySide(["outline-memory", "outline-memory:kept"], scale)) as [Results, Results];
		yield {
			key: "memory history",
			title: "Memory, 10,000 nodes, with a history that stays",
			unit: "µs a call",
			base: "a history in memory",
			ours: "history.keep",
			rows: operationRows(keeping, usual, kept).filter(({ name }) => name in kept),
		};
	}
}

function scaleOf(nodes: number): Scale {
	return {
		nodes,
		reads: { counted: 9, uncounted: 2, calls: 3000 },
		writes: { counted: 9, uncounted: 2, calls: Math.min(nodes / 100, 1000) },
		deletions: { counted: 9, uncounted: 2, calls: Math.min(nodes / 250, 500) },
		exports: { counted: 5, uncounted: 2, calls: 1 },
	};
}

async function heapRow(nodes: number): Promise<Row> {
	const heap: { base: number[]; ours: number[] } = { base: [], ours: [] };
	for (let run = 0; run < runs; run++) {
		heap.base.push((await fresh<HeapResult>("heap", { contender: "plain-map", nodes })).heap);
		heap.ours.push((await fresh<HeapResult>("heap", { contender: "outline-memory", nodes })).heap);
	}
	return { name: "heap, bytes a node", ...heap, goal: { ratio: 1.15 } };
}
