import type { OutlineNode } from "outlinekit";
import type { Contender } from "../contender.ts";
import { loadContender } from "../contenders/index.ts";
import { PlainMap } from "../contenders/plain-map.ts";
import { withDirectory } from "../directory.ts";
import { collectGarbage, microseconds, microsecondsEach, type Rounds } from "../measure.ts";
import { treeHash } from "../tree-hash.ts";
import { Workload } from "../workload.ts";

/** The size of an outline, and the number of calls of each operation. */
export interface Scale {
	readonly nodes: number;
	readonly reads: Rounds;
	readonly writes: Rounds;
	readonly deletions: Rounds;
	readonly exports: Rounds;
}

export interface OperationsInput extends Scale {
	readonly contender: string;
	/** The calls on another outline beforehand, so that the compiler has seen everything. */
	readonly warmUp: Scale;
}

export interface OperationsResult {
	/** Microseconds for each call; for the bulk creation and the export, for each node. */
	readonly figures: Readonly<Record<string, number>>;
	readonly treeHash: string;
}

/** The times of a contender's operations. */
export async function run({ contender: name, warmUp, ...scale }: OperationsInput): Promise<OperationsResult> {
	const open = await loadContender(name);
	await withDirectory(async (directory) => measure(await open(directory), warmUp));
	return withDirectory(async (directory) => measure(await open(directory), scale));
}

async function measure(contender: Contender, scale: Scale): Promise<OperationsResult> {
	const { nodes, reads, writes, deletions, exports } = scale;
	const workload = new Workload(nodes);
	const figures: Record<string, number> = {};
	const time = async <T>(operation: string, rounds: Rounds, inputs: readonly T[], call: (input: T) => unknown) => {
		await collectGarbage();
		figures[operation] = await microsecondsEach(rounds, inputs, call, contender.synchronous);
	};

	await collectGarbage();
	figures["bulk create"] = (await microseconds(() => contender.bulkCreate(workload.roots))) / nodes;
	for (const { id, originId, parentId } of workload.mirrors()) await contender.mirror(id, originId, parentId);

	await time("get", reads, workload.nodes(callsOf(reads)), (id) => contender.get(id));
	const again = workload.nodes(callsOf(reads));
	if (contender instanceof PlainMap) await time("get the stored object", reads, again, (id) => contender.stored(id));
	await time("list", reads, workload.parents(callsOf(reads)), (id) => contender.list(id));
	for (const { operation, rounds, calls } of writesOf(workload, { writes, deletions })) {
		await time(operation, rounds, calls, (call) => call(contender));
	}

	let exported = 0;
	// Keeps each node for a moment, or the compiler might find that no code uses it.
	let last: OutlineNode | undefined;
	await time("export", exports, Array.from({ length: callsOf(exports) }), () => {
		exported = 0;
		return contender.export((node) => {
			last = node;
			exported += 1;
		});
	});
	if (last === undefined) throw new Error("Nothing was exported.");
	figures.export = figures.export! / exported;

	const { id, parentId, position } = workload.cycle();
	if (!(await refuses(async () => contender.move(id, parentId, position)))) throw new Error("A node is below itself.");
	const hash = await treeHash(contender, workload.parents(200));
	await contender.close();
	return { figures, treeHash: hash };
}

/** The calls of an operation. */
interface Writes {
	readonly operation: string;
	readonly rounds: Rounds;
	readonly calls: readonly ((contender: Contender) => unknown)[];
}

/** The calls of the operations that write, each drawn when the ones before it have been. */
export function* writesOf(
	workload: Workload,
	{ writes, deletions }: Pick<Scale, "writes" | "deletions">,
): Iterable<Writes> {
	const operation = <T>(
		name: string,
		rounds: Rounds,
		inputs: readonly T[],
		call: (to: Contender, input: T) => unknown,
	) => ({
		operation: name,
		rounds,
		calls: inputs.map((input) => (contender: Contender) => call(contender, input)),
	});
	const count = callsOf(writes);
	for (const end of ["top", "bottom"] as const) {
		yield operation(`create at the ${end}`, writes, workload.creates(count, end), (to, node) => to.create(node));
	}
	yield operation("move", writes, workload.moves(count), (to, { id, parentId, position }) =>
		to.move(id, parentId, position),
	);
	yield operation("update", writes, workload.updates(count), (to, { id, name }) => to.update(id, name));
	yield operation("complete", writes, workload.nodes(count), (to, id) => to.complete(id));
	yield operation("delete", deletions, workload.deletions(callsOf(deletions)), (to, id) => to.delete(id));
}

function callsOf({ counted, uncounted, calls }: Rounds): number {
	return (counted + uncounted) * calls;
}

async function refuses(work: () => Promise<unknown>): Promise<boolean> {
	try {
		await work();
		return false;
	} catch {
		return true;
	}
}
