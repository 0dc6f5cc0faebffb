import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { loadContender } from "../contenders/index.ts";
import { Workload } from "../workload.ts";

export interface FillInput {
	readonly contender: string;
	readonly nodes: number;
	readonly directory: string;
}

export interface FillResult {
	/** Bytes on disk, for each node. */
	readonly bytes: number;
}

/** Leaves a seeded outline on the disk. */
export async function run({ contender: name, nodes, directory }: FillInput): Promise<FillResult> {
	const contender = await (await loadContender(name))(directory);
	await contender.bulkCreate(new Workload(nodes).roots);
	await contender.save?.();
	await contender.close();
	let bytes = 0;
	for (const file of await readdir(directory)) bytes += (await stat(join(directory, file))).size;
	return { bytes: bytes / nodes };
}
