import type { Contender } from "../contender.ts";
import { loadContender } from "../contenders/index.ts";
import { withDirectory } from "../directory.ts";
import { collectGarbage, median, microseconds } from "../measure.ts";
import { treeHash } from "../tree-hash.ts";
import { Workload } from "../workload.ts";
import { type OperationsResult, type Scale, writesOf } from "./operations.ts";

export interface InTurnsInput extends Pick<Scale, "nodes" | "writes" | "deletions"> {
	readonly contenders: readonly string[];
}

/**
 * The median times of the operations that write, for variants of one contender in one process, which take turns with
 * each call. So they share what the disk is like at that moment: it differs from moment to moment by more than the
 * variants do.
 */
export async function run(input: InTurnsInput): Promise<OperationsResult[]> {
	// The first outlines are there so that the compiler has seen everything.
	await runOnce(input);
	return runOnce(input);
}

function runOnce({ contenders: names, ...scale }: InTurnsInput): Promise<OperationsResult[]> {
	return withDirectories(names.length, async (directories) => {
		const contenders: Contender[] = [];
		for (const [index, name] of names.entries()) {
			contenders.push(await (await loadContender(name))(directories[index]!));
		}
		const results = await measure(contenders, scale);
		for (const contender of contenders) await contender.close();
		return results;
	});
}

async function measure(contenders: readonly Contender[], scale: Omit<InTurnsInput, "contenders">) {
	const workload = new Workload(scale.nodes);
	const mirrors = workload.mirrors();
	for (const contender of contenders) {
		await contender.bulkCreate(workload.roots);
		for (const { id, originId, parentId } of mirrors) await contender.mirror(id, originId, parentId);
	}
	const figures: Record<string, number>[] = contenders.map(() => ({}));
	for (const { operation, rounds, calls } of writesOf(workload, scale)) {
		await collectGarbage();
		const times: number[][] = contenders.map(() => []);
		for (const [number, call] of calls.entries()) {
			const order = [...contenders.keys()];
			for (const index of number % 2 === 0 ? order : order.reverse()) {
				times[index]!.push(await microseconds(() => call(contenders[index]!)));
			}
		}
		const uncounted = rounds.uncounted * rounds.calls;
		for (const [index, each] of times.entries()) figures[index]![operation] = median(each.slice(uncounted));
	}
	const parents = workload.parents(200);
	const results: OperationsResult[] = [];
	for (const [index, contender] of contenders.entries()) {
		results.push({ figures: figures[index]!, treeHash: await treeHash(contender, parents) });
	}
	return results;
}

/** Does something with empty directories, which are removed afterwards. */
function withDirectories<T>(count: number, work: (directories: readonly string[]) => Promise<T>): Promise<T> {
	if (count === 0) return work([]);
	return withDirectory((directory) => withDirectories(count - 1, (others) => work([directory, ...others])));
}
