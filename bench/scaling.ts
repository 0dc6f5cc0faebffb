import { spawnSync } from "node:child_process";
import { cpus } from "node:os";
import { fileURLToPath } from "node:url";
import { outlineOfSize } from "./outline-of-size.ts";

/**
 * What an operation costs in a large outline, as a multiple of what it costs in a small one. Each run has a process of its
 * own; the figure is the median of the runs, so that one that the machine disturbed doesn't count.
 */

const runs = 5;
const scenes = {
	"10,000 nodes": { nodes: 10_000, siblings: 100 },
	"1,000,000 nodes": { nodes: 1_000_000, siblings: 100 },
	"30,000 siblings": { nodes: 40_000, siblings: 30_000 },
};

type Figures = Record<string, number>;

async function measure({ nodes, siblings }: { nodes: number; siblings: number }): Promise<Figures> {
	const { outline, sample, wide } = await outlineOfSize(nodes, siblings);
	const figures: Figures = {};
	/** Microseconds for each call: the median of ten rounds over the sample, after one that isn't counted. */
	const time = async (name: string, operation: (ref: string, index: number) => Promise<unknown>, count = 1000) => {
		const rounds: number[] = [];
		for (let round = 0; round < 11; round++) {
			const started = performance.now();
			for (let index = 0; index < count; index++) {
				await operation(sample[(index * 7 + round) % sample.length]!, round * count + index);
			}
			rounds.push(((performance.now() - started) * 1000) / count);
		}
		figures[name] = median(rounds.slice(1));
	};
	const made: string[] = [];
	await time("get", (ref) => outline.get(ref));
	await time("list (8 children)", (ref) => outline.list(ref));
	await time("update", (ref, index) => outline.update(ref, { name: `renamed ${index}` }));
	await time("complete and uncomplete", async (ref) => {
		await outline.complete(ref);
		await outline.uncomplete(ref);
	});
	await time("create at the top", async () => made.push((await outline.create({ parent: wide, name: "new" })).id));
	await time("create at the bottom", async () => {
		made.push((await outline.create({ parent: wide, name: "new", position: "bottom" })).id);
	});
	await time("move to the other end", (_, index) => {
		return outline.move(made[(index * 13) % made.length]!, { position: index % 2 === 0 ? "top" : "bottom" });
	});
	await time("mirror and remove it", async (ref) =>
		outline.removeMirror((await outline.mirror(ref, { parent: wide })).id),
	);
	await time("create in the calendar", (_, index) =>
		outline.create({ parent: `2026-11-${10 + (index % 20)}`, name: "new" }),
	);
	await time("delete", async (_, index) => outline.delete(made[index]!));
	return figures;
}

function median(values: readonly number[]): number {
	return [...values].sort((left, right) => left - right)[Math.floor(values.length / 2)]!;
}

const scene = process.argv[2] as keyof typeof scenes | undefined;
if (scene !== undefined) {
	console.log(JSON.stringify(await measure(scenes[scene])));
} else {
	const results = new Map<string, Figures[]>();
	for (let run = 0; run < runs; run++) {
		for (const name of Object.keys(scenes)) {
			const args = [...process.execArgv, fileURLToPath(import.meta.url), name];
			const { stdout, status, stderr } = spawnSync(process.execPath, args, { encoding: "utf8" });
			if (status !== 0) throw new Error(stderr);
			results.set(name, [...(results.get(name) ?? []), JSON.parse(stdout) as Figures]);
		}
	}
	const [small, ...large] = Object.keys(scenes);
	const figure = (name: string, operation: string) => median(results.get(name)!.map((figures) => figures[operation]!));
	console.log(`Node ${process.version}, ${cpus().length} x ${cpus()[0]?.model}; medians of ${runs} processes\n`);
	console.log(`| operation | ${small} | ${large.map((name) => `${name}, ratio`).join(" | ")} |`);
	console.log(`|---|---|${large.map(() => "---").join("|")}|`);
	for (const operation of Object.keys(results.get(small!)![0]!)) {
		const base = figure(small!, operation);
		const ratios = large.map((name) => `${(figure(name, operation) / base).toFixed(2)}x`);
		console.log(`| ${operation} | ${base.toFixed(1)} µs | ${ratios.join(" | ")} |`);
	}
}
