import { mkdir } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join, resolve } from "node:path";
import { getRequestListener } from "@hono/node-server";
import { Outline } from "outlinekit";
import { createFileStorage } from "outlinekit/file";
import { createHttpHandler } from "outlinekit/http";
import { apiKeyFrom, keyChecker } from "./api-key.ts";
import type { ServerSettings } from "./settings.ts";

/** A server that is listening. */
export interface RunningServer {
	/** Such as `http://127.0.0.1:3000`. */
	readonly address: string;
	readonly apiKey: string;
	/** The file that holds the outline. */
	readonly file: string;
	/** Ends the requests under way and closes the outline. */
	stop(): Promise<void>;
}

/** Serves one outline, kept in one file, over HTTP on this machine. */
export async function startServer({
	port,
	directory,
	apiKey: given,
	outline: options,
}: ServerSettings): Promise<RunningServer> {
	await mkdir(directory, { recursive: true, mode: 0o700 });
	const file = resolve(join(directory, "outline.jsonl"));
	const outline = new Outline({ ...options, storage: createFileStorage(file) });
	// Opens the file now, so that a problem with it shows before the first request.
	await outline.targets();

	const apiKey = await apiKeyFrom(given, directory);
	const isRight = keyChecker(apiKey);
	const handler = createHttpHandler({
		authenticate: (offered) => (isRight(offered) ? outline : null),
		onError: (error, request) => console.error(`${request.method} ${new URL(request.url).pathname} failed:`, error),
	});
	const server = createServer(getRequestListener(handler));
	try {
		await new Promise<void>((listening, failed) => {
			server.once("error", failed).listen(port, "127.0.0.1", listening);
		});
	} catch (error) {
		await outline.close();
		throw error;
	}
	return {
		address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		apiKey,
		file,
		async stop() {
			const closed = new Promise((resolve) => server.close(resolve));
			server.closeIdleConnections();
			setTimeout(() => server.closeAllConnections(), 2_000).unref();
			await closed;
			await outline.close();
		},
	};
}
