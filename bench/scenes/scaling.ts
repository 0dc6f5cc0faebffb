import { Outline, type OutlineTree } from "outlinekit";
import { createMemoryStorage } from "outlinekit/memory";
import { collectGarbage, microsecondsEach } from "../measure.ts";
import { treeInput } from "../tree-input.ts";
import { Workload } from "../workload.ts";

export interface ScalingInput {
	readonly nodes: number;
	/** The number of children of the node under which the scene creates and moves nodes. */
	readonly siblings: number;
}

export interface ScalingResult {
	/** Microseconds for each call. */
	readonly figures: Readonly<Record<string, number>>;
}

const rounds = { counted: 10, uncounted: 2, calls: 1000 };

/** The times of the operations in an outline of a size. */
export async function run(input: ScalingInput): Promise<ScalingResult> {
	// Otherwise the measurement of the first operation would include compilation.
	await measure({ nodes: 2_000, siblings: 100 });
	return measure(input);
}

async function measure({ nodes, siblings }: ScalingInput): Promise<ScalingResult> {
	const outline = new Outline({ storage: createMemoryStorage(), timeZone: "UTC" });
	const sample = await plant(outline, nodes);
	const children = Array.from({ length: siblings }, (_, number) => ({ name: `sibling ${number}` }));
	const { id: wide } = await outline.createTree({ name: "wide", children });
	const numbers = Array.from({ length: (rounds.counted + rounds.uncounted) * rounds.calls }, (_, number) => number);
	const at = (number: number) => sample[(number * 7) % sample.length]!;
	const figures: Record<string, number> = {};
	const time = async (name: string, call: (number: number) => Promise<unknown>) => {
		await collectGarbage();
		figures[name] = await microsecondsEach(rounds, numbers, call);
	};

	const made: string[] = [];
	await time("get", (number) => outline.get(at(number)));
	await time("list", (number) => outline.list(at(number)));
	await time("update", (number) => outline.update(at(number), { name: `renamed ${number}` }));
	await time("complete and uncomplete", async (number) => {
		await outline.complete(at(number));
		await outline.uncomplete(at(number));
	});
	for (const position of ["top", "bottom"] as const) {
		await time(`create at the ${position}`, async () => {
			made.push((await outline.create({ parent: wide, name: "new", position })).id);
		});
	}
	await time("move to the other end", (number) =>
		outline.move(made[(number * 13) % made.length]!, { position: number % 2 === 0 ? "top" : "bottom" }),
	);
	await time("mirror and remove it", async (number) =>
		outline.removeMirror((await outline.mirror(at(number), { parent: wide })).id),
	);
	await time("create in the calendar", (number) =>
		outline.create({ parent: `2026-11-${10 + (number % 20)}`, name: "new" }),
	);
	await time("delete", (number) => outline.delete(made[number]!));
	await outline.close();
	return { figures };
}

/** Makes a seeded outline, and gives nodes that have children, from all over it. */
async function plant(outline: Outline, nodes: number): Promise<string[]> {
	const parents: string[] = [];
	const take = ({ id, children }: OutlineTree) => {
		if (children.length > 0) parents.push(id);
		children.forEach(take);
	};
	for (const root of new Workload(nodes).roots) take(await outline.createTree(treeInput(root)));
	const step = Math.max(1, Math.floor(parents.length / 1000));
	return parents.filter((_, index) => index % step === 0);
}
