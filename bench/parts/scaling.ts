import { fresh, runs } from "../fresh.ts";
import type { Table } from "../report.ts";
import type { ScalingInput, ScalingResult } from "../scenes/scaling.ts";
import type { SearchScalingInput, SearchScalingResult } from "../scenes/search-scaling.ts";

const small: ScalingInput = { nodes: 10_000, siblings: 100 };
const large: Readonly<Record<string, ScalingInput>> = {
	"1,000,000 nodes": { nodes: 1_000_000, siblings: 100 },
	"30,000 siblings": { nodes: 10_000, siblings: 30_000 },
};

/** The cost of an operation in a large outline, divided by its cost in a small one. */
export async function* measure(): AsyncIterable<Table> {
	yield* operations();
	yield await searches("memory", "in memory");
	yield await searches("sqlite", "over SQLite");
}

async function* operations(): AsyncIterable<Table> {
	const base: ScalingResult[] = [];
	const results = new Map<string, ScalingResult[]>(Object.keys(large).map((name) => [name, []]));
	for (let run = 0; run < runs; run++) {
		base.push(await fresh<ScalingResult>("scaling", small));
		for (const [name, input] of Object.entries(large)) {
			results.get(name)!.push(await fresh<ScalingResult>("scaling", input));
		}
	}
	for (const [name, ours] of results) {
		yield {
			key: `scaling ${name}`,
			title: `${name} beside 10,000 nodes, in memory`,
			unit: "µs a call",
			base: "10,000 nodes",
			ours: name,
			rows: Object.keys(base[0]!.figures).map((operation) => ({
				name: operation,
				ours: ours.map(({ figures }) => figures[operation]!),
				base: base.map(({ figures }) => figures[operation]!),
				goal: { ratio: 1.5 },
			})),
		};
	}
}

/** Searches that find ten nodes. */
async function searches(storage: SearchScalingInput["storage"], where: string): Promise<Table> {
	const results = new Map<number, SearchScalingResult[]>([
		[10_000, []],
		[1_000_000, []],
	]);
	for (let run = 0; run < runs; run++) {
		for (const [nodes, list] of results)
			list.push(await fresh<SearchScalingResult>("search-scaling", { nodes, storage }));
	}
	const [base, ours] = [...results.values()] as [SearchScalingResult[], SearchScalingResult[]];
	return {
		key: `scaling search ${storage}`,
		title: `A search that finds ten of 1,000,000 nodes beside ten of 10,000, ${where}`,
		unit: "µs a search",
		base: "10,000 nodes",
		ours: "1,000,000 nodes",
		rows: [
			...Object.keys(base[0]!.figures).map((query) => ({
				name: query,
				ours: ours.map(({ figures }) => figures[query]!),
				base: base.map(({ figures }) => figures[query]!),
				goal: { ratio: 1.5 },
			})),
			{ name: "the index, bytes a node", ours: ours.map(({ bytes }) => bytes), base: base.map(({ bytes }) => bytes) },
		],
	};
}
