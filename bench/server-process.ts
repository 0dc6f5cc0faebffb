import { type FileHandle, open } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { startFileServer } from "../test/support/file-server.ts";

/** The program of a server's process: its first argument names the server, and a message has its settings. */

/** The settings of the server of `npm start`: the directory of its outline. */
export interface OutlineServerInput {
	readonly directory: string;
}

/** The settings of the bare server: its answers, without the id and the received fields, and where it writes. */
export interface BareServerInput {
	readonly directory: string;
	readonly node: Readonly<Record<string, unknown>>;
	readonly made: Readonly<Record<string, unknown>>;
}

/** The message of a server when it listens. */
export interface Listening {
	readonly port: number;
}

/** The answer of a server about its memory: the growth in bytes since the last question. */
export interface Growth {
	readonly most: number;
}

export const apiKey = "bench";

process.once("message", async (input) => {
	const start = process.argv[2] === "bare" ? startBare : startOutline;
	process.send!({ port: await start(input as BareServerInput & OutlineServerInput) } satisfies Listening);
	let before = process.memoryUsage.rss();
	let most = before;
	setInterval(() => {
		most = Math.max(most, process.memoryUsage.rss());
	}, 5).unref();
	process.on("message", () => {
		process.send!({ most: Math.max(most, process.memoryUsage.rss()) - before } satisfies Growth);
		globalThis.gc?.();
		before = process.memoryUsage.rss();
		most = before;
	});
});

async function startOutline({ directory }: OutlineServerInput): Promise<number> {
	const { address } = await startFileServer({ port: 0, directory, apiKey });
	return Number(new URL(address).port);
}

/**
 * Parses JSON and answers JSON of the same shape, for requests with the key. It appends what it receives to a file,
 * and answers when that is durable.
 */
async function startBare({ directory, node, made }: BareServerInput): Promise<number> {
	const file = new AppendedFile(await open(join(directory, "bare.jsonl"), "a"));
	const server = createServer((request, response) => {
		if (request.headers.authorization !== `Bearer ${apiKey}`) {
			response.writeHead(401).end();
			return;
		}
		const answer = (value: unknown) => {
			const body = JSON.stringify(value);
			response.writeHead(200, { "content-type": "application/json", "content-length": Buffer.byteLength(body) });
			response.end(body);
		};
		if (request.method === "GET") {
			answer({ ...node, id: request.url!.slice(request.url!.lastIndexOf("/") + 1) });
			return;
		}
		const chunks: Buffer[] = [];
		request.on("data", (chunk: Buffer) => chunks.push(chunk));
		request.on("end", async () => {
			const value = { ...made, ...JSON.parse(Buffer.concat(chunks).toString()) };
			await file.append(`${JSON.stringify(value)}\n`);
			answer(value);
		});
	});
	await new Promise<void>((resolve) => {
		server.listen(0, "127.0.0.1", resolve);
	});
	return (server.address() as AddressInfo).port;
}

/** A file whose lines become durable in groups: lines that arrive during an fdatasync share the next one. */
class AppendedFile {
	readonly #handle: FileHandle;
	#waiting = "";
	#syncing: Promise<void> = Promise.resolve();
	#next: Promise<void> | undefined;

	constructor(handle: FileHandle) {
		this.#handle = handle;
	}

	/** Resolves when the line is durable. */
	append(line: string): Promise<void> {
		this.#waiting += line;
		this.#next ??= this.#syncing.then(() => {
			this.#syncing = this.#write();
			return this.#syncing;
		});
		return this.#next;
	}

	async #write(): Promise<void> {
		const text = this.#waiting;
		this.#waiting = "";
		this.#next = undefined;
		await this.#handle.write(text);
		await this.#handle.datasync();
	}
}
