// Stops a server and removes its folder as soon as the process that started both has ended, for any reason:
// then this input ends. Run as `node keeper.js <folder>`.
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";

const directory = process.argv[2];
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => undefined);
process.stdin.on("error", () => undefined).resume();
process.stdin.once("close", async () => {
	stopServer("SIGQUIT");
	for (let waits = 0; waits < 500 && stopServer(0); waits++) await setTimeout(20);
	stopServer("SIGKILL");
	rmSync(directory, { recursive: true, force: true, maxRetries: 10 });
});

/** Sends a signal to the server (0 does nothing to it). Returns whether the server runs. */
function stopServer(signal) {
	try {
		return process.kill(Number.parseInt(readFileSync(join(directory, "data", "postmaster.pid"), "latin1"), 10), signal);
	} catch {
		return false;
	}
}
