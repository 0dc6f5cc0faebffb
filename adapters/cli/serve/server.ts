import { readFile } from "node:fs/promises";
import { createServer, type RequestListener, type Server } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { type AddressInfo, isIPv6 } from "node:net";
import { networkInterfaces } from "node:os";
import { join } from "node:path";
import type { Duplex } from "node:stream";
import { createNodeListener } from "outlinekit/http";
import { Failure } from "../failure.ts";
import { packageFolder } from "../package-folder.ts";
import { StaticFiles } from "./static-files.ts";

/** The settings of a server. */
export interface ServerSettings {
	/** Returns the outline, or the scope, that a key opens. */
	readonly authenticate: Parameters<typeof createNodeListener>[0]["authenticate"];
	/** Closes the outlines, after the last request. */
	close(): Promise<void>;
	/** The address to listen at: 127.0.0.1 for this machine alone, 0.0.0.0 for its network. */
	readonly host?: string | undefined;
	readonly port: number;
	/** The files of a TLS certificate and its key, in PEM. Undefined: without TLS. */
	readonly tls?: { readonly certificate: string; readonly key: string } | undefined;
	/** The number of exports of a whole outline in a minute. Default: one. */
	readonly exportsPerMinute?: number | undefined;
}

/** A server that is listening. */
export interface RunningServer {
	/** Such as `http://127.0.0.1:3000`. */
	readonly address: string;
	/** The addresses for other devices, if it listens to them. */
	readonly networkAddresses: readonly string[];
	/** Whether there is an outliner at the address. It is missing from a repository that hasn't built it. */
	readonly hasOutliner: boolean;
	/** Ends the requests under way and closes the outlines. */
	stop(): Promise<void>;
}

/** The milliseconds that requests under way have when the server stops. */
const patience = 2_000;

/**
 * The most milliseconds until a request has arrived: the time of the largest push at the slowest upload that a device
 * waits for, 8,000 bytes a second. Node would end each request after five minutes. The listener has shorter limits.
 */
const requestTimeout = 67_108_864 / 8;

/** The address to listen at by default. */
const localHost = "127.0.0.1";

/** Listens at the port for a moment. @throws the error of the system, such as `EADDRINUSE`, or of the TLS files */
export async function assertPortFree({
	host = localHost,
	port,
	tls,
}: Pick<ServerSettings, "host" | "port" | "tls">): Promise<void> {
	const server = await serverFor(tls, () => {});
	await listening(server, port, host);
	await new Promise((resolve) => server.close(resolve));
}

function listening(server: Server, port: number, host: string): Promise<void> {
	return new Promise((resolve, reject) => {
		server.once("error", reject).listen(port, host, resolve);
	});
}

/**
 * Serves outlines over HTTP, and the outliner, which has a copy of an outline in each browser that knows a
 * key. If the server can't start, it closes the outlines and throws the error.
 */
export async function startServer(settings: ServerSettings): Promise<RunningServer> {
	try {
		return await listeningServer(settings);
	} catch (error) {
		await settings.close();
		throw error;
	}
}

async function listeningServer(settings: ServerSettings): Promise<RunningServer> {
	const { authenticate, close, host = localHost, port, tls, exportsPerMinute = 1 } = settings;
	const stopping = new AbortController();
	const listener = createNodeListener({
		authenticate,
		signal: stopping.signal,
		exportsPerMinute,
		onError: (error, { method, url }) => console.error(`${method} ${url?.split("?")[0]} failed:`, error),
	});
	const files = await StaticFiles.read(outlinerFolder());
	const server = await serverFor(tls, (message, response) => {
		if (!files.answer(message, response)) void listener(message, response);
	});
	server.on("clientError", refuse);
	await listening(server, port, host);
	const scheme = tls === undefined ? "http" : "https";
	const { port: open } = server.address() as AddressInfo;
	const addressAt = (each: string) => `${scheme}://${isIPv6(each) ? `[${each}]` : each}:${open}`;
	const isEvery = host === "0.0.0.0" || host === "::";
	return {
		address: addressAt(isEvery ? "127.0.0.1" : host),
		networkAddresses: isEvery ? networkHosts().map(addressAt) : [],
		hasOutliner: files.hasPage,
		async stop() {
			const closed = new Promise((resolve) => server.close(resolve));
			stopping.abort();
			// Browsers keep a connection after the last answer.
			const sweep = setInterval(() => server.closeIdleConnections(), 20);
			setTimeout(() => server.closeAllConnections(), patience).unref();
			await closed;
			clearInterval(sweep);
			await close();
		},
	};
}

/** Returns the folder of the built outliner, which the package has as well as the repository. */
function outlinerFolder(): string {
	return join(packageFolder(), "examples", "outliner", "dist");
}

/** Returns a server with TLS or without. */
async function serverFor(tls: ServerSettings["tls"], answer: RequestListener): Promise<Server> {
	if (tls === undefined) return createServer({ requestTimeout }, answer);
	const [cert, key] = await Promise.all([readFile(tls.certificate), readFile(tls.key)]);
	try {
		return createTlsServer({ cert, key, requestTimeout }, answer);
	} catch (error) {
		const { message } = error as Error;
		throw new Failure(
			"tls",
			`${tls.certificate} and ${tls.key} must be a certificate in PEM and its private key, without a passphrase (${message}).`,
		);
	}
}

/** The addresses of this machine in its networks. */
function networkHosts(): string[] {
	const addresses = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
	return addresses.filter(({ internal, family }) => !internal && family === "IPv4").map(({ address }) => address);
}

/** A problem as the listener words them, for a request that is none, so that the listener never sees it. */
const problem = { type: "about:blank", title: "Bad Request", status: 400, code: "invalid_argument" };
const detail = "This is no HTTP request that can be read. Check its request line, its headers and its length.";
const body = JSON.stringify({ ...problem, detail, error: detail, message: detail });

/**
 * The statuses of requests that broke off, or didn't arrive in time. Their answers are bare, as those of Node are: a
 * device sends its push again then, and takes a problem for a refusal.
 */
const unfinished = new Map<unknown, string>([
	["HPE_INVALID_EOF_STATE", "400 Bad Request"],
	["ERR_HTTP_REQUEST_TIMEOUT", "408 Request Timeout"],
]);

function refuse({ code }: NodeJS.ErrnoException, socket: Duplex): void {
	const status = unfinished.get(code);
	const answer =
		status === undefined
			? `HTTP/1.1 400 Bad Request\r\nContent-Type: application/problem+json\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`
			: `HTTP/1.1 ${status}\r\nConnection: close\r\n\r\n`;
	// Nothing reads this connection any more, so it would stay open until the client closes it.
	if (socket.writable) socket.end(answer, () => socket.destroy());
	else socket.destroy();
}
