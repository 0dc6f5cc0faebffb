import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { startServer } from "../examples/http-server/server.ts";

/** The program of a server's process: its first argument says which server, and what it needs comes as a message. */

/** What the server of `npm start` needs: the directory of its outline. */
export interface OutlineServerInput {
	readonly directory: string;
}

/** What the bare server needs: what it answers, but for the id and what it is sent. */
export interface BareServerInput {
	readonly node: Readonly<Record<string, unknown>>;
	readonly made: Readonly<Record<string, unknown>>;
}

/** What a server says when it listens. */
export interface Listening {
	readonly port: number;
}

/** What a server says when it is asked how large it is: bytes, since it was asked the last time. */
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
	const { address } = await startServer({ port: 0, directory, apiKey, outline: { timeZone: "UTC" } });
	return Number(new URL(address).port);
}

/** Parses JSON and answers JSON of the same shape, for whoever has the key, and does nothing else. */
async function startBare({ node, made }: BareServerInput): Promise<number> {
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
		request.on("end", () => answer({ ...made, ...JSON.parse(Buffer.concat(chunks).toString()) }));
	});
	await new Promise<void>((resolve) => {
		server.listen(0, "127.0.0.1", resolve);
	});
	return (server.address() as AddressInfo).port;
}
