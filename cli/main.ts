#!/usr/bin/env node
import { readFileSync } from "node:fs";
import { Call } from "./call.ts";
import { commands } from "./commands.ts";
import { exitCodes, failureOf } from "./failure.ts";
import { commandHelp, programHelp } from "./help.ts";
import { parse } from "./options.ts";
import { Output, PipeClosed } from "./output.ts";

process.exitCode = await run(process.argv.slice(2));

/** Runs a command line. Returns the exit code. */
async function run(words: readonly string[]): Promise<number> {
	const stopping = new AbortController();
	for (const signal of ["SIGINT", "SIGTERM"] as const) {
		// A second signal meets no handler any more and ends the process at once.
		process.once(signal, () => stopping.abort());
	}
	try {
		return await runCommand(words, stopping.signal);
	} catch (error) {
		if (error instanceof PipeClosed) return exitCodes.done;
		if (stopping.signal.aborted) return exitCodes.interrupted;
		const { message, code, exitCode } = failureOf(error);
		process.stderr.write(`outlinekit: ${message} [${code}]\n`);
		return exitCode;
	}
}

async function runCommand(words: readonly string[], signal: AbortSignal): Promise<number> {
	const [first] = words;
	if (first === undefined || first === "--help" || first === "-h") {
		process.stdout.write(`${programHelp(commands)}\n`);
		return first === undefined ? exitCodes.usage : exitCodes.done;
	}
	if (first === "--version") {
		process.stdout.write(`${version()}\n`);
		return exitCodes.done;
	}
	const { command, words: rest, options } = parse(words, commands, process.env);
	if (options.flag("help")) {
		process.stdout.write(`${commandHelp(command)}\n`);
		return exitCodes.done;
	}
	const output = new Output({ json: options.flag("json"), quiet: options.flag("quiet") });
	const call = new Call(rest, options, output, signal);
	try {
		await command.run(call);
		return exitCodes.done;
	} finally {
		output.endProgress();
		await call.close();
	}
}

/** The version of the package, whose file is above this one in the package and in the repository. */
function version(): string {
	const file = new URL("../package.json", import.meta.url);
	return (JSON.parse(readFileSync(file, "utf8")) as { version: string }).version;
}
