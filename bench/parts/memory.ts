import { fresh, runs } from "../fresh.ts";
import type { Extent } from "../part.ts";
import type { Row, Table } from "../report.ts";
import type { HeapResult } from "../scenes/heap.ts";
import type { Scale } from "../scenes/operations.ts";
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

/** `Outline` on memory storage beside a synchronous Map of objects. */
export async function* measure({ full }: Extent): AsyncIterable<Table> {
	for (const nodes of full ? [10_000, 100_000, 1_000_000] : [10_000, 100_000]) {
		const [plain, outline] = (await sideBySide(["plain-map", "outline-memory"], {
			...scaleOf(nodes),
			warmUp: { ...scaleOf(20_000), writes: { counted: 9, uncounted: 2, calls: 400 } },
		})) as [never, never];
		const stored = (plain as { figures: Record<string, number> }[]).map(
			({ figures }) => figures["get the stored object"]!,
		);
		const rows = operationRows(outline, plain, goals);
		const get = rows.find(({ name }) => name === "get")!;
		rows.splice(rows.indexOf(get) + 1, 0, {
			name: "get, beside the stored object itself",
			ours: get.ours,
			base: stored,
		});
		yield {
			key: `memory ${nodes}`,
			title: `Memory, ${nodes.toLocaleString("en")} nodes`,
			unit: "µs a call; bulk create and export: µs a node",
			base: "plain Map",
			ours: "Outline",
			rows: [...rows, await heapRow(nodes)],
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
