import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** The server of `npm start` as a process of its own, with the heap that Node gives it. */
export class ServerProcess {
	readonly address: string;
	readonly #child: ChildProcess;
	readonly #output: () => string;

	private constructor(child: ChildProcess, address: string, output: () => string) {
		this.#child = child;
		this.address = address;
		this.#output = output;
	}

	/** Starts it on a directory. @throws with what it printed, if it ends instead */
	static async start(directory: string, apiKey: string): Promise<ServerProcess> {
		const child = spawn(process.execPath, ["--import", "tsx", join(root, "adapters", "cli", "main.ts"), "serve"], {
			cwd: root,
			env: {
				...process.env,
				NODE_OPTIONS: "",
				PORT: "0",
				OUTLINEKIT_FILE: join(directory, "outline.jsonl"),
				OUTLINEKIT_KEY: apiKey,
				OUTLINEKIT_EXPORTS_PER_MINUTE: "unlimited",
			},
		});
		let output = "";
		const address = await new Promise<string>((resolve, reject) => {
			const read = (chunk: Buffer) => {
				output = (output + chunk).slice(-10_000);
				const [, found] = /served at (http:\/\/127\.0\.0\.1:\d+)[\s\S]*Ctrl-C/.exec(output) ?? [];
				if (found !== undefined) resolve(found);
			};
			child.stdout!.on("data", read);
			child.stderr!.on("data", read);
			child.once("exit", (status) => reject(new Error(`The server ended with ${status}: ${output}`)));
		});
		return new ServerProcess(child, address, () => output);
	}

	/** Whether it is still there. */
	get isRunning(): boolean {
		return this.#child.exitCode === null && this.#child.signalCode === null;
	}

	/** The last line that it printed. */
	get output(): string {
		return this.#output();
	}

	/** The most memory that it has used, in bytes; undefined if the system doesn't report it. */
	get peak(): number | undefined {
		try {
			const [, kilobytes] =
				/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${this.#child.pid}/status`, "latin1")) ?? [];
			return kilobytes === undefined ? undefined : Number(kilobytes) * 1024;
		} catch {
			return undefined;
		}
	}

	/** Ends it as Ctrl-C does. Resolves with its exit status. */
	async stop(): Promise<number | null> {
		if (!this.isRunning) return this.#child.exitCode;
		const exit = once(this.#child, "exit") as Promise<[number | null]>;
		this.#child.kill("SIGTERM");
		const [status] = await exit;
		return status;
	}

	/** Ends it at once. */
	kill(): void {
		this.#child.kill("SIGKILL");
	}
}
