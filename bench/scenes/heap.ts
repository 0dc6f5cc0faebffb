import { loadContender } from "../contenders/index.ts";
import { withDirectory } from "../directory.ts";
import { collectGarbage } from "../measure.ts";
import { Workload } from "../workload.ts";

export interface HeapInput {
	readonly contender: string;
	readonly nodes: number;
}

export interface HeapResult {
	/** Bytes of the JavaScript heap, and of the buffers outside of it, for each node. */
	readonly heap: number;
	/** Bytes by which the process has grown, for each node: with what WebAssembly holds, and with what was only in use for a while. */
	readonly resident: number;
}

/** What a contender takes in memory. The outline that it was made from is gone when that is measured. */
export function run({ contender: name, nodes }: HeapInput): Promise<HeapResult> {
	return withDirectory(async (directory) => {
		const open = await loadContender(name);
		let workload: Workload | undefined = new Workload(100);
		const contender = await open(directory);
		collectGarbage();
		const before = process.memoryUsage();
		workload = new Workload(nodes);
		await contender.bulkCreate(workload.roots);
		workload = undefined;
		// What a task has just finished is held by it until the next one.
		await new Promise((resolve) => setTimeout(resolve, 100));
		collectGarbage();
		const after = process.memoryUsage();
		const [first] = await contender.list(null);
		if (first === undefined) throw new Error(`${name} has no nodes.`);
		await contender.close();
		const grown = (key: "heapUsed" | "external" | "rss") => (after[key] - before[key]) / nodes;
		return { heap: grown("heapUsed") + grown("external"), resident: grown("rss") };
	});
}
