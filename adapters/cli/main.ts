#!/usr/bin/env node
import { setFlagsFromString } from "node:v8";
import { exitCodes } from "./failure.ts";
import { run } from "./run.ts";

// By default V8 lets the heap grow to four times its live size before it collects garbage. Most of the memory of
// a server would be garbage.
if (process.argv[2] === "serve") setFlagsFromString("--heap-growing-percent=100");

const stopping = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"] as const) {
	// A second signal meets no handler any more and ends the process at once.
	process.once(signal, () => stopping.abort());
}
const { env: environment, stdin, stdout, stderr } = process;
process.exitCode = await run(process.argv.slice(2), { environment, stdin, stdout, stderr, signal: stopping.signal });
// A reader that has stopped reading would keep the program waiting.
if (process.exitCode === exitCodes.interrupted) process.exit();
