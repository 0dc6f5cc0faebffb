import { fresh, runs } from "../fresh.ts";
import type { Extent } from "../part.ts";
import type { Table } from "../report.ts";
import type { DurableResult } from "../scenes/durable.ts";
import { type Opening, openings } from "./opening.ts";
import { inTurns, operationRows, sideBySide } from "./operations.ts";

/** `Outline` on a file beside a file that one appends to by hand. */
export async function* measure({ full }: Extent): AsyncIterable<Table> {
	yield await durableCommits();
	for (const nodes of full ? [10_000, 100_000] : [10_000]) yield await singleCalls(nodes);
	yield await keptHistory();
	for (const nodes of full ? [10_000, 100_000, 1_000_000] : [10_000, 100_000]) yield await opening(nodes);
}

async function durableCommits(): Promise<Table> {
	const durable: DurableResult[] = [];
	for (let run = 0; run < runs; run++) durable.push(await fresh<DurableResult>("durable", {}));
	return {
		key: "file durable",
		title: "File, durable commits",
		unit: "",
		base: "write and fdatasync of as many bytes",
		ours: "Outline",
		rows: [
			{
				name: "a commit, µs, p50",
				ours: durable.map(({ commit }) => commit),
				base: durable.map(({ sync }) => sync),
				goal: { ratio: 1.15 },
			},
			{
				name: "100 creates at once, a second",
				ours: durable.map(({ concurrent }) => concurrent),
				base: durable.map(({ oneByOne }) => oneByOne),
				goal: { ratio: 20, atLeast: true },
			},
		],
	};
}

async function singleCalls(nodes: number): Promise<Table> {
	const scale = {
		nodes,
		reads: { counted: 9, uncounted: 2, calls: 2000 },
		writes: { counted: 9, uncounted: 2, calls: 40 },
		deletions: { counted: 9, uncounted: 2, calls: 20 },
		exports: { counted: 5, uncounted: 2, calls: 1 },
	};
	const [appended, outline] = await sideBySide(["appended-map", "outline-file"], { ...scale, warmUp: scale });
	return {
		key: `file ${nodes}`,
		title: `File, ${nodes.toLocaleString("en")} nodes`,
		unit: "µs a call; bulk create and export: µs a node",
		base: "plain Map and a file appended to",
		ours: "Outline",
		rows: operationRows(outline!, appended!),
	};
}

/** The price of a history that stays. */
async function keptHistory(): Promise<Table> {
	const writes = { counted: 9, uncounted: 2, calls: 60 };
	const deletions = { ...writes, calls: 20 };
	const contenders = ["outline-file", "outline-file:kept"];
	const [usual, keeping] = await inTurns({ contenders, nodes: 1000, writes, deletions });
	const kept = ["create at the bottom", "move", "update", "complete", "delete"];
	const goals = Object.fromEntries(kept.map((operation) => [operation, { ratio: 1.1 }]));
	return {
		key: "file history",
		title: "File, 1,000 nodes, with a history that stays",
		unit: "µs a call",
		base: "a history in memory",
		ours: "history.keep",
		rows: operationRows(keeping!, usual!, goals).filter(({ goal }) => goal !== undefined),
	};
}

async function opening(nodes: number): Promise<Table> {
	const [lines, appended, outline] = (await openings(
		[
			{ contender: "appended-map", opener: "json-lines" },
			{ contender: "appended-map", opener: "appended-map" },
			{ contender: "outline-file:compact", opener: "outline-file" },
		],
		nodes,
	)) as [Opening, Opening, Opening];
	const goal = nodes === 10_000 ? {} : { goal: { ratio: 0.25 } };
	return {
		key: `file open ${nodes}`,
		title: `File, opening ${nodes.toLocaleString("en")} nodes`,
		unit: "",
		base: "JSON lines",
		ours: "Outline",
		rows: [
			{
				name: "to the root's children, ms, beside reading into a Map",
				ours: outline.milliseconds,
				base: lines.milliseconds,
				...goal,
			},
			{
				name: "the same, beside also sorting children into lists",
				ours: outline.milliseconds,
				base: appended.milliseconds,
			},
			{ name: "bytes a node", ours: [outline.bytes], base: [lines.bytes], goal: { ratio: 0.6 } },
		],
	};
}
