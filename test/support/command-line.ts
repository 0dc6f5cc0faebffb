import { PassThrough, Writable } from "node:stream";
import { onTestFinished } from "vitest";
import { run } from "../../adapters/cli/run.js";
import type { Ended } from "./outlinekit.js";

/** A command that runs in this process. */
export interface RunningCommand {
	readonly stdin: PassThrough;
	/** Waits for a text in the output. Rejects if the command ends before. */
	printed(text: RegExp): Promise<RegExpExecArray>;
	/** Stops it, as Ctrl+C does. */
	stop(): void;
	readonly ended: Promise<Ended>;
}

/** The program `outlinekit`, in this process: much faster than a process for each command. */
export interface CommandLine {
	/** Starts a command. It is stopped after the present test. */
	start(...words: string[]): RunningCommand;
	/** Runs a command to its end, with nothing on its standard input. */
	run(...words: string[]): Promise<Ended>;
}

/**
 * @param environment - the variables of each command
 * @param isTerminal - whether the output is a terminal, which has no colours
 */
export function commandLine(environment: () => Record<string, string>, isTerminal = false): CommandLine {
	const start = (...words: string[]): RunningCommand => {
		const stopping = new AbortController();
		const stdin = new PassThrough();
		const texts = { stdout: "", stderr: "" };
		let look = () => {};
		const stream = (name: keyof typeof texts) => {
			const writable = new Writable({
				decodeStrings: false,
				write(text: string | Buffer, _, done) {
					texts[name] += text;
					look();
					done();
				},
			});
			return Object.assign(writable, { isTTY: isTerminal, hasColors: () => false });
		};
		const variables = { OUTLINEKIT_TIME_ZONE: "UTC", ...environment() };
		const surroundings = { environment: variables, stdin, stdout: stream("stdout"), stderr: stream("stderr") };
		const ended = run(words, { ...surroundings, signal: stopping.signal }).then((status) => ({ status, ...texts }));
		onTestFinished(() => stopping.abort());
		return {
			stdin,
			ended,
			stop: () => stopping.abort(),
			printed: (text) =>
				new Promise((resolve, reject) => {
					look = () => {
						const found = text.exec(texts.stdout + texts.stderr);
						if (found !== null) resolve(found);
					};
					void ended.then((end) => reject(new Error(`It ended: ${JSON.stringify(end)}`)));
					look();
				}),
		};
	};
	return {
		start,
		run(...words) {
			const { stdin, ended } = start(...words);
			stdin.end();
			return ended;
		},
	};
}
