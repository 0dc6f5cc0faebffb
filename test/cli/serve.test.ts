import { execFile } from "node:child_process";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { once } from "node:events";
import { mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import type { Server } from "node:http";
import { get } from "node:https";
import { connect } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { beforeEach, describe, expect, test } from "vitest";
import { keyChecker } from "../../adapters/cli/serve/key.js";
import { commandLine } from "../support/command-line.js";
import { type Served, served } from "../support/served.js";
import { temporaryFolder } from "../support/temporary.js";

const root = fileURLToPath(new URL("../..", import.meta.url));
let directory: string;
beforeEach(() => {
	directory = temporaryFolder();
});

/** The outline's file in a folder. */
const fileIn = (folder: string) => join(folder, "outline.jsonl");

const program = (environment: Record<string, string>) =>
	commandLine(() => ({ PORT: "0", OUTLINEKIT_FILE: fileIn(directory), ...environment }));

const start = (environment: Record<string, string> = {}) => served(program(environment).start("serve"));

describe("outlinekit serve", () => {
	test("imports all of a file that comes in pieces", async () => {
		const { address, apiKey } = await start();
		const pieces = new TransformStream<Uint8Array, Uint8Array>();
		const importing = fetch(`${address}/api/v1/import?format=text`, {
			method: "POST",
			headers: { authorization: `Bearer ${apiKey}`, "content-type": "text/plain" },
			body: pieces.readable,
			duplex: "half",
		} as RequestInit);
		const writer = pieces.writable.getWriter();
		for (let number = 0; number < 3000; number++) {
			await writer.write(new TextEncoder().encode(`node ${number} ${"x".repeat(1000)}\n`));
		}
		await writer.close();
		expect(await (await importing).json()).toMatchObject({ report: { nodes: 3000 } });
	});

	test("prints an address, a key and a curl line that works, and keeps the key", async () => {
		const server = await start();
		const [, curl] = /^ {2}(curl -X POST .*)$/m.exec(server.output)!;
		const { stdout } = await promisify(execFile)("sh", ["-c", `${curl} -s`]);
		expect(JSON.parse(stdout)).toEqual({ item_id: expect.any(String) });
		expect((await readFile(`${fileIn(directory)}.key`, "utf8")).trim()).toBe(server.apiKey);
		expect((await stat(`${fileIn(directory)}.key`)).mode & 0o077).toBe(0);
		server.running.stop();
		expect((await server.running.ended).status).toBe(0);
		expect((await start()).apiKey).toBe(server.apiKey);
	});

	test("answers a request that breaks off as Node does, so that a device sends its push again", async () => {
		const { address, apiKey } = await start();
		const head = [
			"POST /api/v1/sync HTTP/1.1",
			"Host: a",
			`Authorization: Bearer ${apiKey}`,
			"Content-Type: application/x-ndjson",
			"Content-Length: 100",
		];
		const socket = connect({ port: Number(new URL(address).port), host: "127.0.0.1", allowHalfOpen: true });
		socket.end(`${head.join("\r\n")}\r\n\r\n{"protocol":1,`);
		expect(await text(socket)).toBe("HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n");
	});

	test("gives a push of 60 MB the time that it takes on a slow network", async () => {
		const { address } = await start();
		const answered = new Promise<Server>((resolve) => {
			const listener = (message: unknown) => {
				unsubscribe("http.server.request.start", listener);
				resolve((message as { server: Server }).server);
			};
			subscribe("http.server.request.start", listener);
		});
		await fetch(`${address}/api/v1/targets`);
		expect((await answered).requestTimeout).toBeGreaterThan(60_000_000 / 8);
	});

	test("closes a connection that has no request, also if the client doesn't", async () => {
		const { address } = await start();
		const socket = connect({ port: Number(new URL(address).port), host: "127.0.0.1", allowHalfOpen: true });
		const closed = once(socket, "error");
		socket.write("no request\r\n\r\n");
		await once(socket.resume(), "end");
		// The system refuses what is sent on a connection that the server has closed.
		const sending = setInterval(() => socket.write("more"), 10);
		const [error] = await closed;
		clearInterval(sending);
		expect(error).toMatchObject({ code: expect.stringMatching(/ECONNRESET|EPIPE/) });
	});

	test("ends the change streams when it stops, and doesn't break them off", async () => {
		const server = await start();
		const headers = { authorization: `Bearer ${server.apiKey}` };
		const stream = await fetch(`${server.address}/api/v1/changes/stream`, { headers });
		server.running.stop();
		expect(await stream.text()).toBe("");
		expect((await server.running.ended).status).toBe(0);
	});

	test("names the outliner first if it is built, and serves it beside the interface", async () => {
		const server = await start();
		const page = await fetch(`${server.address}/`);
		const outliner = server.output.indexOf(`Write in your browser: ${server.address}/`);
		expect(page.status).toBe(outliner < 0 ? 404 : 200);
		expect(outliner).toBeLessThan(server.output.indexOf("/api/v1/"));
		expect(await server.request("GET", "/nodes")).toEqual({ nodes: [] });
		expect((await fetch(`${server.address}/nothing`)).headers.get("content-type")).toContain("problem+json");
	});

	test("draws a new key in place of an empty one", async () => {
		await writeFile(`${fileIn(directory)}.key`, "\n");
		const server = await start();
		expect(server.apiKey.length).toBeGreaterThan(20);
		expect(await server.request("GET", "/nodes")).toEqual({ nodes: [] });
	});

	test("reads a key that an editor has saved with a BOM and CRLF", async () => {
		await writeFile(`${fileIn(directory)}.key`, "\ufeffmy-key\r\n");
		expect((await start()).apiKey).toBe("my-key");
	});

	test.each([
		["two keys", "one\ntwo\n"],
		["a key with a blank", "my key\n"],
		["a key beyond ASCII", "schlüssel\n"],
	])("ends if its key file has %s, and says which file it is", async (_, text) => {
		const path = `${fileIn(directory)}.key`;
		await writeFile(path, text);
		const { status, stdout, stderr } = await program({}).run("serve");
		expect([status, stdout]).toEqual([1, ""]);
		expect(stderr).toContain(`${path} must have one API key`);
		expect(await readFile(path, "utf8")).toBe(text);
	});

	test("ends if its key file is a folder, and says which one", async () => {
		await mkdir(`${fileIn(directory)}.key`);
		const { status, stderr } = await program({}).run("serve");
		expect(status).toBe(1);
		expect(stderr).toContain(`can't be read from ${fileIn(directory)}.key`);
		expect(await readdir(directory)).toEqual(["outline.jsonl.key"]);
	});

	test("refuses an empty host, which would be all addresses of the machine", async () => {
		const { status, stderr } = await program({}).run("serve", "--host", "");
		expect(status).toBe(2);
		expect(stderr).toContain('--host is ""');
	});

	test("answers what is no request with a problem too", async () => {
		const server = await start();
		for (const request of [
			"GET nonsense HTTP/1.1\r\nHost: localhost\r\n\r\n",
			"nonsense\r\n\r\n",
			`GET / HTTP/1.1\r\nx: ${"y".repeat(20_000)}\r\n\r\n`,
		]) {
			const answer = await new Promise<string>((resolve) => {
				let text = "";
				const socket = connect(Number(new URL(server.address).port), "127.0.0.1", () => socket.write(request));
				socket
					.on("data", (chunk) => (text += chunk))
					.on("close", () => resolve(text))
					.on("error", () => {});
				setTimeout(() => socket.end(), 500);
			});
			expect(answer).toMatch(/^HTTP\/1\.1 400 /);
			expect(answer.toLowerCase()).toContain("content-type: application/problem+json");
			expect(JSON.parse(answer.slice(answer.indexOf("{"), answer.lastIndexOf("}") + 1))).toMatchObject({
				status: 400,
				code: "invalid_argument",
			});
		}
		expect(await server.request("GET", "/nodes")).toEqual({ nodes: [] });
	});

	test("takes its settings from the environment", async () => {
		const server = await start({
			OUTLINEKIT_KEY: "secret",
			OUTLINEKIT_TIME_ZONE: "Pacific/Kiritimati",
			OUTLINEKIT_WEEK_START: "0",
			OUTLINEKIT_APP_URL: "https://outline.example/",
			OUTLINEKIT_EXPORTS_PER_MINUTE: "2",
			OUTLINEKIT_INBOX_NAME: "Eingang",
			OUTLINEKIT_CALENDAR_NAME: "📆 Calendar",
		});
		expect(server.apiKey).toBe("secret");
		const { item_id } = await server.request("POST", "/nodes", { parent_id: "next_week", name: "[2026-11-21 10:00]" });
		const { node } = (await server.request("GET", `/nodes/${item_id}`)) as {
			node: { name: string; parent_id: string };
		};
		expect(node.name).toContain("T10:00+14:00");
		const { node: day } = (await server.request("GET", `/nodes/${node.parent_id}`)) as { node: { name: string } };
		expect(day.name).toContain(">Sun, ");
		const address = encodeURIComponent(`https://outline.example/#/${node.parent_id.slice(-12)}`);
		expect(((await server.request("GET", `/nodes?parent_id=${address}`)).nodes as unknown[]).length).toBe(1);
		await server.request("POST", "/nodes", { parent_id: "inbox", name: "a" });
		const { targets } = (await server.request("GET", "/targets")) as { targets: { key: string; name: string }[] };
		expect(targets.slice(0, 2).map(({ name }) => name)).toEqual(["Eingang", "📆 Calendar"]);
		for (const status of [undefined, undefined, 429]) {
			expect((await server.request("GET", "/nodes-export")).status).toBe(status);
		}
		const refused = await fetch(`${server.address}/api/v1/targets`, { headers: { authorization: "Bearer wrong" } });
		expect(refused.status).toBe(401);
	});

	test.each([
		[
			"a port in use",
			async (server) => ({ PORT: new URL(server.address).port, OUTLINEKIT_FILE: join(directory, "2") }),
			/--port 3001/,
		],
		["a port that is none", async () => ({ PORT: "http" }), /PORT is "http"/],
		[
			"a zone that is none",
			async () => ({ OUTLINEKIT_TIME_ZONE: "Mars", OUTLINEKIT_FILE: join(directory, "3") }),
			/IANA/,
		],
		[
			"a folder that isn't there",
			async () => ({ OUTLINEKIT_FILE: "/nowhere/outline.jsonl" }),
			/no directory "\/nowhere"/,
		],
		[
			"exports that are none",
			async () => ({ OUTLINEKIT_EXPORTS_PER_MINUTE: "0", OUTLINEKIT_FILE: join(directory, "5") }),
			/OUTLINEKIT_EXPORTS_PER_MINUTE is "0".*unlimited/,
		],
		[
			"a name that is blank",
			async () => ({ OUTLINEKIT_CALENDAR_NAME: " ", OUTLINEKIT_FILE: join(directory, "6") }),
			/names\.calendar is " "/,
		],
		[
			"a key that no header can carry",
			async () => ({ OUTLINEKIT_KEY: "my key", OUTLINEKIT_FILE: join(directory, "4") }),
			/key has a blank/,
		],
		[
			"a host of another machine",
			async () => ({ OUTLINEKIT_HOST: "203.0.113.9", OUTLINEKIT_FILE: join(directory, "7") }),
			/"203\.0\.113\.9" is no address of this machine/,
		],
		[
			"TLS files that are none",
			async () => {
				await writeFile(join(directory, "a.pem"), "x");
				return {
					OUTLINEKIT_TLS_CERTIFICATE: join(directory, "a.pem"),
					OUTLINEKIT_TLS_KEY: join(directory, "a.pem"),
					OUTLINEKIT_FILE: join(directory, "8"),
				};
			},
			/a\.pem must be a certificate/,
		],
	] as [string, (server: Served<unknown>) => Promise<Record<string, string>>, RegExp][])(
		"with %s ends and says why",
		async (_, environment, mention) => {
			const server = await start();
			const { status, stderr } = await program(await environment(server)).run("serve");
			expect(status).toBeGreaterThan(0);
			expect(stderr).toMatch(mention);
			expect(stderr).not.toMatch(/^\s+at /m);
			// The running server has files of other names.
			expect((await readdir(directory)).filter((name) => /^\d/.test(name))).toEqual([]);
		},
	);
});

test("it serves other devices over TLS, and prints their links", async () => {
	const fixture = (name: string) => join(root, "test/fixtures/tls", name);
	const running = program({
		OUTLINEKIT_HOST: "0.0.0.0",
		OUTLINEKIT_TLS_CERTIFICATE: fixture("certificate.pem"),
		OUTLINEKIT_TLS_KEY: fixture("key.pem"),
	}).start("serve");
	const { input: text } = await running.printed(/Ctrl-C/);
	const [, address] = /served at (https:\/\/127\.0\.0\.1:\d+)/.exec(text)!;
	const ca = await readFile(fixture("certificate.pem"));
	const key = /API key: (\S+)/.exec(text)![1]!;
	const status = await new Promise((resolve, reject) => {
		const headers = { authorization: `Bearer ${key}` };
		get(`${address}/api/v1/targets`, { ca, headers }, (response) => {
			response.resume();
			resolve(response.statusCode);
		}).on("error", reject);
	});
	expect(status).toBe(200);
	const links = [...text.matchAll(/On another device: (\S+)/g)].map(([, link]) => link!);
	for (const link of links) expect(link).toMatch(new RegExp(`^https://[\\d.]+:\\d+/#key=${key}$`));
});

test("a server with one key takes this key alone", () => {
	const isRight = keyChecker("schlüssel");
	expect(["schlüssel", "schlüssez", "schlusselx", "schlüssel ", "schlüsse", ""].map(isRight)).toEqual([
		true,
		false,
		false,
		false,
		false,
		false,
	]);
});
