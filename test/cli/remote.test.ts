import type { RequestListener } from "node:http";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createNodeListener } from "../../adapters/http/index.js";
import type { Outline } from "../../src/outline.js";
import { listening } from "../adapters/http/network.js";
import { commandLine } from "../support/command-line.js";
import { newOutline } from "../support/outline.js";
import { temporaryFolder } from "../support/temporary.js";

let outline: Outline;
let url: string;
let part: string;
/** The paths of all requests. */
let asked: string[];

const addressOf = async (listener: RequestListener) => `http://127.0.0.1:${await listening(listener)}`;

beforeEach(async () => {
	outline = newOutline();
	part = (await outline.create({ name: "part" })).id;
	await outline.create({ name: "hidden" });
	const listener = createNodeListener({
		authenticate: (key) => (key === "whole" ? outline : key === "part" ? outline.scope(part, { write: true }) : null),
	});
	asked = [];
	url = await addressOf((message, response) => {
		asked.push(`${message.method} ${message.url!.replace(/[?].*/, "").replace(/[0-9a-f-]{36}/, ":id")}`);
		void listener(message, response);
	});
});
afterEach(() => outline.close());

const folder = temporaryFolder;
const { start, run } = commandLine(() => ({ OUTLINEKIT_SERVER: url, XDG_DATA_HOME: folder() }));
const first = (stdout: string) => JSON.parse(stdout.split("\n")[0]!) as { id: string; text: string };

for (const key of ["part", "whole"]) {
	test(`commands for single nodes are requests with the key of the ${key}`, async () => {
		const on = (...words: string[]) => run(...words, "--key", key);
		const tree = async () => (await on("list", part, "--no-json")).stdout.replace(/ {2}\w{12}$/gm, "");
		const milk = first((await on("add", "- [ ] milk [2020-01-01]", "--to", part)).stdout);
		const bread = first((await on("add", "bread", "--to", part, "--note", "rye")).stdout);
		expect(await tree()).toBe("☐ milk 2020-01-01\n• bread\n  rye\n");
		await on("move", bread.id, "--before", milk.id);
		await on("edit", bread.id, "**white** bread", "--note", "");
		expect((await on("done", milk.id)).stdout).toContain('"completed":true');
		expect(await tree()).toBe("• white bread\n☑ milk 2020-01-01\n");
		expect((await on("done", milk.id, "--open")).status).toBe(0);
		expect((await on("search", "whi", "--no-json")).stdout).toMatch(/^• white bread {2}\w{12}\n {2}in part\n$/);
		expect((await on("agenda", "--no-json")).stdout).toMatch(/^Overdue\n☐ milk/);
		expect((await on("today", "--no-json", "--time-zone", "UTC")).stderr).toMatch(/^Nothing yet/);
		expect((await on("delete", bread.id, "--no-json")).stdout).toBe("Deleted: 1 node.\n");
		expect((await outline.list(part)).nodes.map(({ id }) => id)).toEqual([milk.id]);
		expect(asked.filter((request) => /sync|export/.test(request))).toEqual([]);
		expect((await on("search", "hidden")).stdout === "").toBe(key === "part");
	});
}

const portals = ["<p>Log in</p>", "", "{}", "[]", "null"];
const commandsForNodes = [
	["add", "a"],
	["edit", "1", "a"],
	["done", "1"],
	["move", "1", "--to", "2"],
	["delete", "1"],
	["list"],
	["search", "a"],
];

test.each(commandsForNodes)(
	"`%s` says so if another program answers, or if the answer breaks off",
	async (...words) => {
		for (const page of portals) {
			url = await addressOf((_, response) => response.end(page));
			const { status, stderr } = await run(...words, "--key", "whole");
			expect({ status, stderr }, page).toEqual({
				status: 1,
				stderr: `outlinekit: There is no outline at ${url}: it answers with the status 200. [no_outline]\n`,
			});
		}
		url = await addressOf((_, response) => {
			response.setHeader("content-length", 100).write('{"item_id":"');
			setImmediate(() => response.destroy());
		});
		const { status, stderr } = await run(...words, "--key", "whole");
		expect([status, stderr]).toEqual([1, expect.stringMatching(/broke off\. .*\[storage_unavailable\]\n$/)]);
	},
);

test("a deep and long tree comes in several answers, each node with its depth", async () => {
	let above = part;
	for (let depth = 0; depth < 40; depth++) above = (await outline.create({ name: `d${depth}`, parent: above })).id;
	for (let count = 0; count < 1100; count++) await outline.create({ name: `n${count}`, parent: above });
	const { stdout } = await run("list", part, "--key", "part");
	const rows = stdout
		.trim()
		.split("\n")
		.map((line) => JSON.parse(line) as { depth: number });
	expect(rows).toHaveLength(1140);
	expect([rows[0]!.depth, rows[39]!.depth, rows.at(-1)!.depth]).toEqual([0, 39, 40]);
	expect(asked.filter((request) => request.includes("/tree"))).toHaveLength(2);
});

test("a reference that no address can hold never names another endpoint", async () => {
	asked = [];
	for (const ref of ["", ".", ".."]) {
		for (const words of [
			["edit", ref, "text"],
			["done", ref],
			["delete", ref],
			["move", ref, "--top"],
		]) {
			expect(await run(...words, "--key", "whole")).toMatchObject({
				status: 2,
				stderr: expect.stringMatching(/\[invalid_reference\]/),
			});
		}
	}
	expect(asked).toEqual([]);
});

test("Ctrl+C doesn't wait for a server that doesn't answer", async () => {
	let connected = () => {};
	const connection = new Promise<void>((resolve) => {
		connected = resolve;
	});
	const stats = start("stats", "--server", await addressOf(() => connected()), "--key", "k");
	await connection;
	stats.stop();
	expect(await stats.ended).toMatchObject({ status: 130, stdout: "" });
});

test("problems have the exit codes of other places, and say what to do", async () => {
	expect(await run("list", part, "--key", "wrong")).toMatchObject({
		status: 1,
		stderr: expect.stringMatching(/\[unauthorized\]/),
	});
	expect(await run("done", "nothing", "--key", "part")).toMatchObject({
		status: 3,
		stderr: expect.stringMatching(/\[not_found\]/),
	});
	expect(await run("search", "is:nothing", "--key", "part")).toMatchObject({ status: 2 });
	expect(await run("stats", "--key", "part")).toMatchObject({
		status: 1,
		stderr: expect.stringMatching(/opens a part of the outline.*list, add and search/),
	});
	const elsewhere = await addressOf((_, response) => response.writeHead(404).end("a page"));
	expect(await run("list", "--server", elsewhere, "--key", "part")).toMatchObject({
		status: 1,
		stderr: expect.stringMatching(/no outline at http.*status 404.*\[no_outline\]/),
	});
});

test("a copy of another outline isn't synchronized, and the message says what to do", async () => {
	const file = join(folder(), "copy.jsonl");
	const sync = () => run("sync", "--file", file, "--key", "whole");
	expect((await sync()).status).toBe(0);
	await outline.close();
	outline = newOutline();
	await outline.create({ name: "new" });
	expect(await sync()).toMatchObject({
		status: 1,
		stderr: expect.stringMatching(
			/Nothing was changed\..*\(outlinekit export --file .*then sync to a new file\. \[wrong_/,
		),
	});
});
