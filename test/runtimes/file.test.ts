import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { lockFile } from "../../adapters/file/lock.js";
import { createFileStorage } from "../../adapters/file.js";
import { Outline } from "../../src/outline.js";
import { runtimeCommand } from "../setup/runtimes.js";
import { type Child, type Program, standaloneProgram } from "../support/program.js";
import { temporaryFolder } from "../support/temporary.js";

const programs = {
	lock: standaloneProgram("test/adapters/file/lock-program.ts"),
	shared: standaloneProgram("test/adapters/file/shared-program.ts"),
	writer: standaloneProgram("test/adapters/file/writer-program.ts"),
};
let directory: string;
let path: string;
beforeEach(() => {
	directory = temporaryFolder();
	path = join(directory, "outline.jsonl");
});

describe.each(["bun", "deno"] as const)("the file storage in %s", (name) => {
	const command = runtimeCommand(name);

	function start(program: Program, args: readonly string[], options = { command }): Child {
		return program.start(args, options);
	}

	async function isRefused(holder: Child): Promise<void> {
		await expect(lockFile(path)).rejects.toMatchObject({
			code: "storage_unavailable",
			message: expect.stringContaining(`is open in process ${holder.pid}.`),
		});
	}

	/** Opens the file in this process. Returns how many nodes it has: the numbers from 0, each once. */
	async function countNodes(): Promise<number> {
		const outline = new Outline({ storage: createFileStorage(path) });
		const { nodes } = await outline.list();
		await outline.close();
		expect(nodes.map(({ name }) => name)).toEqual(nodes.map((_, index) => String(index)));
		return nodes.length;
	}

	test("keeps what was acknowledged although its process is killed, time and again", async () => {
		let count = 0;
		for (let round = 0; round < 4; round++) {
			const child = start(programs.writer, [path, String(count), "5"]);
			let told = count;
			for (; told < count + 20 * (round + 1); told++) expect(await child.line()).toBe(String(told));
			await child.kill();
			count = await countNodes();
			expect(count).toBeGreaterThanOrEqual(told);
		}
		expect(await readdir(directory)).toEqual(["outline.jsonl"]);
	});

	test("has the lock to itself, beside other processes of its own kind and of Node", async () => {
		const holder = start(programs.lock, ["hold", path]);
		expect(await holder.line()).toBe("held");
		await isRefused(holder);
		expect(await start(programs.lock, ["hold", path]).line()).toContain(`is open in process ${holder.pid}.`);
		holder.tell("release");
		expect(await holder.line()).toBe("released");
		expect(await readdir(directory)).toEqual([]);
		const lock = await lockFile(path);
		expect(await start(programs.lock, ["hold", path]).line()).toContain(`is open in process ${process.pid}.`);
		await lock.release();
	});

	test("frees the lock when its process is killed, and doesn't keep the process alive", async () => {
		const killed = start(programs.lock, ["hold", path]);
		expect(await killed.line()).toBe("held");
		await killed.kill();
		const idle = start(programs.lock, ["hold", path]);
		expect(await idle.line()).toBe("held");
		idle.tell("idle");
		expect(await idle.ended).toMatchObject({ code: 0 });
		await (await lockFile(path)).release();
		expect(await readdir(directory)).toEqual([]);
	});

	test.skipIf(process.platform === "win32")(
		"takes a process that is stopped for living, however many ask",
		async () => {
			for (const options of [{ command }, { command: [process.execPath] }]) {
				const holder = start(programs.lock, ["hold", path], options);
				expect(await holder.line()).toBe("held");
				holder.process.kill("SIGSTOP");
				// More than the queue of its socket takes.
				for (let round = 0; round < 15; round++) await Promise.all(Array.from({ length: 50 }, () => isRefused(holder)));
				expect(await start(programs.lock, ["hold", path]).line()).toContain(`is open in process ${holder.pid}.`);
				await holder.kill();
			}
		},
	);

	test("is shared by the storages of a thread, and refused in another one", async () => {
		const child = start(programs.shared, [path]);
		expect(await child.line()).toMatch(/^storage_unavailable .* is open in another thread of this process/);
		expect(await child.line()).toBe("one, other");
		expect(await child.ended).toMatchObject({ code: 0 });
	});
});
