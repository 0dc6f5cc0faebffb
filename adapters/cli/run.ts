import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Call, type Surroundings } from "./call.ts";
import { commands } from "./commands.ts";
import { exitCodes, failureOf } from "./failure.ts";
import { commandHelp, programHelp } from "./help.ts";
import { Output, PipeClosed } from "./output.ts";
import { parse } from "./parse.ts";
import { defaultFile } from "./place/place.ts";

/** Runs a command line, such as `["add", "milk"]`. Returns the exit code. It never throws. */
export async function run(words: readonly string[], surroundings: Surroundings): Promise<number> {
	try {
		return await runCommand(words, surroundings);
	} catch (error) {
		if (error instanceof PipeClosed) return exitCodes.done;
		if (surroundings.signal.aborted) return exitCodes.interrupted;
		const { message, code, exitCode } = failureOf(error);
		surroundings.stderr.write(`outlinekit: ${message} [${code}]\n`);
		return exitCode;
	}
}

async function runCommand(words: readonly string[], surroundings: Surroundings): Promise<number> {
	const { environment } = surroundings;
	const [first] = words;
	if (first === undefined || first === "--help" || first === "-h") {
		await printHelp(programHelp(commands, defaultFile(environment)), surroundings);
		return first === undefined ? exitCodes.usage : exitCodes.done;
	}
	if (first === "--version") {
		await printHelp(await version(), surroundings);
		return exitCodes.done;
	}
	const { command, words: rest, options } = parse(words, commands, environment);
	if (options.flag("help")) {
		await printHelp(commandHelp(command), surroundings);
		return exitCodes.done;
	}
	const output = outputOf({ json: options.flag("json"), quiet: options.flag("quiet") }, surroundings);
	const call = new Call(rest, options, output, surroundings);
	try {
		await command.run(call, commands);
	} finally {
		output.endProgress();
		await call.close();
	}
	await output.flush();
	return exitCodes.done;
}

function outputOf(options: ConstructorParameters<typeof Output>[0], { stdout, stderr, signal }: Surroundings): Output {
	return new Output(options, stdout, stderr, signal);
}

/** Prints a text that is the same on a terminal and on a pipe. */
async function printHelp(text: string, surroundings: Surroundings): Promise<void> {
	const output = outputOf({ json: false, quiet: false }, surroundings);
	await output.write(`${text}\n`);
	await output.flush();
}

/** The version of the package. */
async function version(): Promise<string> {
	const { packageFolder } = await import("./package-folder.ts");
	const text = readFileSync(join(packageFolder(), "package.json"), "utf8");
	return (JSON.parse(text) as { version: string }).version;
}
