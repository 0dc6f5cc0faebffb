import { execFile, spawnSync } from "node:child_process";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";
import { beforeEach, describe, expect, it } from "vitest";
import { createFileStorage } from "../../../adapters/file.js";
import { Outline } from "../../../src/outline.js";
import { soak } from "../../setup/soak.js";
import { type Child, type ChildOptions, standaloneProgram } from "../../support/program.js";
import { temporaryFolder } from "../../support/temporary.js";

const program = standaloneProgram("test/adapters/file/writer-program.ts");
let directory: string;
let path: string;

beforeEach(() => {
	directory = temporaryFolder();
	path = join(directory, "outline");
});

/** Starts a process that writes, and records its output. */
function startWriter(
	first: number,
	most: number,
	options?: ChildOptions,
): { child: Child; said: string[]; heard: Promise<void> } {
	const child = program.start([path, String(first), String(most)], options);
	const said: string[] = [];
	const heard = (async () => {
		for (let line = await child.line(); line !== undefined; line = await child.line()) said.push(line);
	})();
	return { child, said, heard };
}

/**
 * Opens the file and checks that it has the nodes of all numbers from 0, each once and whole. Returns their
 * number.
 */
async function countNodes(): Promise<number> {
	const outline = new Outline({ storage: createFileStorage(path) });
	try {
		const { nodes } = await outline.list();
		expect(nodes.map(({ name }) => name)).toEqual(nodes.map((_, index) => String(index)));
		for (const { name, note } of nodes) expect(note?.replaceAll(name, "")).toBe("");
		return nodes.length;
	} finally {
		await outline.close();
	}
}

const timeout = 60_000 * soak;

describe("a process that writes to an outline and is killed", () => {
	it("leaves every acknowledged commit, again and again", { timeout }, async () => {
		let count = 0;
		for (let round = 0; round < 8 * soak; round++) {
			const { child, said, heard } = startWriter(count, 5);
			await expect.poll(() => said.length, { timeout: 20_000, interval: 5 }).toBeGreaterThan(0);
			await pause(Math.random() * 150);
			await child.kill();
			await heard;
			const told = count + said.length;
			expect(said).toEqual(Array.from(said, (_, index) => String(count + index)));
			count = await countNodes();
			expect(count).toBeGreaterThanOrEqual(told);
			// At most one burst was under way.
			expect(count).toBeLessThanOrEqual(told + 5);
			expect(await readdir(directory)).toEqual(["outline"]);
		}
	});
});

describe("a process with a limit on the file size", () => {
	const canLift = spawnSync("prlimit", ["--version"]).error === undefined;
	// Only Linux can lift the limit from outside.
	it.skipIf(!canLift)(
		"gets a typed error, loses nothing, and continues after the limit is lifted",
		{ timeout },
		async () => {
			const { child, said, heard } = startWriter(0, 1, { fileSizeLimit: 64 });
			const refused = "refused quota_exceeded";
			await expect.poll(() => said.filter((line) => line === refused).length, { timeout: 20_000 }).toBeGreaterThan(3);
			const before = said.filter((line) => line !== refused).length;
			await promisify(execFile)("prlimit", ["--pid", String(child.pid), "--fsize=unlimited"]);
			await expect
				.poll(() => said.filter((line) => line !== refused).length, { timeout: 20_000 })
				.toBeGreaterThan(before + 50);
			await child.kill();
			await heard;
			const told = said.filter((line) => line !== refused);
			expect(told).toEqual(told.map((_, index) => String(index)));
			expect(await countNodes()).toBeGreaterThanOrEqual(told.length);
		},
	);
});
