import { spawn } from "node:child_process";
import cluster from "node:cluster";
import { appendFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";
import { type FileLock, lockFile } from "../../../adapters/file/lock.js";
import { OutlineError } from "../../../src/errors.js";

/*
 * `hold <path>` locks the path and prints the outcome: `held` or `refused <code> <message>`. Then it obeys
 * lines:
 *
 * - `release`
 * - `leave`: ends without releasing
 * - `idle`: waits for nothing, so it ends if nothing keeps it alive
 * - `inherit`: starts a process that lives on, and prints its pid
 *
 * `cluster <path>` does the same in the worker of a cluster, whose primary process lives on.
 *
 * `contend <path>` takes and releases the lock again and again. While it holds the lock, it sometimes appends
 * a line to `<path>.log`, with a different word for each time.
 */
const [mode = "", path = ""] = process.argv.slice(2);
const say = (line: string) => process.stdout.write(`${line}\n`);

if (mode === "contend") await contend();
else if (mode === "cluster" && cluster.isPrimary) {
	cluster.fork();
	setInterval(() => undefined, 1_000);
} else await hold();

async function hold(): Promise<void> {
	let lock: FileLock;
	try {
		lock = await lockFile(path);
	} catch (error) {
		say(error instanceof OutlineError ? `refused ${error.code} ${error.message}` : `failed ${String(error)}`);
		process.exit();
	}
	say("held");
	const input = createInterface(process.stdin);
	for await (const line of input) {
		if (line === "release") {
			await lock.release();
			say("released");
		} else if (line === "leave") {
			process.exit();
		} else if (line === "idle") {
			input.close();
			process.stdin.destroy();
		} else if (line === "inherit") {
			const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { detached: true, stdio: "ignore" });
			say(String(child.pid));
		}
	}
}

async function contend(): Promise<never> {
	for (let turn = 0; ; turn++) {
		const lock = await lockFile(path).catch(() => undefined);
		if (lock !== undefined) {
			for (let step = 0; step < 4; step++) {
				appendFileSync(`${path}.log`, `${process.pid}-${turn}\n`);
				await pause(Math.random() * 2);
			}
			await lock.release();
		}
		await pause(Math.random() * 5);
	}
}
