import { spawn } from "node:child_process";
import cluster from "node:cluster";
import { closeSync, openSync, readFileSync, unlinkSync, writeSync } from "node:fs";
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";
import { type FileLock, lockFile } from "../../adapters/file/lock.js";
import { OutlineError } from "../../src/errors.js";

/*
 * `hold <path>` locks the path and says how that went: `held` or `refused <code> <message>`. Then it obeys lines: `release`,
 * `leave` (ends without releasing), `idle` (waits for nothing: ends if nothing keeps it alive), `inherit` (starts a process
 * that lives on, and says its pid).
 *
 * `cluster <path>` does the same in the worker of a cluster, whose primary process lives on.
 *
 * `contend <path>` takes and releases the lock for ever. Each time it has it, it says `alone`, or who else has it.
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
	const guard = `${path}.guard`;
	for (;;) {
		const lock = await lockFile(path).catch(() => undefined);
		if (lock === undefined) {
			await pause(Math.random() * 5);
			continue;
		}
		say(enter(guard));
		await pause(Math.random() * 5);
		unlinkSync(guard);
		await lock.release();
	}
}

/** Puts up a guard that a second holder would find; the guard of a process that was killed doesn't count. */
function enter(guard: string): string {
	for (;;) {
		try {
			const descriptor = openSync(guard, "wx");
			writeSync(descriptor, String(process.pid));
			closeSync(descriptor);
			return "alone";
		} catch {
			const other = readFileSync(guard, "latin1");
			if (other === "" || isAlive(Number(other))) return `with ${other}`;
			unlinkSync(guard);
		}
	}
}

function isAlive(pid: number): boolean {
	try {
		// A killed process that its parent hasn't waited for yet is in state Z.
		return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, "latin1"));
	} catch {
		return false;
	}
}
