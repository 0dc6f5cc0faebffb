import { text } from "node:stream/consumers";
import { describe, expect, test } from "vitest";
import {
	createHttpHandler,
	createNodeListener,
	type ServedOutline,
	type WireNode,
} from "../../../adapters/http/index.js";
import { OutlineError } from "../../../src/errors.js";
import type { OutlineNode } from "../../../src/node.js";
import type { Outline } from "../../../src/outline.js";
import { chain } from "../../support/outline.js";
import { listening, openRequest, responseTo } from "./network.js";
import { request, service, testOutline } from "./service.js";

/** Serves an outline without the check of answers, which would read them to their end. */
function served(outline: object = testOutline()) {
	const handle = createHttpHandler({ authenticate: () => outline as ServedOutline });
	return (path: string, method = "GET") => handle(request("ann", method, `/api/v1/${path}`));
}

/** The same behind a server of Node, until the end of the test. */
async function overTheWire(outline: Outline) {
	const port = await listening(createNodeListener({ authenticate: () => outline }));
	return async (path: string) => {
		const asked = openRequest({ port, path: `/api/v1/${path}`, headers: { authorization: "Bearer ann" } });
		const answer = await responseTo(asked.end());
		const body = JSON.parse(await text(answer)) as Record<string, unknown>;
		return { status: answer.statusCode, length: answer.headers["content-length"], body };
	};
}

/** A node with mirrors of a node that has a long note. */
async function mirrorsOfLongText(outline: Outline, length: number, count: number): Promise<string> {
	const { id: origin } = await outline.create({ name: "origin", note: "ä".repeat(length) });
	const { id: home } = await outline.create({ name: "home" });
	await outline.batch(Array.from({ length: count }, () => ({ type: "mirror", ref: origin, parent: home }) as const));
	return home;
}

type Placed = WireNode & { path: string[]; depth: number };

/** The nodes of each answer about a tree, up to the last. */
async function* partsOfTree(ask: Awaited<ReturnType<typeof overTheWire>>, query: string): AsyncGenerator<WireNode[]> {
	for (let cursor: string | null = ""; cursor !== null; ) {
		const { status, body } = await ask(`tree?${query}${cursor && `&cursor=${encodeURIComponent(cursor)}`}`);
		expect(status).toBe(200);
		yield body.nodes as WireNode[];
		cursor = body.cursor as string | null;
		expect(cursor?.length ?? 0).toBeLessThan(2000);
	}
}

describe("a long answer", () => {
	test("arrives in pieces, the same as a short one but without its length", async () => {
		const outline = testOutline();
		const home = await mirrorsOfLongText(outline, 200_000, 30);
		const ask = await overTheWire(outline);
		const { length, body } = await ask(`nodes?parent_id=${home}`);
		expect(length).toBeUndefined();
		expect((body.nodes as WireNode[]).map(({ id, note }) => [id, note])).toEqual(
			(await outline.list(home)).nodes.map(({ id, note }) => [id, note]),
		);
		expect((await ask("nodes?parent_id=inbox")).length).toBe('{"nodes":[]}'.length.toString());
		expect(Number((await ask("tree?root=None&depth=1&limit=1")).length)).toBeGreaterThan(300);
	});

	test("grows only as far as the client reads, and ends when the client disconnects", async () => {
		let made = 0;
		const note = "x".repeat(1_000_000);
		const node: OutlineNode = {
			...(await testOutline().create({ name: "a" })),
			get note() {
				made += 1;
				return note;
			},
		};
		const nodes = Array.from({ length: 300 }, () => node);
		const hits = nodes.map((each) => ({ node: each, path: [each.id], score: 1 }));
		const outline = {
			list: async () => ({ nodes }),
			search: async () => hits,
			backlinks: async () => hits,
			changes: async () => ({ nodes, deleted: [], keys: [], revision: 1, more: false }),
		};
		const ask = served(outline);
		for (const path of ["nodes", "search?q=a", "nodes/a/backlinks", "changes"]) {
			const { body } = await ask(path);
			const reader = body!.getReader();
			let bytes = 0;
			// The handler reads a note three times: in its node, for its length, and to write it.
			const before = made;
			for (let chunk = 0; chunk < 40; chunk++) {
				const { value } = await reader.read();
				expect(value!.byteLength).toBeLessThan(200_000);
				bytes += value!.byteLength;
			}
			expect(bytes).toBeGreaterThan(2_000_000);
			expect(made - before).toBeLessThan(30);
			await reader.cancel();
			const left = made;
			await new Promise((resolve) => setImmediate(resolve));
			expect(made).toBe(left);
			made = 0;
		}
	});

	test("lets other requests run in between", async () => {
		const outline = testOutline();
		const home = await mirrorsOfLongText(outline, 1_000_000, 40);
		const { body } = await served(outline)(`nodes?parent_id=${home}`);
		let turns = 0;
		const timer = setInterval(() => turns++, 0);
		for await (const _ of body!) void 0;
		clearInterval(timer);
		expect(turns).toBeGreaterThan(3);
	});

	test("with ids alone arrives in pieces too", async () => {
		const outline = testOutline();
		const { id } = await outline.createTree({
			name: "a",
			children: Array.from({ length: 40_000 }, () => ({ name: "" })),
		});
		const answer = await served(outline)(`nodes/${id}/deletion-plan`);
		const chunks: Uint8Array[] = [];
		for await (const chunk of answer.body!) chunks.push(chunk);
		expect(chunks.length).toBeGreaterThan(10);
		const { plan } = JSON.parse(Buffer.concat(chunks).toString());
		expect(plan.node_ids).toEqual((await outline.plan.delete(id)).nodeIds);

		const mirrorIds: string[] = plan.node_ids;
		const refusing = {
			list: outline.list.bind(outline),
			async delete() {
				throw new OutlineError("has_mirrors", "It has mirrors.", { mirrorIds });
			},
		};
		const refused = await served(refusing)(`nodes/${id}`, "DELETE");
		expect(refused.status).toBe(409);
		expect(refused.headers.get("content-type")).toBe("application/problem+json");
		expect(await refused.json()).toMatchObject({ code: "has_mirrors", mirror_ids: mirrorIds });
	});
});

describe("a long list", () => {
	test("is read while it is sent, each child once and in order", async () => {
		const outline = testOutline();
		const { id } = await outline.createTree({
			name: "a",
			children: Array.from({ length: 10_001 }, (_, place) => ({ name: `${place}` })),
		});
		const { id: mirror } = await outline.mirror(id, { parent: (await outline.create({ name: "home" })).id });
		const names = Array.from({ length: 10_001 }, (_, place) => `${place}`);
		const { ann } = service({}, outline);
		const lists = [
			await ann.ask("GET", `/api/v1/nodes?parent_id=${id}`),
			await ann.ask("GET", `/api/v1/nodes?parent_id=${mirror}`),
			await service({ authenticate: () => outline.scope(id) }).ann.ask("GET", "/api/v1/nodes"),
			await service({ authenticate: () => ({ list: outline.list.bind(outline) }) as ServedOutline }).ann.ask(
				"GET",
				`/api/v1/nodes?parent_id=${mirror}`,
			),
		].map(({ body }) => body as { nodes: WireNode[]; mirror?: object });
		for (const { nodes } of lists) expect(nodes.map(({ name }) => name)).toEqual(names);
		expect(lists.map((list) => [list.mirror, list.nodes[0]!.parent_id])).toEqual([
			[undefined, id],
			[{ origin_id: id }, mirror],
			[undefined, id],
			[{ origin_id: id }, mirror],
		]);
		let read = 0;
		const counting = {
			list: outline.list.bind(outline),
			async *walk(...given: Parameters<Outline["walk"]>) {
				for await (const occurrence of outline.walk(...given)) {
					read += 1;
					yield occurrence;
				}
			},
		};
		const { body } = await served(counting)(`nodes?parent_id=${id}`);
		const reader = body!.getReader();
		await reader.read();
		expect(read).toBeGreaterThan(100);
		expect(read).toBeLessThan(1000);
		await reader.cancel();
	});

	test("of the top level begins with its first node", async () => {
		const outline = testOutline();
		const operations = Array.from({ length: 10_001 }, (_, place) => ({
			type: "create" as const,
			name: `${place}`,
			position: "bottom" as const,
		}));
		await outline.batch(operations);
		const nodes = await service({}, outline).ann.nodes();
		expect(nodes.map(({ name }) => name)).toEqual(operations.map(({ name }) => name));
	});
});

describe("GET /api/v1/tree", () => {
	test("has only the ends of long paths, so a deep tree has no longer answer than a flat one", async () => {
		const outline = testOutline();
		const { id } = await outline.createTree(chain(2000));
		const { ann } = service({}, outline);
		const { body } = await ann.ask("GET", `/api/v1/tree?root=${id}&limit=10000`);
		const nodes = body.nodes as Placed[];
		expect(nodes.map(({ depth }) => depth)).toEqual(Array.from({ length: 2000 }, (_, place) => place));
		const ids = nodes.map((node) => node.id);
		expect(nodes.map(({ path }) => path)).toEqual(ids.map((_, place) => ids.slice(Math.max(0, place - 31), place + 1)));
		expect(JSON.stringify(body).length).toBeLessThan(2000 * 2000);
		const { body: found } = await ann.ask("GET", "/api/v1/search?q=2000");
		expect((found.nodes as Placed[])[0]!.path).toEqual(ids.slice(-32));
	});

	test("ends with a cursor after some millions of characters, and a longer node comes alone", async () => {
		const outline = testOutline();
		const long = (length: number) => ({ name: "long", note: "\u0001".repeat(length) });
		const lengths = [1_000_000, 600_000, 100_000, 1, 1_000_000, 1_000_000];
		const { id } = await outline.createTree({ name: "all", children: lengths.map(long) });
		const ask = await overTheWire(outline);
		const parts: number[][] = [];
		for await (const nodes of partsOfTree(ask, `root=${id}`)) parts.push(nodes.map(({ note }) => note?.length ?? 0));
		// Each of these characters has six characters in JSON.
		expect(parts).toEqual([[0], [1_000_000], [600_000], [100_000, 1], [1_000_000], [1_000_000]]);
	});

	test("can be read to its end over the wire at any depth", async () => {
		const outline = testOutline();
		const { id } = await outline.createTree(chain(6000));
		const ask = await overTheWire(outline);
		const names: string[] = [];
		for await (const nodes of partsOfTree(ask, `root=${id}&limit=5000`)) names.push(...nodes.map(({ name }) => name));
		expect(names).toEqual(Array.from({ length: 6000 }, (_, place) => `${place + 1}`));
	});

	test("refuses a cursor with deleted ancestors, and a malformed one", async () => {
		const outline = testOutline();
		const { id } = await outline.createTree(chain(60));
		const { ann } = service({}, outline);
		const { body } = await ann.ask("GET", `/api/v1/tree?root=${id}&limit=50`);
		const [{ id: third }] = (body.nodes as Placed[]).slice(2) as [Placed];
		await outline.delete(third);
		const path = `/api/v1/tree?root=${id}&cursor=${body.cursor}`;
		expect(await ann.ask("GET", path)).toMatchObject({ status: 400, body: { code: "invalid_argument" } });

		let { id: top } = await outline.create({ name: "foot" });
		for (let step = 0; step < 300; step++) {
			const { id: above } = await outline.create({ name: `${step}` });
			await outline.mirror(top, { parent: above });
			top = above;
		}
		const refused = await ann.ask("GET", `/api/v1/tree?root=${top}&limit=290`);
		expect(refused).toMatchObject({ status: 413, body: { code: "too_large" } });
		expect((await ann.ask("GET", `/api/v1/tree?root=${top}`)).body.nodes).toHaveLength(301);
	});
});

test("GET /api/v1/changes returns whole commits up to a number of characters", async () => {
	const outline = testOutline();
	const home = await mirrorsOfLongText(outline, 400_000, 20);
	for (let count = 0; count < 6; count++) await outline.create({ name: "x".repeat(400_000) });
	await outline.delete(home);
	const { ann } = service({}, outline);
	const told: number[] = [];
	for (let since = 0, more = true; more; ) {
		const { body } = await ann.ask("GET", `/api/v1/changes?since=${since}`);
		told.push((body.nodes as WireNode[]).length);
		({ revision: since, more } = body as { revision: number; more: boolean });
	}
	expect(told).toEqual([2, 2, 2, 1]);
	const deleted = (await ann.ask("GET", "/api/v1/changes?since=8")).body.deleted;
	expect(deleted).toHaveLength(21);
});

describe("GET /api/v1/changes/stream", () => {
	test("sends a long commit in pieces of one event, and makes the next event only when the client reads", async () => {
		const outline = testOutline();
		const home = await mirrorsOfLongText(outline, 500_000, 10);
		let asked = 0;
		const counting = {
			subscribe: outline.subscribe.bind(outline),
			changes: (input: Parameters<Outline["changes"]>[0]) => {
				asked += 1;
				return outline.changes(input);
			},
		};
		const { body } = await served(counting)("changes/stream?since=2");
		const reader = body!.getReader();
		const decoder = new TextDecoder();
		let event = "";
		let chunks = 0;
		await outline.create({ name: "later" });
		while (!event.endsWith("\n\n")) {
			const { value } = await reader.read();
			expect(value!.byteLength).toBeLessThan(400_000);
			event += decoder.decode(value, { stream: true });
			chunks += 1;
			expect(asked).toBe(1);
		}
		expect(chunks).toBeGreaterThan(20);
		const [, id, data] = /^id: (\d+)\nevent: changes\ndata: (.*)\n\n$/.exec(event)!;
		const { nodes, revision, more } = JSON.parse(data!);
		expect([id, revision, more]).toEqual(["3", 3, false]);
		expect((nodes as WireNode[]).filter(({ parent_id }) => parent_id === home)).toHaveLength(10);
		expect(decoder.decode((await reader.read()).value)).toContain('"name":"later"');
		await reader.cancel();
	});

	test("lets other requests run while many streams send", async () => {
		const outline = testOutline();
		await mirrorsOfLongText(outline, 500_000, 1);
		const ask = served(outline);
		const readers = await Promise.all(
			Array.from({ length: 100 }, async () => (await ask("changes/stream?since=0")).body!.getReader()),
		);
		let turns = 0;
		let reading = true;
		const count = () => {
			turns += 1;
			if (reading) setImmediate(count);
		};
		setImmediate(count);
		await Promise.all(readers.map((reader) => reader.read()));
		reading = false;
		expect(turns).toBeGreaterThan(4);
		for (const reader of readers) await reader.cancel();
	});

	test("ends within an event when its client disconnects", async () => {
		const outline = testOutline();
		await mirrorsOfLongText(outline, 500_000, 10);
		const gone = new AbortController();
		const handle = createHttpHandler({ authenticate: () => outline });
		const asked = new Request(request("ann", "GET", "/api/v1/changes/stream?since=2"), { signal: gone.signal });
		const reader = (await handle(asked)).body!.getReader();
		expect((await reader.read()).done).toBe(false);
		gone.abort();
		expect((await reader.read()).done).toBe(true);
	});
});

test("backlinks are cut at a thousand, with `more`", async () => {
	const outline = testOutline();
	const { id } = await outline.create({ name: "linked" });
	const address = `[x](https://notes.example/#/${id.slice(-12)})`;
	const { ann } = service({}, outline);
	await outline.createTree({ name: "all", children: Array.from({ length: 1000 }, () => ({ name: address })) });
	const path = `/api/v1/nodes/${id}/backlinks`;
	expect((await ann.ask("GET", path)).body).toEqual({ nodes: expect.objectContaining({ length: 1000 }) });
	await outline.create({ name: address });
	expect((await ann.ask("GET", path)).body).toEqual({ nodes: expect.objectContaining({ length: 1000 }), more: true });
});
