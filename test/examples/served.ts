import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { Outline, type StorageAdapter } from "outlinekit";
import { createMemoryStorage } from "outlinekit/memory";
import { afterEach, beforeEach, expect, test } from "vitest";

/** An outline that an example serves. */
export interface Served {
	/** Asks for a path of the host, which isn't the interface's if that has a prefix. */
	fetch(path: string, init?: RequestInit): Promise<Response>;
	/** Whether the server notices only when it sends something that a client is gone. */
	readonly noticesLate?: boolean;
	/** The number of streams that currently follow the outline's changes. */
	followers(): number | Promise<number>;
	stop(): Promise<unknown>;
}

/** The API key that the tests give to an example. */
export const apiKey = "9nWdyTYwC3oNUvHtAX8qmZ0bJ5kGfL2r";

/** An outline in memory that tells how many follow it. */
export function followedOutline(): { outline: Outline; followers: () => number } {
	const storage = createMemoryStorage();
	let followers = 0;
	const counted: StorageAdapter = {
		read: (queries) => storage.read(queries),
		commit: (batch) => storage.commit(batch),
		scan: () => storage.scan(),
		close: () => storage.close(),
		watch(listener) {
			const stop = storage.watch!(listener);
			followers += 1;
			return () => {
				followers -= 1;
				stop();
			};
		},
	};
	return { outline: new Outline({ storage: counted, timeZone: "UTC" }), followers: () => followers };
}

/** The parts of a server that the tests need, once it listens on 127.0.0.1. */
export async function listening(server: Server, followers: () => number): Promise<Served> {
	if (!server.listening) await once(server, "listening");
	const { port } = server.address() as AddressInfo;
	return {
		fetch: (path, init) => fetch(`http://127.0.0.1:${port}${path}`, init),
		followers,
		stop() {
			const closed = once(server, "close");
			server.close();
			server.closeAllConnections();
			return closed;
		},
	};
}

/** The parts of an answer that a client reads. */
export interface Reply {
	readonly status: number;
	readonly body: Record<string, unknown>;
}

/** The tests that every server of an outline must pass. Its interface is below the prefix. */
export function servesAnOutline(start: () => Promise<Served>, prefix = ""): void {
	let served: Served;
	beforeEach(async () => {
		served = await start();
	});
	afterEach(() => served.stop());

	function request(path: string, init: RequestInit & { duplex?: "half" } = {}): Promise<Response> {
		const headers = { authorization: `Bearer ${apiKey}`, "content-type": "application/json", ...init.headers };
		return served.fetch(`${prefix}/api/v1/${path}`, { ...init, headers });
	}

	async function ask(method: string, path: string, body?: unknown, init: RequestInit = {}): Promise<Reply> {
		const text = typeof body === "string" ? body : JSON.stringify(body);
		const response = await request(path, { method, ...(body !== undefined && { body: text! }), ...init });
		return { status: response.status, body: (await response.json()) as Record<string, unknown> };
	}

	const problem = (status: number, code: string) => ({ status, body: { type: "about:blank", status, code } });

	test("creates, reads, lists, changes, moves and deletes", async () => {
		const { body } = await ask("POST", "nodes", { name: "**Trip**\n\n- boat\n- zelt ⛺" });
		const { body: read } = await ask("GET", `nodes/${body.item_id}`);
		expect(read).toMatchObject({ node: { id: body.item_id, name: "<b>Trip</b>" } });
		const { body: listed } = await ask("GET", `nodes?parent_id=${body.item_id}`);
		expect(listed).toMatchObject({ nodes: [{ name: "boat" }, { name: "zelt ⛺" }] });
		const [boat] = (listed as { nodes: { id: string }[] }).nodes;
		expect((await ask("POST", `nodes/${boat!.id}`, { name: "ship" })).status).toBe(200);
		expect((await ask("POST", `nodes/${boat!.id}/move`, { parent_id: "inbox" })).status).toBe(200);
		expect((await ask("GET", "nodes?parent_id=inbox")).body).toMatchObject({ nodes: [{ name: "ship" }] });
		expect((await ask("DELETE", `nodes/${boat!.id}`)).status).toBe(200);
		expect(await ask("GET", `nodes/${boat!.id}`)).toMatchObject(problem(404, "not_found"));
	});

	test("answers what is wrong with a problem", async () => {
		expect(await ask("GET", "nothing")).toMatchObject(problem(404, "not_found"));
		expect(await ask("GET", "nodes/%E0")).toMatchObject(problem(400, "invalid_reference"));
		expect(await ask("DELETE", "targets")).toMatchObject(problem(405, "method_not_allowed"));
		expect(await ask("POST", "nodes", '{"name": ')).toMatchObject(problem(400, "invalid_argument"));
		const text = { headers: { "content-type": "text/plain" } };
		expect(await ask("POST", "nodes", "boat", text)).toMatchObject(problem(415, "unsupported_media_type"));
	});

	test("refuses requests without the key", async () => {
		for (const authorization of ["", "Bearer wrong", `Bearer ${apiKey}x`, `Basic ${apiKey}`]) {
			const refused = await request("nodes", { headers: { authorization } });
			expect(refused.headers.get("www-authenticate")).toBe("Bearer");
			expect(await refused.json()).toMatchObject({ status: 401, code: "unauthorized" });
		}
	});

	test("refuses a body that is too large, and takes one that is nearly so", async () => {
		const note = (length: number) => JSON.stringify({ name: "a", note: "x".repeat(length) });
		expect((await ask("POST", "nodes", note(900_000))).status).toBe(200);
		const tooLarge = new Blob([note(1_100_000)]);
		for (let round = 0; round < 8; round++) {
			const body = round % 2 === 0 ? tooLarge : tooLarge.stream();
			const response = await request("nodes", { method: "POST", body, duplex: "half" });
			expect(await response.json()).toMatchObject({ status: 413, code: "payload_too_large" });
			// The connection is good for more, or the client knows that it isn't.
			expect((await ask("GET", "nodes")).body).toMatchObject({ nodes: [{ name: "a" }] });
		}
	});

	test("reads a file while it arrives, and sends one while it reads the outline", async () => {
		const pieces = new TransformStream<Uint8Array, Uint8Array>();
		const writer = pieces.writable.getWriter();
		const line = (number: number) => new TextEncoder().encode(`node ${number} ${"x".repeat(1000)}\n`);
		const importing = request("import?format=text", {
			method: "POST",
			body: pieces.readable,
			duplex: "half",
			headers: { "content-type": "text/plain" },
		});
		for (let number = 0; number < 3000; number++) await writer.write(line(number));
		await writer.close();
		expect(await (await importing).json()).toMatchObject({ report: { nodes: 3000 } });

		const exporting = await request("nodes-export");
		expect(exporting.headers.get("content-length")).toBeNull();
		expect(((await exporting.json()) as { nodes: [] }).nodes).toHaveLength(3000);
		expect(await ask("GET", "nodes-export")).toMatchObject(problem(429, "rate_limited"));
	});

	test("refuses a file at its first line without waiting for the rest", async () => {
		const pieces = new TransformStream<Uint8Array, Uint8Array>();
		const writer = pieces.writable.getWriter();
		const importing = request("import?format=opml", {
			method: "POST",
			body: pieces.readable,
			duplex: "half",
			headers: { "content-type": "text/x-opml" },
		});
		await writer.write(new TextEncoder().encode("<opml></body>"));
		expect(await (await importing).json()).toMatchObject({ status: 400, code: "invalid_argument" });
		await writer.close().catch(() => {});
	});

	test("streams changes as they come, until the client goes away", async () => {
		const leaving = new AbortController();
		const response = await request("changes/stream", { signal: leaving.signal });
		expect(response.headers.get("content-type")).toBe("text/event-stream");
		const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
		const next = async () => (await reader.read()).value;
		const first = next();
		await ask("POST", "nodes", { name: "boat" });
		expect(await first).toMatch(/^id: 1\nevent: changes\ndata: .*"boat"/);
		const second = next();
		await ask("POST", "nodes", { name: "tent" });
		expect(await second).toMatch(/^id: 2\nevent: changes\ndata: .*"tent"/);
		const third = next();
		await expect.poll(() => served.followers()).toBe(1);
		leaving.abort();
		await Promise.allSettled([third]);
		if (served.noticesLate) await ask("POST", "nodes", { name: "zelt" });
		await expect.poll(() => served.followers()).toBe(0);
		expect((await ask("GET", "nodes")).status).toBe(200);
	});
}

/**
 * Starts an example by the command in its first comment, and sends the request that it prints. Returns the
 * answer.
 */
export async function tried(file: string, environment: Record<string, string> = {}): Promise<Reply> {
	const root = fileURLToPath(new URL("../..", import.meta.url));
	expect(await readFile(new URL(`../../${file}`, import.meta.url), "utf8")).toContain(`npx tsx ${file}`);
	const child = spawn(process.execPath, ["--import", "tsx", file], {
		cwd: root,
		env: { ...process.env, PORT: "0", ...environment },
		stdio: ["ignore", "pipe", "inherit"],
	});
	try {
		let text = "";
		for await (const piece of child.stdout) {
			text += piece;
			const [, address, authorization] = /curl (\S+) -H "Authorization: (.*)"/.exec(text) ?? [];
			if (address === undefined) continue;
			const response = await fetch(address, { headers: { authorization: authorization! } });
			return { status: response.status, body: (await response.json()) as Record<string, unknown> };
		}
		throw new Error(`${file} ended without saying what to try:\n${text}`);
	} finally {
		child.kill();
	}
}
