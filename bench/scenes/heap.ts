import { loadContender } from "../contenders/index.ts";
import { withDirectory } from "../directory.ts";
import { collectGarbage } from "../measure.ts";
import { Workload } from "../workload.ts";

export interface HeapInput {
	readonly contender: string;
	readonly nodes: number;
}

export interface HeapResult {
	/** Bytes of the JavaScript heap and outside of it, such as the memory of WebAssembly, for each node. */
	readonly heap: number;
}

/** The memory of a contender. The outline that it was made from is freed before the measurement. */
export function run({ contender: name, nodes }: HeapInput): Promise<HeapResult> {
	return withDirectory(async (directory) => {
		const open = await loadContender(name);
		let workload: Workload | undefined = new Workload(100);
		const contender = await open(directory);
		await collectGarbage();
		const before = process.memoryUsage();
		workload = new Workload(nodes);
		await contender.bulkCreate(workload.roots);
		workload = undefined;
		// The runtime keeps the result of the last task until the next one.
		await new Promise((resolve) => setTimeout(resolve, 100));
		await collectGarbage();
		const after = process.memoryUsage();
		const [first] = await contender.list(null);
		if (first === undefined) throw new Error(`${name} has no nodes.`);
		await contender.close();
		const bytes = after.heapUsed + after.external - before.heapUsed - before.external;
		return { heap: bytes / nodes };
	});
}
