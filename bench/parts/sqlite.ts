import type { Extent } from "../part.ts";
import type { Row, Table } from "../report.ts";
import { type Opening, openings } from "./opening.ts";
import { operationRows, sideBySide } from "./operations.ts";

const reads = { get: { ratio: 1.2 }, list: { ratio: 1.2 }, export: { ratio: 1.15 }, "bulk create": { ratio: 1.3 } };

/** The reference of every single write. */
const writes = { full: { ratio: 1.1 }, normal: { ratio: 1.25 } };
const writing = ["create at the top", "create at the bottom", "move", "update", "complete", "delete"];

/** `Outline` on SQLite beside prepared statements on a lean table, both over libsql. */
export async function* measure({ full }: Extent): AsyncIterable<Table> {
	for (const synchronous of ["full", "normal"] as const) {
		for (const nodes of full ? [10_000, 100_000] : [10_000]) {
			const scale = {
				nodes,
				reads: { counted: 9, uncounted: 2, calls: 500 },
				writes: { counted: 9, uncounted: 2, calls: 40 },
				deletions: { counted: 9, uncounted: 2, calls: 20 },
				exports: { counted: 5, uncounted: 2, calls: 1 },
			};
			const [raw, outline] = await sideBySide([`raw-sqlite:${synchronous}`, `outline-sqlite:${synchronous}`], {
				...scale,
				warmUp: {
					...scale,
					nodes: 5000,
					writes: { counted: 1, uncounted: 1, calls: 100 },
					deletions: { counted: 1, uncounted: 1, calls: 40 },
				},
			});
			const goals = { ...reads, ...Object.fromEntries(writing.map((name) => [name, writes[synchronous]])) };
			yield {
				key: `sqlite ${synchronous} ${nodes}`,
				title: `SQLite, synchronous = ${synchronous}, ${nodes.toLocaleString("en")} nodes`,
				unit: "µs a call; bulk create and export: µs a node",
				base: "raw statements",
				ours: "Outline",
				rows: operationRows(outline!, raw!, goals),
			};
		}
	}
	yield* opening(full);
}

async function* opening(full: boolean): AsyncIterable<Table> {
	const opened = new Map<number, [raw: Opening, outline: Opening]>();
	for (const nodes of full ? [10_000, 100_000, 1_000_000] : [10_000, 100_000]) {
		const openers = ["raw-sqlite:full", "outline-sqlite:full"].map((name) => ({ contender: name, opener: name }));
		opened.set(nodes, (await openings(openers, nodes)) as [Opening, Opening]);
	}
	const rows = [...opened].flatMap(([nodes, [raw, outline]]): Row[] => [
		{
			name: `${nodes.toLocaleString("en")} nodes, to the root's children, ms`,
			ours: outline.milliseconds,
			base: raw.milliseconds,
		},
		{
			name: `${nodes.toLocaleString("en")} nodes, bytes a node`,
			ours: [outline.bytes],
			base: [raw.bytes],
			goal: { ratio: 1.15 },
		},
	]);
	yield {
		key: "sqlite open",
		title: "SQLite, opening",
		unit: "",
		base: "raw statements",
		ours: "Outline",
		rows,
	};
	const most = Math.max(...opened.keys());
	yield {
		key: "sqlite open by size",
		title: "SQLite, opening a large outline beside a small one",
		unit: "",
		base: "10,000 nodes",
		ours: `${most.toLocaleString("en")} nodes`,
		rows: [
			{
				name: "to the root's children, ms",
				ours: opened.get(most)![1].milliseconds,
				base: opened.get(10_000)![1].milliseconds,
				// No more, within what two runs of the same differ by.
				goal: { ratio: 1.1 },
			},
		],
	};
}
