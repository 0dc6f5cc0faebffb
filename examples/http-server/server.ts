import { mkdir, readFile, stat } from "node:fs/promises";
import { createServer, type RequestListener, type Server } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { type AddressInfo, isIPv6 } from "node:net";
import { networkInterfaces } from "node:os";
import { dirname, join, resolve } from "node:path";
import type { Duplex } from "node:stream";
import { fileURLToPath } from "node:url";
import { Outline } from "outlinekit";
import { createFileStorage } from "outlinekit/file";
import { createNodeListener } from "outlinekit/http";
import { apiKeyFrom, keyChecker } from "./api-key.ts";
import type { ServerSettings } from "./settings.ts";
import { StaticFiles } from "./static-files.ts";

/** A server that is listening. */
export interface RunningServer {
	/** Such as `http://127.0.0.1:3000`. */
	readonly address: string;
	/** The addresses for other devices, if it listens to them. */
	readonly networkAddresses: readonly string[];
	/**
	 * Whether there is an outliner at the address. A server that starts without building it serves the API
	 * alone.
	 */
	readonly hasOutliner: boolean;
	readonly apiKey: string;
	/** The file that holds the outline. */
	readonly file: string;
	/** Ends the requests under way and closes the outline. */
	stop(): Promise<void>;
}

/** Where the outliner is built to. */
const outliner = fileURLToPath(new URL("../outliner/dist", import.meta.url));

/**
 * Serves one outline from one file over HTTP, and the outliner, which has a copy of that outline in each browser
 * that knows the API key.
 */
export async function startServer({
	host = "127.0.0.1",
	port,
	tls,
	directory,
	apiKey: given,
	exportsPerMinute = 1,
	outline: options,
}: ServerSettings): Promise<RunningServer> {
	await makeDirectory(resolve(directory));
	const file = resolve(join(directory, "outline.jsonl"));
	const outline = new Outline({
		...options,
		storage: createFileStorage(file),
		// Nothing here can undo.
		history: { steps: 0 },
		// An import of as many bytes fits in. A commit is in memory for a while.
		limits: { commit: 16_777_216 },
	});
	// Opens the file now, so that a problem with it shows before the first request.
	await outline.targets();

	const apiKey = await apiKeyFrom(given, directory);
	const isRight = keyChecker(apiKey);
	const listener = createNodeListener({
		authenticate: (offered) => (isRight(offered) ? outline : null),
		exportsPerMinute,
		onError: (error, { method, url }) => console.error(`${method} ${url?.split("?")[0]} failed:`, error),
	});
	const files = await StaticFiles.read(outliner);
	const server = await serverFor(tls, (message, response) => {
		if (!files.answer(message, response)) void listener(message, response);
	});
	server.on("clientError", refuse);
	try {
		await new Promise<void>((listening, failed) => {
			server.once("error", failed).listen(port, host, listening);
		});
	} catch (error) {
		await outline.close();
		throw error;
	}
	const scheme = tls === undefined ? "http" : "https";
	const { port: open } = server.address() as AddressInfo;
	const addressAt = (each: string) => `${scheme}://${isIPv6(each) ? `[${each}]` : each}:${open}`;
	const isEvery = host === "0.0.0.0" || host === "::";
	return {
		address: addressAt(isEvery ? "127.0.0.1" : host),
		networkAddresses: isEvery ? networkHosts().map(addressAt) : [],
		hasOutliner: files.hasPage,
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

/** Returns a server with TLS or without. */
async function serverFor(tls: ServerSettings["tls"], answer: RequestListener): Promise<Server> {
	if (tls === undefined) return createServer(answer);
	const [cert, key] = await Promise.all([readFile(tls.certificate), readFile(tls.key)]);
	return createTlsServer({ cert, key }, answer);
}

/** The addresses of this machine in its networks. */
function networkHosts(): string[] {
	const addresses = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
	return addresses.filter(({ internal, family }) => !internal && family === "IPv4").map(({ address }) => address);
}

/** Creates a directory and its parents. mkdir's own `recursive` never ends on some paths below /proc. */
async function makeDirectory(path: string): Promise<void> {
	try {
		await mkdir(path, { mode: 0o700 });
	} catch (error) {
		const { code } = error as NodeJS.ErrnoException;
		if (code === "EEXIST" && (await stat(path)).isDirectory()) return;
		if (code === "EEXIST") throw new Error(`${path} is a file. Give a directory in OUTLINE_DATA.`);
		if (code !== "ENOENT" || dirname(path) === path || (await exists(dirname(path)))) {
			throw new Error(`The directory ${path} can't be made (${code}). Give another one in OUTLINE_DATA.`);
		}
		await makeDirectory(dirname(path));
		await mkdir(path, { mode: 0o700 });
	}
}

function exists(path: string): Promise<boolean> {
	return stat(path).then(
		() => true,
		() => false,
	);
}

/** A problem as the listener words them, for a request that is none, so that the listener never sees it. */
const problem = { type: "about:blank", title: "Bad Request", status: 400, code: "invalid_argument" };
const detail = "This is no HTTP request that can be read. Check its request line, its headers and its length.";
const body = JSON.stringify({ ...problem, detail, error: detail, message: detail });

function refuse(_error: Error, socket: Duplex): void {
	if (!socket.writable) return;
	socket.end(
		`HTTP/1.1 400 Bad Request\r\nContent-Type: application/problem+json\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`,
	);
}
