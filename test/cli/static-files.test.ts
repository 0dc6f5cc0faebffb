import { mkdir, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { StaticFiles } from "../../adapters/cli/serve/static-files.js";
import { sharedFolder } from "../support/temporary.js";

const directory = sharedFolder();
const server = createServer((message, response) => {
	if (!files.answer(message, response)) response.writeHead(404).end("other");
});
let files: StaticFiles;
let address: string;

beforeAll(async () => {
	await mkdir(join(directory, "site", "assets"), { recursive: true });
	await writeFile(join(directory, "secret"), "secret");
	await writeFile(join(directory, "site", "index.html"), "<!doctype html>");
	await writeFile(join(directory, "site", "service-worker.js"), "self");
	await writeFile(join(directory, "site", "manifest.webmanifest"), "{}");
	await writeFile(join(directory, "site", "assets", "code-x7.js"), "code");
	await writeFile(join(directory, "site", "assets", "picture.png"), Uint8Array.of(0, 255));
	files = await StaticFiles.read(join(directory, "site"));
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
	server.closeAllConnections();
	server.close();
});

/** The answer to a request with exactly this path, which `fetch` would normalize. */
function raw(path: string): Promise<string> {
	return new Promise((resolve, reject) => {
		let text = "";
		const socket = connect(Number(new URL(address).port), "127.0.0.1");
		socket.on("data", (chunk) => (text += chunk)).on("close", () => resolve(text));
		socket.on("error", reject);
		socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`);
	});
}

test.each([
	["/", "text/html; charset=utf-8", "no-cache"],
	["/index.html", "text/html; charset=utf-8", "no-cache"],
	["/?source=pwa", "text/html; charset=utf-8", "no-cache"],
	["/service-worker.js", "text/javascript; charset=utf-8", "no-cache"],
	["/manifest.webmanifest", "application/manifest+json", "no-cache"],
	["/assets/code-x7.js", "text/javascript; charset=utf-8", "public, max-age=31536000, immutable"],
	["/assets/picture.png", "image/png", "public, max-age=31536000, immutable"],
])("%s is sent as %s, kept as %s, and may load nothing from elsewhere", async (path, type, kept) => {
	const response = await fetch(address + path);
	expect(response.status).toBe(200);
	expect(response.headers.get("content-type")).toBe(type);
	expect(response.headers.get("cache-control")).toBe(kept);
	expect(response.headers.get("x-content-type-options")).toBe("nosniff");
	const policy = response.headers.get("content-security-policy");
	expect(policy).toContain("default-src 'self'");
	expect(policy).not.toMatch(/unsafe|\*|http/);
	expect(response.headers.get("content-length")).toBe(String((await response.arrayBuffer()).byteLength));
});

test("doesn't send a file again that a browser has", async () => {
	const etag = (await fetch(`${address}/`)).headers.get("etag")!;
	const again = await fetch(`${address}/`, { headers: { "if-none-match": etag } });
	expect(again.status).toBe(304);
	expect(await again.text()).toBe("");
	expect((await fetch(`${address}/`, { headers: { "if-none-match": '"other"' } })).status).toBe(200);
});

test("HEAD gives the headers alone, and nothing but GET and HEAD is allowed", async () => {
	const head = await fetch(`${address}/assets/code-x7.js`, { method: "HEAD" });
	expect([head.status, head.headers.get("content-length"), await head.text()]).toEqual([200, "4", ""]);
	for (const method of ["POST", "PUT", "DELETE", "OPTIONS"]) {
		const refused = await fetch(`${address}/`, { method });
		expect([refused.status, refused.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
	}
});

test.each([
	"/../secret",
	"/assets/../../secret",
	"/%2e%2e/secret",
	"/..%2fsecret",
	"/%2e%2e%2fsecret",
	"/assets/..%5c..%5csecret",
	"//secret",
	"/assets",
	"/assets/",
	"/secret",
	"/index.html/",
	"/%00",
	"/%ff",
	"/__proto__",
	"/constructor",
])("nothing is at %s", async (path) => {
	const answer = await raw(path);
	expect(answer).toMatch(/^HTTP\/1\.1 404 /);
	expect(answer).not.toContain("\r\n\r\nsecret");
});

test("a folder that isn't there has no files and no page", async () => {
	expect(files.hasPage).toBe(true);
	const none = await StaticFiles.read(join(directory, "none"));
	expect(none.hasPage).toBe(false);
	files = none;
	const response = await fetch(address);
	expect([response.status, await response.text()]).toEqual([404, "other"]);
});
