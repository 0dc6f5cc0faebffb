import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { loadContender } from "../contenders/index.ts";
import { withDirectory } from "../directory.ts";
import { Workload } from "../workload.ts";

export interface FirstSyncInput {
	readonly contender: string;
	readonly nodes: number;
}

export interface FirstSyncResult {
	/** Bytes of a whole document for each node, compressed. */
	readonly bytes: number;
	/** Milliseconds from these bytes to the children of the root. */
	readonly milliseconds: number;
}

/** The first sync of a compared library: its whole document, as it saves it. */
export async function run({ contender, nodes }: FirstSyncInput): Promise<FirstSyncResult> {
	await once(contender, 1_000);
	return once(contender, nodes);
}

function once(name: string, nodes: number): Promise<FirstSyncResult> {
	return withDirectory(async (directory) => {
		const open = await loadContender(name);
		const sender = await open(directory);
		await sender.bulkCreate(new Workload(nodes).roots);
		await sender.save?.();
		await sender.close();
		const [file] = await readdir(directory);
		const path = join(directory, file!);
		const sent = gzipSync(await readFile(path));
		const started = performance.now();
		await writeFile(path, gunzipSync(sent));
		const receiver = await open(directory);
		const top = await receiver.list(null);
		const milliseconds = performance.now() - started;
		if (top.length === 0) throw new Error(`${name} has no nodes.`);
		await receiver.close();
		return { bytes: sent.length / nodes, milliseconds };
	});
}
