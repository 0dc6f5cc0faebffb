import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { build } from "tsup";

/** A TypeScript program, bundled so that Node can start it many times. */
export interface ChildProgram {
	start(args: readonly string[], options?: ChildOptions): Child;
	/** Removes the bundle. */
	remove(): Promise<void>;
}

export interface ChildOptions {
	/** The runtime and its arguments. Default: the present Node. */
	readonly command?: readonly string[];
	/** The user of the process. Default: the present user. */
	readonly uid?: number;
	/**
	 * The size of the largest file that it may write, in kibibytes. The limit can be lifted later. Not on
	 * Windows. Default: any size.
	 */
	readonly fileSizeLimit?: number;
}

/** A process that runs a program. */
export interface Child {
	readonly process: ChildProcessWithoutNullStreams;
	readonly pid: number;
	/** The next line of its output; undefined after the last one. */
	line(): Promise<string | undefined>;
	/** Writes a line to its input. */
	tell(line: string): void;
	/** Resolves when the process has ended for any reason. */
	readonly ended: Promise<{ code: number | null; signal: NodeJS.Signals | null; errors: string }>;
	/** Sends `SIGKILL` and waits for the end. */
	kill(): Promise<void>;
}

/** Bundles the program in a file of this directory. */
export async function childProgram(file: string): Promise<ChildProgram> {
	const directory = await mkdtemp(join(tmpdir(), "outlinekit-program-"));
	// Processes of other users must be able to run it.
	await chmod(directory, 0o755);
	await build({
		entry: { program: fileURLToPath(new URL(file, import.meta.url)) },
		outDir: directory,
		outExtension: () => ({ js: ".mjs" }),
		format: "esm",
		target: "node20",
		noExternal: [/.*/],
		config: false,
		dts: false,
		silent: true,
	});
	return {
		start: (args, options = {}) => start([join(directory, "program.mjs"), ...args], options),
		remove: () => rm(directory, { recursive: true }),
	};
}

function start(args: readonly string[], { command, fileSizeLimit, ...options }: ChildOptions): Child {
	const [runtime, ...before] = command ?? [process.execPath];
	const all = [runtime!, ...before, ...args];
	// The shell counts in half kibibytes.
	const limited = ["-c", 'ulimit -S -f "$0" && exec "$@"', String(2 * (fileSizeLimit ?? 0)), ...all];
	const child = fileSizeLimit === undefined ? spawn(runtime!, all.slice(1), options) : spawn("sh", limited, options);
	const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
	let errors = "";
	child.stderr.on("data", (text: Buffer) => {
		errors += text.toString();
	});
	child.stdin.on("error", () => undefined);
	const ended = once(child, "close").then(([code, signal]) => ({ code, signal, errors }));
	return {
		process: child,
		pid: child.pid ?? 0,
		line: async () => {
			const next = await lines.next();
			return next.done === true ? undefined : next.value;
		},
		tell: (line) => child.stdin.write(`${line}\n`),
		ended,
		kill: async () => {
			child.kill("SIGKILL");
			await ended;
		},
	};
}
