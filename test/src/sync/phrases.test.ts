import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { createHttpHandler } from "../../../adapters/http/index.js";
import { createHttpRemote } from "../../../src/sync/index.js";
import { shortPush, withPhrases, withSigns } from "../../../src/sync/phrases.js";
import { codeOf, newOutline } from "../../support/outline.js";
import { serverAndDevice } from "../../support/sync-device.js";
import { newDevice } from "./replica/direct-remote.js";

const push = [
	{ protocol: 1, outline: "o", device: "d", since: 1, mark: "1-2", last: 2, digest: "3", limit: 4 },
	{ seq: 5, at: 6, nodes: [{ id: "a", before: { name: 'before"},"after":{', note: "\u0001\u001f" }, after: null }] },
]
	.map((line) => JSON.stringify(line))
	.join("\n");

test("a push with signs is shorter, and has the same lines with phrases", () => {
	const sent = withSigns(push);
	expect(sent.length).toBeLessThan(push.length * 0.7);
	expect(sent.split("\n").map(withPhrases).join("\n")).toBe(push);
});

test("a long push stays as it is", () => {
	const long = push.padEnd(shortPush + 1);
	expect(withSigns(long)).toBe(long);
	expect(withSigns(push.padEnd(shortPush))).not.toBe(push.padEnd(shortPush));
});

test("the page on the protocol has each sign with its phrase", () => {
	const page = readFileSync(new URL("../../../docs/sync.md", import.meta.url), "utf8");
	const rows = Array.from(page.matchAll(/^([01][0-9a-f]) (\S+)$/gm));
	expect(rows).toHaveLength(24);
	for (const [, sign, phrase] of rows) {
		expect(withPhrases(String.fromCharCode(Number.parseInt(sign!, 16)))).toBe(phrase);
		expect(withSigns(phrase!)).toHaveLength(1);
	}
});

test("a server takes signs up to 4,096 characters, and no further", async () => {
	const { server, device } = serverAndDevice();
	for (let count = 0; count < 40; count++) device.create({ name: `${count}`, priority: count });
	const lines = device.push().map(withSigns);
	const fitting = lines.findIndex((_, at) => lines.slice(0, at + 1).join("").length > shortPush);
	expect(fitting).toBeGreaterThan(2);
	expect(await codeOf(server.sync(lines))).toBe("invalid_argument");
	const { last } = await server.sync(lines.slice(0, fitting));
	expect(last).toBe(fitting - 1);
});

test("a renamed node takes at most 250 bytes", async () => {
	const server = newOutline();
	const handler = createHttpHandler({ authenticate: () => server });
	let sent = 0;
	const fetch = async (url: string, options: object) => {
		const request = new Request(url, options);
		sent = (await request.clone().arrayBuffer()).byteLength;
		return handler(request);
	};
	const { outline, replica } = newDevice(
		createHttpRemote({ url: "https://notes.example/api/v1", apiKey: "key", fetch: fetch as never }),
	);
	const { id } = await outline.create({ name: "a name of some forty characters in all" });
	await replica.sync();
	await outline.update(id, { name: "another name of some forty characters" });
	await replica.sync();
	expect(sent).toBeLessThanOrEqual(250);
	expect(await server.get(id)).toMatchObject({ name: "another name of some forty characters" });
});
