import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, test } from "vitest";
import { runtimeCommand } from "../setup/runtimes.js";
import { type SuiteName, suites } from "./suites.js";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** A runtime other than Node. */
export type RuntimeName = "bun" | "deno";

/** A process of another runtime, in which tests run one after the other. */
class Runtime {
	readonly #name: RuntimeName;
	#directory = "";
	#child: ChildProcess | undefined;
	/** Waits for what became of a test, the oldest first. */
	readonly #waiting: ((outcome: { readonly error?: string }) => void)[] = [];
	#said = "";

	constructor(name: RuntimeName) {
		this.#name = name;
	}

	/** Bundles the program and starts it. */
	async start(): Promise<void> {
		this.#directory = await mkdtemp(join(tmpdir(), "outlinekit-runtime-"));
		const program = join(this.#directory, "program.mjs");
		await build({
			entryPoints: [fileURLToPath(new URL("program.ts", import.meta.url))],
			outfile: program,
			bundle: true,
			format: "esm",
			platform: "node",
			target: "es2022",
			logLevel: "silent",
		});
		const [binary, ...options] = runtimeCommand(this.#name);
		const child = spawn(binary!, [...options, program], {
			cwd: root,
			stdio: ["pipe", "pipe", "pipe"],
		});
		createInterface({ input: child.stdout }).on("line", (line) => this.#waiting.shift()?.(JSON.parse(line)));
		child.stderr.setEncoding("utf8").on("data", (more: string) => {
			this.#said = (this.#said + more).slice(-10_000);
		});
		child.once("close", () => {
			for (const tell of this.#waiting.splice(0)) tell({ error: `The process has ended:\n${this.#said}` });
		});
		this.#child = child;
	}

	/** Runs a test. Fails if it does. */
	async run(suite: SuiteName, name: string): Promise<void> {
		const outcome = await new Promise<{ readonly error?: string }>((resolve) => {
			this.#waiting.push(resolve);
			this.#child!.stdin!.write(`${JSON.stringify([suite, name])}\n`);
		});
		if (outcome.error !== undefined) throw new Error(outcome.error);
	}

	async stop(): Promise<void> {
		if (this.#child !== undefined && this.#child.exitCode === null) {
			const ended = once(this.#child, "close");
			this.#child.stdin!.end();
			await ended;
		}
		await rm(this.#directory, { recursive: true, force: true });
	}
}

/** Registers some suites, which are run in another runtime. */
export function describeRuntime(name: RuntimeName, wanted: readonly SuiteName[]): void {
	const runtime = new Runtime(name);
	beforeAll(() => runtime.start());
	afterAll(() => runtime.stop());
	for (const suite of wanted) {
		describe(`in ${name}: ${suite}`, () => {
			// Registered here for their names alone: they are run there.
			suites[suite](Object.assign((each: string) => test(each, () => runtime.run(suite, each)), { skip: test.skip }));
		});
	}
}
