import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import type { Synced } from "../contender.ts";
import { loadContender } from "../contenders/index.ts";
import { withDirectory } from "../directory.ts";
import { median } from "../measure.ts";
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
	/** Bytes sent for one renamed node, not compressed. */
	readonly rename: number;
}

type Open = (directory: string) => Promise<Synced>;

/** The first sync of a compared library: its whole document as it saves it, or the answers of its server. */
export async function run({ contender, nodes }: FirstSyncInput): Promise<FirstSyncResult> {
	const open = await loadContender<Synced>(contender);
	await measure(open, 1_000);
	return measure(open, nodes);
}

function measure(open: Open, nodes: number): Promise<FirstSyncResult> {
	return withDirectory(async (directory) => {
		const workload = new Workload(nodes);
		const sender = await open(directory);
		await sender.bulkCreate(workload.roots);
		await sender.save?.();
		const update = await sender.sendUpdate!(workload.nodes(1)[0]!, "another name with just about forty chars");
		await sender.close();
		if (update.length === 0) throw new Error("The update has sent nothing.");
		const sent = new Map<string, Buffer>();
		for (const file of await readdir(directory)) sent.set(file, gzipSync(await readFile(join(directory, file))));
		const bytes = [...sent.values()].reduce((sum, { length }) => sum + length, 0);
		const times: number[] = [];
		for (let round = 0; round < 4; round++) times.push(await receive(open, sent, workload.roots.length));
		return { bytes: bytes / nodes, milliseconds: median(times.slice(1)), rename: update.length };
	});
}

/** Measures a first sync of bytes in memory. A contender reads files: writing these doesn't count. */
function receive(open: Open, sent: ReadonlyMap<string, Buffer>, roots: number): Promise<number> {
	return withDirectory(async (directory) => {
		let started = performance.now();
		const contents = Array.from(sent, ([file, bytes]) => [join(directory, file), gunzipSync(bytes)] as const);
		const unpacked = performance.now() - started;
		for (const [path, content] of contents) await writeFile(path, content);
		started = performance.now();
		const receiver = await open(directory);
		const top = await receiver.list(null);
		const milliseconds = unpacked + performance.now() - started;
		if (top.length !== roots) throw new Error(`The root has ${top.length} children instead of ${roots}.`);
		await receiver.close();
		return milliseconds;
	});
}
