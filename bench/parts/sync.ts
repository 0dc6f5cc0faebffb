import { fresh, runs } from "../fresh.ts";
import type { Extent } from "../part.ts";
import type { Table } from "../report.ts";
import type { FirstSyncResult } from "../scenes/first-sync.ts";
import type { SyncResult } from "../scenes/sync.ts";
import { openings } from "./opening.ts";
import { inTurns, operationRows, sideBySide, turns } from "./operations.ts";

const nodes = 100_000;
const peers = {
	"peers/yjs": "Yjs document",
	"peers/loro": "Loro tree",
	"peers/tinybase": "TinyBase store",
	"peers/rxdb": "RxDB collection",
};

/** The price of a replica, and its exchange beside the whole documents of similar libraries. */
export async function* measure({ full }: Extent): AsyncIterable<Table> {
	const results: SyncResult[] = [];
	const firsts = Object.keys(peers).map((): FirstSyncResult[] => []);
	for (let run = 0; run < runs; run++) {
		results.push(await fresh<SyncResult>("sync", { nodes }));
		for (const [index, contender] of Object.keys(peers).entries()) {
			firsts[index]!.push(await fresh<FirstSyncResult>("first-sync", { contender, nodes }));
		}
	}
	const bytes = results.map(({ first }) => first.bytes);
	const milliseconds = results.map(({ first }) => first.milliseconds);
	const renames = results.map(({ rename }) => rename);
	for (const [index, name] of Object.values(peers).entries()) {
		yield {
			key: `sync first ${name}`,
			title: `First sync of ${nodes.toLocaleString("en")} nodes, beside a ${name}`,
			unit: "",
			base: name,
			ours: "Outline",
			rows: [
				{ name: "bytes a node, compressed", ours: bytes, base: firsts[index]!.map((first) => first.bytes) },
				{
					name: "from the bytes to the first read, ms",
					ours: milliseconds,
					base: firsts[index]!.map((first) => first.milliseconds),
				},
				{ name: "a renamed node, bytes sent", ours: renames, base: firsts[index]!.map((first) => first.rename) },
			],
		};
	}
	yield {
		key: "sync exchange",
		title: `Sync of ${nodes.toLocaleString("en")} nodes, in memory`,
		unit: "",
		base: "",
		ours: "Outline",
		rows: [
			{ name: "first sync, bytes a node, compressed", ours: bytes, limit: 60 },
			{ name: "first sync, from the bytes to the first read, ms", ours: milliseconds, limit: 700 },
			{ name: "a renamed node, bytes sent", ours: renames, limit: 250 },
			{
				name: "10,000 pending settled again on 1,000 pulled, ms",
				ours: results.map(({ settling }) => settling.milliseconds),
				limit: 1000,
			},
			{ name: "its longest slice, ms", ours: results.map(({ settling }) => settling.slice), limit: 16 },
			{ name: "10,000 pushed, µs each", ours: results.map(({ push }) => push), limit: 500 },
			{ name: "an edit here until it is shown there, ms", ours: results.map(({ shown }) => shown), limit: 50 },
		],
	};
	yield* localPrices(full);
}

/** Local operations with a replica, beside the same without. */
async function* localPrices(full: boolean): AsyncIterable<Table> {
	const size = full ? 100_000 : 10_000;
	const scale = {
		nodes: size,
		reads: { counted: 9, uncounted: 2, calls: 2000 },
		writes: { counted: 9, uncounted: 2, calls: 100 },
		deletions: { counted: 9, uncounted: 2, calls: 40 },
		exports: { counted: 21, uncounted: 20, calls: 1 },
	};
	for (const [place, plain, replica, ratio] of [
		["memory", "outline-memory", "outline-replica", 1.3],
		["file", "outline-file", "outline-replica:file", 1.15],
	] as const) {
		const [without, withReplica] = await sideBySide([plain, replica], { ...scale, warmUp: scale }, turns);
		const rows = new Map(operationRows(withReplica!, without!).map((row) => [row.name, row]));
		const [usual, replicated] = await inTurns({ ...scale, contenders: [plain, replica] });
		for (const row of operationRows(replicated!, usual!)) rows.set(row.name, row);
		yield {
			key: `sync local ${place}`,
			title: `Local operations with a replica, ${place}, ${size.toLocaleString("en")} nodes`,
			unit: "µs a call; bulk create and export: µs a node",
			base: "without a replica",
			ours: "with a replica",
			rows: [...rows.values()].map((row) => ({ ...row, goal: { ratio } })),
		};
	}
	const [plain, pending] = await openings(
		[
			{ contender: "outline-replica:commits", opener: "outline-file" },
			{ contender: "outline-replica:pending", opener: "outline-replica:file" },
		],
		nodes,
	);
	yield {
		key: "sync opening",
		title: `Opening ${nodes.toLocaleString("en")} nodes with 10,000 pending commits`,
		unit: "",
		base: "10,000 commits, no replica",
		ours: "10,000 pending",
		rows: [
			{
				name: "to the root's children, ms",
				ours: pending!.milliseconds,
				base: plain!.milliseconds,
				goal: { ratio: 1.1 },
			},
		],
	};
}
