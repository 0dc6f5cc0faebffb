import { fresh, runs } from "../fresh.ts";
import type { Extent } from "../part.ts";
import type { Table } from "../report.ts";
import type { HeapResult } from "../scenes/heap.ts";
import { openings } from "./opening.ts";
import { operationRows, sideBySide } from "./operations.ts";

const peers = {
	"peers/tinybase": "TinyBase store",
	"peers/yjs": "Yjs document",
	"peers/loro": "Loro tree",
	"peers/automerge": "Automerge document",
};

/** `Outline` compared with similar libraries, all in memory; files are their saved documents. */
export async function* measure({ full }: Extent): AsyncIterable<Table> {
	const contenders = ["outline-memory", ...Object.keys(peers)];
	for (const nodes of full ? [10_000, 100_000] : [10_000]) {
		// Some take tens of milliseconds for a write.
		const scale = {
			nodes,
			reads: { counted: 5, uncounted: 2, calls: 500 },
			writes: { counted: 5, uncounted: 1, calls: nodes > 10_000 ? 4 : 20 },
			deletions: { counted: 5, uncounted: 1, calls: 4 },
			exports: { counted: 3, uncounted: 1, calls: 1 },
		};
		const warmUp = {
			...scale,
			nodes: 1000,
			writes: { counted: 1, uncounted: 1, calls: 100 },
			deletions: { counted: 1, uncounted: 1, calls: 10 },
		};
		const results = await sideBySide(contenders, { ...scale, warmUp });
		const heaps = contenders.map((): HeapResult[] => []);
		for (let run = 0; run < runs; run++) {
			for (const [index, contender] of contenders.entries()) {
				heaps[index]!.push(await fresh<HeapResult>("heap", { contender, nodes }));
			}
		}
		const opened = await openings(
			["outline-file", ...Object.keys(peers)].map((opener) => ({
				contender: opener === "outline-file" ? "outline-file:compact" : opener,
				opener,
			})),
			nodes,
		);
		for (const [index, [file, name]] of Object.entries(peers).entries()) {
			const [ours, theirs] = [opened[0]!, opened[index + 1]!];
			yield {
				key: `${file} ${nodes}`,
				title: `${name}, ${nodes.toLocaleString("en")} nodes`,
				unit: "µs a call; bulk create and export: µs a node",
				base: name,
				ours: "Outline",
				rows: [
					...operationRows(results[0]!, results[index + 1]!),
					{
						name: "memory, bytes a node",
						ours: heaps[0]!.map(({ heap }) => heap),
						base: heaps[index + 1]!.map(({ heap }) => heap),
					},
					{ name: "opening what is on disk, ms", ours: ours.milliseconds, base: theirs.milliseconds },
					{ name: "bytes on disk a node", ours: [ours.bytes], base: [theirs.bytes] },
				],
			};
		}
	}
}
