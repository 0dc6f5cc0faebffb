import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath, pathToFileURL } from "node:url";
import { type BuildOptions, build } from "esbuild";
import { afterAll, beforeAll, onTestFinished } from "vitest";

/**
 * A TypeScript program, bundled with its packages before the tests. A bundle starts several times faster than
 * tsx, and twice as fast as a program that loads its packages.
 */
export interface Program {
	/** The path of the bundle. */
	readonly path: string;
	/** Starts a process, which is killed after the present test. */
	start(args?: readonly string[], options?: ChildOptions): Child;
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
	readonly env?: NodeJS.ProcessEnv;
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

const root = fileURLToPath(new URL("../..", import.meta.url));

/** Bundles a program of the project, which finds the files beside its source. */
export function projectProgram(file: string): Program {
	return program(file, async () => {
		const cache = join(root, "node_modules", ".cache");
		await mkdir(cache, { recursive: true });
		const define = { "import.meta.url": JSON.stringify(pathToFileURL(join(root, file)).href) };
		return [await mkdtemp(join(cache, "program-")), { define }];
	});
}

/** Bundles a program in a folder of its own, so that other runtimes and other users can run it. */
export function standaloneProgram(file: string): Program {
	return program(file, async () => {
		const directory = await mkdtemp(join(tmpdir(), "outlinekit-program-"));
		await chmod(directory, 0o755);
		return [directory, {}];
	});
}

function program(file: string, prepare: () => Promise<[directory: string, options: BuildOptions]>): Program {
	let directory: string;
	const bundle = () => join(directory, "program.mjs");
	beforeAll(async () => {
		const [created, options] = await prepare();
		directory = created;
		await build({
			entryPoints: [join(root, file)],
			outdir: directory,
			entryNames: "program",
			outExtension: { ".js": ".mjs" },
			bundle: true,
			// A process loads only the modules that it uses.
			splitting: true,
			format: "esm",
			platform: "node",
			target: "es2022",
			tsconfig: join(root, "tsconfig.json"),
			logLevel: "silent",
			...options,
		});
	});
	afterAll(() => rm(directory, { recursive: true }));
	return {
		get path() {
			return bundle();
		},
		start(args = [], options = {}) {
			const child = startProcess([bundle(), ...args], options);
			onTestFinished(() => child.kill());
			return child;
		},
	};
}

/** Starts a process, which the caller ends. */
export function startProcess(
	args: readonly string[],
	{ command: [runtime = "", ...before] = [process.execPath], fileSizeLimit, ...options }: ChildOptions = {},
): Child {
	const all = [...before, ...args];
	// The shell counts in half kibibytes.
	const limited = ["-c", 'ulimit -S -f "$0" && exec "$@"', String(2 * (fileSizeLimit ?? 0)), runtime, ...all];
	const child = fileSizeLimit === undefined ? spawn(runtime, all, options) : spawn("sh", limited, options);
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
