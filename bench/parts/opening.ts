import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { withDirectory } from "../directory.ts";
import { fresh, runs } from "../fresh.ts";
import type { FillResult } from "../scenes/fill.ts";
import type { OpenResult } from "../scenes/open.ts";

/** The size of a filled contender on the disk, and its time to open. */
export interface Opening {
	/** Bytes a node: the same in each run. */
	readonly bytes: number;
	/** Milliseconds to the root's children, of each run. */
	readonly milliseconds: readonly number[];
}

/** A way to open what a contender has filled. */
export interface Opener {
	/** The contender that fills the directory. */
	readonly contender: string;
	/** The contender that opens it, in the scene `open`. */
	readonly opener: string;
}

/**
 * Fills contenders, and opens them in turns, each time in a new process. All must show the same top level.
 */
export function openings(openers: readonly Opener[], nodes: number): Promise<Opening[]> {
	return withDirectory(async (parent) => {
		const filled: { directory: string; opener: string; bytes: number; milliseconds: number[] }[] = [];
		for (const [index, { contender, opener }] of openers.entries()) {
			const directory = join(parent, String(index));
			await mkdir(directory);
			const { bytes } = await fresh<FillResult>("fill", { contender, nodes, directory });
			filled.push({ directory, opener, bytes, milliseconds: [] });
		}
		const tops = new Set<string>();
		for (let run = 0; run < runs; run++) {
			for (const { directory, opener, milliseconds } of filled) {
				const result = await fresh<OpenResult>("open", { contender: opener, directory });
				milliseconds.push(result.milliseconds);
				tops.add(JSON.stringify(result.top));
			}
		}
		if (tops.size !== 1) throw new Error("The contenders don't show the same at the top.");
		return filled;
	});
}
