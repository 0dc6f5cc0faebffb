import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { onTestFinished } from "vitest";
import { projectProgram } from "./program.js";

/** The end of a process. */
export interface Ended {
	readonly status: number | null;
	readonly stdout: string;
	readonly stderr: string;
}

/** A running process of the program `outlinekit`. */
export interface Running {
	readonly child: ChildProcessWithoutNullStreams;
	/** Waits for a text in the output. Rejects if the process ends before. */
	printed(text: RegExp): Promise<RegExpExecArray>;
	readonly ended: Promise<Ended>;
}

/** The program `outlinekit`, bundled before the tests of a file. */
export interface OutlinekitProgram {
	/** Returns the path of the bundle. */
	path(): string;
	/** Starts it. The process is killed after the present test. */
	start(...words: string[]): Running;
	/** Runs it to its end, with nothing on its standard input. */
	run(...words: string[]): Promise<Ended>;
}

/** @param environment - the variables of each process, beside those of this one; of `OUTLINEKIT_…`, only these */
export function outlinekitProgram(environment: () => Record<string, string>): OutlinekitProgram {
	const program = projectProgram("adapters/cli/main.ts");
	const start = (...words: string[]): Running => {
		const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith("OUTLINEKIT_"));
		const env = { ...Object.fromEntries(inherited), TZ: "UTC", ...environment() };
		const child = spawn(process.execPath, [program.path, ...words], { env });
		onTestFinished(() => void child.kill("SIGKILL"));
		child.stdin.on("error", () => {});
		let [stdout, stderr] = ["", ""];
		child.stdout.setEncoding("utf8").on("data", (text: string) => {
			stdout += text;
		});
		child.stderr.setEncoding("utf8").on("data", (text: string) => {
			stderr += text;
		});
		const ended = once(child, "close").then(([status]) => ({ status: status as number | null, stdout, stderr }));
		return {
			child,
			ended,
			printed: (text) =>
				new Promise((resolve, reject) => {
					const look = () => {
						const found = text.exec(stdout + stderr);
						if (found !== null) resolve(found);
					};
					child.stdout.on("data", look);
					child.stderr.on("data", look);
					void ended.then((end) => reject(new Error(`It ended: ${JSON.stringify(end)}`)));
					look();
				}),
		};
	};
	return {
		path: () => program.path,
		start,
		run(...words) {
			const { child, ended } = start(...words);
			child.stdin.end();
			return ended;
		},
	};
}

/** Returns a function that lists an outline by a program, as text without ids. */
export function treeBy(run: OutlinekitProgram["run"]): (...words: string[]) => Promise<string> {
	return async (...words) => {
		const { stdout } = await run("list", "--no-json", ...words);
		return stdout.replace(/ {2}[0-9a-f]{12}$/gm, "");
	};
}
