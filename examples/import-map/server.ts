import { readFile } from "node:fs/promises";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { extname } from "node:path";

/** The folder that paths begin in. */
const repository = new URL("../../", import.meta.url);

/** The page's folder and the folders that it loads from; others aren't served. No name begins with a dot. */
const served = /^\/(?:dist|node_modules|examples\/import-map)(?:\/[\w@][\w@.+-]*)*\/?$/;

const types: { readonly [extension: string]: string } = {
	".html": "text/html; charset=utf-8",
	".js": "text/javascript; charset=utf-8",
	".map": "application/json",
};

/** A server that is listening. */
export interface RunningServer {
	/** The page's. */
	readonly address: string;
	stop(): Promise<void>;
}

/** Serves the page on this machine, as any server of static files would from the repository's folder. */
export async function startServer(port: number): Promise<RunningServer> {
	const server = createServer((request, response) => void answer(request.url ?? "", response));
	await new Promise<void>((listening, failed) => {
		server.once("error", failed).listen(port, "127.0.0.1", listening);
	});
	return {
		address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/examples/import-map/`,
		async stop() {
			const closed = new Promise((resolve) => server.close(resolve));
			server.closeAllConnections();
			await closed;
		},
	};
}

async function answer(url: string, response: ServerResponse): Promise<void> {
	const path = url.replace(/\?.*/, "").replace(/\/$/, "/index.html");
	try {
		if (!served.test(path)) throw new Error(`${path} isn't served.`);
		const body = await readFile(new URL(path.slice(1), repository));
		response.setHeader("content-type", types[extname(path)] ?? "application/octet-stream").end(body);
	} catch {
		response.writeHead(404).end();
	}
}
