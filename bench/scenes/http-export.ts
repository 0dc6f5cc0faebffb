import { type IncomingMessage, get as request } from "node:http";
import { startServerProcess } from "../server.ts";
import { apiKey } from "../server-process.ts";

export interface HttpExportInput {
	/** Where the outline's file is. */
	readonly directory: string;
}

export interface HttpExportResult {
	/** Milliseconds until the first byte of the body, and until the last. */
	readonly first: number;
	readonly last: number;
	/** Bytes by which the server's process grew meanwhile, at most. */
	readonly growth: number;
	readonly bytes: number;
}

/** An export of the whole outline over HTTP, after a request that lets the compiler see the way. */
export async function run({ directory }: HttpExportInput): Promise<HttpExportResult> {
	const server = await startServerProcess("outline", { directory });
	const ask = (path: string) =>
		new Promise<IncomingMessage>((resolve, reject) => {
			const url = `http://127.0.0.1:${server.port}/api/v1/${path}`;
			request(url, { headers: { authorization: `Bearer ${apiKey}` } }, resolve).once("error", reject);
		});
	for await (const _ of await ask("nodes")) void 0;
	await server.growth();
	const started = performance.now();
	const response = await ask("nodes-export");
	let first: number | undefined;
	let bytes = 0;
	for await (const chunk of response) {
		first ??= performance.now() - started;
		bytes += (chunk as Buffer).length;
	}
	const last = performance.now() - started;
	const growth = await server.growth();
	await server.stop();
	if (response.statusCode !== 200 || first === undefined)
		throw new Error(`The export ends with ${response.statusCode}.`);
	return { first, last, growth, bytes };
}
