import { open, stat } from "node:fs/promises";
import { join } from "node:path";
import { Outline } from "outlinekit";
import { createFileStorage } from "outlinekit/file";
import { withDirectory } from "../directory.ts";
import { median } from "../measure.ts";

export interface DurableResult {
	/** Microseconds of a commit: the median. */
	readonly commit: number;
	/** Microseconds of a write of as many bytes and fdatasync: the median. */
	readonly sync: number;
	/** Commits a second of creates that are under way at once, a hundred of them. */
	readonly concurrent: number;
	/** Writes a second with a fdatasync each. */
	readonly oneByOne: number;
}

const rounds = 9;
const calls = 100;

/** Durable commits of a file storage and bare writes that are synced, in turns. */
export function run(): Promise<DurableResult> {
	return withDirectory(async (directory) => {
		const path = join(directory, "outline.jsonl");
		const outline = new Outline({ storage: createFileStorage(path), timeZone: "UTC" });
		const bare = await open(join(directory, "bare"), "a");
		let made = 0;
		const create = () => outline.create({ name: `node ${++made} of those that are created`.padEnd(40, ".") });
		for (let number = 0; number < calls; number++) await create();
		const { size } = await stat(path);
		await create();
		const bytes = Buffer.alloc((await stat(path)).size - size, "x");
		const write = async () => {
			await bare.write(bytes);
			await bare.datasync();
		};
		const commits: number[] = [];
		const syncs: number[] = [];
		const concurrent: number[] = [];
		for (let round = 0; round < rounds; round++) {
			// Each call takes its turn, so that whatever else the disk does hits both alike.
			for (let number = 0; number < calls; number++) {
				commits.push(await millisecondsOf(create));
				syncs.push(await millisecondsOf(write));
			}
			concurrent.push(await millisecondsOf(() => Promise.all(Array.from({ length: calls }, create))));
		}
		await outline.close();
		await bare.close();
		const mean = syncs.reduce((sum, each) => sum + each) / syncs.length;
		return {
			commit: median(commits) * 1000,
			sync: median(syncs) * 1000,
			concurrent: (calls * 1000) / median(concurrent),
			oneByOne: 1000 / mean,
		};
	});
}

async function millisecondsOf(work: () => Promise<unknown>): Promise<number> {
	const started = performance.now();
	await work();
	return performance.now() - started;
}
