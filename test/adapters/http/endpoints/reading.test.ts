import { describe, expect, test } from "vitest";
import type { WireHit, WireNode } from "../../../../adapters/http/index.js";
import { problem, request, service } from "../service.js";

async function planted() {
	const served = service();
	const { body } = await served.ann.ask("POST", "/api/v1/trees", {
		name: "trip",
		children: [{ name: "boat", children: [{ name: "sail" }, { name: "oar" }] }, { name: "tent" }],
	});
	const [trip, boat, sail, oar, tent] = body.item_ids as [string, string, string, string, string];
	return { ...served, trip, boat, sail, oar, tent };
}

describe("GET /api/v1/tree", () => {
	test("returns a node and the nodes below it, each with its path and depth", async () => {
		const { ann, trip, boat, sail, oar, tent } = await planted();
		const { status, body } = await ann.ask("GET", `/api/v1/tree?root=${trip}`);
		expect(status).toBe(200);
		expect(body.cursor).toBeNull();
		const nodes = body.nodes as (WireNode & { path: string[]; depth: number })[];
		expect(nodes.map(({ depth }) => depth)).toEqual([0, 1, 2, 2, 1]);
		expect(nodes.map(({ path }) => path)).toEqual([
			[trip],
			[trip, boat],
			[trip, boat, sail],
			[trip, boat, oar],
			[trip, tent],
		]);
		const { path, depth, ...node } = nodes[2]!;
		expect(node).toEqual(await ann.node(sail));
		const whole = await ann.ask("GET", "/api/v1/tree");
		expect(whole.body.nodes).toEqual(body.nodes);
		expect((await ann.ask("GET", "/api/v1/tree?root=None")).body.nodes).toEqual(body.nodes);
		const address = encodeURIComponent(`https://notes.example/#/${trip.slice(-12)}`);
		expect((await ann.ask("GET", `/api/v1/tree?root=${address}`)).body.nodes).toEqual(body.nodes);
	});

	test("has the path of each node, also if a node is on its own path", async () => {
		const { ann, trip, boat, sail, oar, tent } = await planted();
		await ann.ask("DELETE", `/api/v1/nodes/${tent}`);
		const { item_id: mirror } = (await ann.ask("POST", `/api/v1/nodes/${trip}/mirror`, { parent_id: boat })).body;
		const { body } = await ann.ask("GET", `/api/v1/tree?root=${boat}`);
		const nodes = body.nodes as (WireNode & { path: string[]; depth: number })[];
		expect(nodes.map(({ path }) => path)).toEqual([
			[boat],
			[boat, mirror],
			[boat, mirror, boat],
			[boat, sail],
			[boat, oar],
		]);
		expect(nodes.map(({ depth }) => depth)).toEqual([0, 1, 2, 1, 1]);
	});

	test("accepts a depth, a limit, and a cursor to continue", async () => {
		const { ann, trip, sail } = await planted();
		await ann.ask("POST", `/api/v1/nodes/${sail}/complete`);
		const names = async (query: string) => {
			const { body } = await ann.ask("GET", `/api/v1/tree?root=${trip}&${query}`);
			return { names: (body.nodes as WireNode[]).map(({ name }) => name).join(" "), cursor: body.cursor as string };
		};
		expect((await names("depth=1")).names).toBe("trip boat tent");
		expect((await names("completed=false")).names).toBe("trip boat oar tent");
		const first = await names("limit=3");
		expect(first.names).toBe("trip boat sail");
		const second = await names(`limit=1&cursor=${encodeURIComponent(first.cursor)}`);
		expect(second.names).toBe("oar");
		expect(await names(`cursor=${encodeURIComponent(second.cursor)}`)).toEqual({ names: "tent", cursor: null });
		expect((await names("mirrors=stop")).names).toBe("trip boat sail oar tent");
	});

	test("refuses wrong parameters", async () => {
		const { ann, trip } = await planted();
		for (const query of [
			"depth=-1",
			"depth=x",
			"limit=0",
			"limit=10001",
			"limit=1e3",
			"completed=no",
			"mirrors=x",
			"cursor=x",
		]) {
			const refused = await ann.ask("GET", `/api/v1/tree?root=${trip}&${query}`);
			expect(refused, query).toMatchObject(problem(400, "invalid_argument"));
		}
		expect(await ann.ask("GET", "/api/v1/tree?root=nowhere")).toMatchObject(problem(404, "not_found"));
		expect(await ann.ask("GET", "/api/v1/tree?root=")).toMatchObject(problem(400, "invalid_reference"));
	});

	test("stops when the client disconnects", async () => {
		const { handle, trip } = await planted();
		const gone = new AbortController();
		const asking = request("ann", "GET", `/api/v1/tree?root=${trip}`);
		gone.abort();
		const response = await handle(new Request(asking, { signal: gone.signal }));
		expect(response.status).toBe(500);
	});
});

describe("GET /api/v1/changes", () => {
	test("has the keys that were set and dropped", async () => {
		const { ann, outline } = service();
		const id = await ann.create({ name: "a" });
		await outline.setShortcut("home", id);
		await outline.setShortcut("work", id);
		await outline.deleteShortcut("work");
		const inbox = await outline.ensure("inbox");
		const { body } = await ann.ask("GET", "/api/v1/changes?since=1");
		expect(body.keys).toEqual([
			{ key: "home", type: "shortcut", node_id: id },
			{ key: "inbox", type: "system", node_id: inbox.id },
			{ key: "work", type: "shortcut", node_id: null },
		]);
	});

	test("is gone from before the revision up to which deletions were pruned", async () => {
		const { ann, outline } = service();
		const id = await ann.create({ name: "a" });
		await ann.ask("DELETE", `/api/v1/nodes/${id}`);
		await ann.create({ name: "b" });
		await outline.prune({ before: 3 });
		expect(await ann.ask("GET", "/api/v1/changes?since=1")).toMatchObject(problem(410, "changes_expired"));
		expect((await ann.ask("GET", "/api/v1/changes?since=2")).status).toBe(200);
		expect((await ann.ask("GET", "/api/v1/changes")).body).toMatchObject({ nodes: [{ name: "b" }], deleted: [] });
	});

	test("returns the changes since a revision, or empty lists", async () => {
		const { ann, trip, boat, sail, oar, tent } = await planted();
		const all = await ann.ask("GET", "/api/v1/changes?since=0");
		expect(all.status).toBe(200);
		expect((all.body.nodes as WireNode[]).map(({ id }) => id).sort()).toEqual([trip, boat, sail, oar, tent].sort());
		expect(all.body).toMatchObject({ deleted: [], revision: 1, more: false });
		expect((await ann.ask("GET", "/api/v1/changes")).body).toEqual(all.body);
		await ann.ask("DELETE", `/api/v1/nodes/${boat}`);
		await ann.ask("POST", `/api/v1/nodes/${tent}`, { name: "big tent" });
		const since = await ann.ask("GET", "/api/v1/changes?since=1");
		expect(since.body).toMatchObject({ nodes: [await ann.node(tent)], revision: 3, more: false });
		expect((since.body.deleted as string[]).sort()).toEqual([boat, sail, oar].sort());
		expect((await ann.ask("GET", "/api/v1/changes?since=3")).body).toEqual({
			nodes: [],
			deleted: [],
			keys: [],
			revision: 3,
			more: false,
		});
		const first = await ann.ask("GET", "/api/v1/changes?since=1&limit=1");
		expect(first.body).toMatchObject({ nodes: [], revision: 2, more: true });
	});

	test("refuses a future revision, and an invalid one", async () => {
		const { ann } = await planted();
		for (const query of ["since=2", "since=-1", "since=x", "since=", "since=0&limit=0", "since=9007199254740993"]) {
			const refused = await ann.ask("GET", `/api/v1/changes?${query}`);
			expect(refused, query).toMatchObject(problem(400, "invalid_argument"));
		}
	});
});

describe("GET /api/v1/search", () => {
	test("finds nodes, each with its path and its score", async () => {
		const { ann, trip, boat, sail } = await planted();
		const { status, body } = await ann.ask("GET", "/api/v1/search?q=sail");
		expect(status).toBe(200);
		const { path, score, ...node } = (body.nodes as (WireNode & { path: string[]; score: number })[])[0]!;
		expect(node).toEqual(await ann.node(sail));
		expect([path, score > 0]).toEqual([[trip, boat, sail], true]);
		const within = async (id: string) => (await ann.ask("GET", `/api/v1/search?q=oar&within=${id}`)).body.nodes;
		expect(await within(boat)).toHaveLength(1);
		expect(await within(sail)).toEqual([]);
		expect((await ann.ask("GET", "/api/v1/search?q=-nothing&limit=2")).body.nodes).toHaveLength(2);
	});

	test("returns the names above a node and the ranges of its texts, if the request asks for them", async () => {
		const { ann, trip, boat, sail } = await planted();
		const asked = async (query: string) => {
			const { body } = await ann.ask("GET", `/api/v1/search?${query}`);
			return (body.nodes as WireHit[])[0]!;
		};
		const hit = await asked("q=sai&ancestors=true&ranges=true");
		expect(hit.ancestors).toEqual([
			{ id: trip, name: (await ann.node(trip)).name },
			{ id: boat, name: (await ann.node(boat)).name },
		]);
		expect(hit.ranges).toEqual({ name: [{ start: 0, end: 3 }], note: [] });
		const plain = await asked("q=sail&ancestors=false");
		expect([plain.ancestors, plain.ranges, plain.date]).toEqual([undefined, undefined, undefined]);

		// Long names and many ranges are cut, as long paths are.
		await ann.ask("POST", `/api/v1/nodes/${trip}`, { name: `<b>${"&lt;a &amp; ".repeat(100)}</b>` });
		await ann.ask("POST", `/api/v1/nodes/${boat}`, { name: `<a href="/${"x".repeat(200)}">boat</a>` });
		await ann.ask("POST", `/api/v1/nodes/${sail}`, { name: "sail", note: "a ".repeat(100) });
		let above = sail;
		for (let depth = 0; depth < 40; depth++) above = await ann.create({ name: "d", parent_id: above });
		const cut = await asked("q=sail%20a&ancestors=true&ranges=true");
		expect(cut.ancestors!.map(({ name }) => name)).toEqual([`${"&lt;a &amp; ".repeat(39)}&lt;a &amp;…`, "boat"]);
		expect(cut.ranges!.note).toHaveLength(32);
		const { body } = await ann.ask("GET", "/api/v1/search?q=d&ancestors=true");
		const deep = (body.nodes as WireHit[]).find(({ id }) => id === above)!;
		expect([deep.path.length, deep.ancestors!.length]).toEqual([32, 32]);
	});

	test("sorts by the dates in texts", async () => {
		const { ann } = service();
		for (const name of ["late [2026-12-24]", "early [2026-12-01 09:30]", "none"]) await ann.create({ name });
		const { body } = await ann.ask("GET", "/api/v1/search?q=date:2026-12&order=date");
		expect((body.nodes as WireHit[]).map(({ date }) => date)).toEqual(["2026-12-01T09:30+00:00", "2026-12-24"]);
	});

	test("refuses wrong parameters", async () => {
		const { ann } = await planted();
		const wrong = ["?q=a&order=name", "?q=a&ancestors=1", "?q=a&ranges=yes", "?q=date:soon"];
		for (const query of ["", "?q=", "?q=is:nothing", "?q=a&limit=0", "?q=a&limit=1001", "?q=a&limit=x", ...wrong]) {
			const refused = await ann.ask("GET", `/api/v1/search${query}`);
			expect(refused, query).toMatchObject(problem(400, "invalid_argument"));
		}
		expect(await ann.ask("GET", "/api/v1/search?q=a&within=nowhere")).toMatchObject(problem(404, "not_found"));
	});
});

test("GET /api/v1/tags lists the tags, the most frequent first", async () => {
	const { ann } = service();
	expect((await ann.ask("GET", "/api/v1/tags")).body).toEqual({ tags: [] });
	for (const name of ["#a and #b", "b is #b", "for @ann"]) await ann.create({ name });
	const { status, body } = await ann.ask("GET", "/api/v1/tags");
	expect(status).toBe(200);
	const { tags } = body as { tags: { tag: string; count: number }[] };
	expect(tags[0]).toEqual({ tag: "#b", count: 2 });
	expect(tags.map(({ tag }) => tag).sort()).toEqual(["#a", "#b", "@ann"]);
});

test("GET /api/v1/nodes/:id/backlinks returns the nodes that link to a node, with their paths", async () => {
	const { ann, trip, sail, tent } = await planted();
	const path = `/api/v1/nodes/${sail}/backlinks`;
	expect((await ann.ask("GET", path)).body).toEqual({ nodes: [] });
	const address = `https://notes.example/#/${sail.slice(-12)}`;
	await ann.ask("POST", `/api/v1/nodes/${tent}`, { name: `<a href="${address}">sail</a>` });
	const { status, body } = await ann.ask("GET", path);
	expect(status).toBe(200);
	expect(body).toEqual({ nodes: [{ ...(await ann.node(tent)), path: [trip, tent] }] });
	expect(await ann.ask("GET", "/api/v1/nodes/nowhere/backlinks")).toMatchObject(problem(404, "not_found"));
	expect(await ann.ask("GET", "/api/v1/nodes/None/backlinks")).toMatchObject(problem(400, "unsupported_reference"));
});
