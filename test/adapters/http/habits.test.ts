import { describe, expect, test } from "vitest";
import type { WireNode } from "../../../adapters/http/index.js";
import { type Client, service } from "./service.js";

/*
 * The requests of clients of such services, with habits that no page describes. They have the shapes of nine
 * clients' requests. Each case has the expected outline.
 */

/** The ids of the nodes at the start of each case. */
interface Ids {
	readonly home: string;
	readonly milk: string;
	readonly bread: string;
	readonly done: string;
}

const before = ["home", "  milk", "  bread: rye", "  eggs [todo] (done)"];

async function planted() {
	const { ann, handle } = service();
	const { body } = await ann.ask("POST", "/api/v1/trees", {
		name: "home",
		children: [{ name: "milk" }, { name: "bread", note: "rye" }, { name: "- [x] eggs" }],
	});
	const [home, milk, bread, done] = body.item_ids as [string, string, string, string];
	return { ann, handle, ids: { home, milk, bread, done } };
}

/**
 * The outline as lines: the name, the note after a colon, the layout mode in brackets, and `(done)` if
 * completed.
 */
async function shown(ann: Client): Promise<string[]> {
	const { body } = await ann.ask("GET", "/api/v1/tree");
	return (body.nodes as (WireNode & { path: string[] })[]).map(({ path, name, note, data, completed }) => {
		const layoutMode = data.layoutMode === "bullets" ? "" : ` [${data.layoutMode}]`;
		return `${"  ".repeat(path.length - 1)}${name}${note === null ? "" : `: ${note}`}${layoutMode}${completed ? " (done)" : ""}`;
	});
}

const short = (id: string) => id.slice(-12);
const day = '<time datetime="2026-12-24">Thu, Dec 24, 2026</time>';
const today = '<time datetime="2026-11-21">Sat, Nov 21, 2026</time>';

type Body = Readonly<Record<string, unknown>>;

/** A habit: the path and the body of a request, and the outline after it. */
type Habit = readonly [
	habit: string,
	path: (ids: Ids) => string,
	body: (ids: Ids) => Body | string | undefined,
	after: readonly string[],
];

const posted: readonly Habit[] = [
	[
		"a node for None, with a priority, at the bottom",
		() => "nodes",
		() => ({ parent_id: "None", name: "new", note: null, layoutMode: null, priority: 0, position: "bottom" }),
		[...before, "new"],
	],
	["a path with a slash at its end", () => "nodes/", () => ({ name: "new" }), ["new", ...before]],
	[
		"a short id as the parent, and a note",
		() => "nodes",
		({ home }) => ({ parent_id: short(home), name: "new", note: "n", position: "top" }),
		["home", "  new: n", ...before.slice(1)],
	],
	[
		"an id in capitals",
		() => "nodes",
		({ milk }) => ({ parent_id: milk.toUpperCase(), name: "new" }),
		["home", "  milk", "    new", ...before.slice(2)],
	],
	["the inbox", () => "nodes", () => ({ parent_id: "inbox", name: "new" }), [...before, "Inbox", "  new"]],
	[
		"today, as a task by its prefix",
		() => "nodes",
		() => ({ parent_id: "today", name: "- [ ] call **Ada**" }),
		[...before, "Calendar", "  2026", "    November", `      ${today}`, "        call <b>Ada</b> [todo]"],
	],
	[
		"a date, as a task by its layout mode",
		() => "nodes",
		() => ({ parent_id: "2026-12-24", name: "new", layoutMode: "todo" }),
		[...before, "Calendar", "  2026", "    December", `      ${day}`, "        new [todo]"],
	],
	[
		"several blocks in one name",
		() => "nodes",
		() => ({ name: "# new\n\n- a\n- b", position: "bottom" }),
		[...before, "new [h1]", "  a", "  b"],
	],
	[
		"the display in data, as answers have it",
		() => "nodes",
		() => ({ name: "new", data: { layoutMode: "todo" } }),
		["new [todo]", ...before],
	],
	[
		"the display in data, beside one that is null",
		() => "nodes",
		() => ({ name: "new", layoutMode: null, data: { layoutMode: "h1" } }),
		["new [h1]", ...before],
	],
	[
		"two displays",
		() => "nodes",
		() => ({ name: "new", layoutMode: "h2", data: { layoutMode: "h1" } }),
		["new [h2]", ...before],
	],
	[
		"a node as it was answered",
		() => "nodes",
		({ home }) => ({
			id: home,
			parent_id: null,
			name: "new",
			completed: false,
			completedAt: null,
			createdAt: 1,
			data: { layoutMode: "bullets", mirror: { mirror_ids: [home] } },
		}),
		["new", ...before],
	],
	["data that is no object", () => "nodes", () => ({ name: "new", data: "h1" }), ["new", ...before]],
	["data that is a list", () => "nodes", () => ({ name: "new", data: ["h1"] }), ["new", ...before]],
	["data that is null", () => "nodes", () => ({ name: "new", data: null }), ["new", ...before]],
	[
		"data without a display",
		() => "nodes",
		() => ({ name: "new", data: { layoutMode: null, isDefault: true } }),
		["new", ...before],
	],
	["a completed node", () => "nodes", () => ({ name: "new", completed: true }), ["new (done)", ...before]],
	[
		"a task that is open, whatever its prefix says",
		() => "nodes",
		() => ({ name: "- [x] new", completed: false }),
		["new [todo]", ...before],
	],
	[
		"nothing about completion",
		() => "nodes",
		() => ({ name: "- [x] new", completed: null }),
		["new [todo] (done)", ...before],
	],
	[
		"a new name in HTML, with the id in the body too",
		({ milk }) => `nodes/${milk}`,
		({ milk }) => ({ node_id: milk, name: "<b>oat</b> milk", note: undefined }),
		["home", "  <b>oat</b> milk", ...before.slice(2)],
	],
	[
		"a new note, to a short id",
		({ milk }) => `nodes/${short(milk)}/`,
		() => ({ note: "two", name: undefined }),
		["home", "  milk: two", ...before.slice(2)],
	],
	[
		"an empty note",
		({ bread }) => `nodes/${bread}`,
		() => ({ note: "" }),
		[...before.slice(0, 2), "  bread: ", before[3]!],
	],
	[
		"completion by an update",
		({ milk }) => `nodes/${milk}`,
		() => ({ completed: true }),
		[before[0]!, "  milk (done)", ...before.slice(2)],
	],
	[
		"reopening by an update",
		({ done }) => `nodes/${done}`,
		() => ({ completed: false }),
		[...before.slice(0, 3), "  eggs [todo]"],
	],
	[
		"completion along with a name",
		({ milk }) => `nodes/${milk}`,
		() => ({ name: "oat milk", completed: true, priority: 3 }),
		["home", "  oat milk (done)", ...before.slice(2)],
	],
	[
		"completion that isn't said",
		({ done }) => `nodes/${done}`,
		() => ({ completed: null, note: "n" }),
		[...before.slice(0, 3), "  eggs: n [todo] (done)"],
	],
	[
		"a new display",
		({ milk }) => `nodes/${milk}`,
		() => ({ layoutMode: "code-block" }),
		["home", "  milk [code-block]", ...before.slice(2)],
	],
	[
		"a new display in data",
		({ milk }) => `nodes/${milk}`,
		() => ({ data: { layoutMode: "h2" } }),
		["home", "  milk [h2]", ...before.slice(2)],
	],
	[
		"two new displays",
		({ milk }) => `nodes/${milk}`,
		() => ({ layoutMode: "h3", data: { layoutMode: "h2" } }),
		["home", "  milk [h3]", ...before.slice(2)],
	],
	["an update of nothing", ({ milk }) => `nodes/${milk}`, () => ({ data: { layoutMode: null }, foo: 1 }), before],
	[
		"completion without a body",
		({ milk }) => `nodes/${milk}/complete`,
		() => undefined,
		[before[0]!, "  milk (done)", ...before.slice(2)],
	],
	[
		"completion with an empty body",
		({ milk }) => `nodes/${milk}/complete/`,
		() => "",
		[before[0]!, "  milk (done)", ...before.slice(2)],
	],
	[
		"completion with an object",
		({ milk }) => `nodes/${short(milk)}/complete`,
		() => ({}),
		[before[0]!, "  milk (done)", ...before.slice(2)],
	],
	["completion of what is completed", ({ done }) => `nodes/${done}/complete`, () => ({}), before],
	["reopening", ({ done }) => `nodes/${done}/uncomplete`, () => "", [...before.slice(0, 3), "  eggs [todo]"]],
	[
		"a move by priority",
		({ bread }) => `nodes/${bread}/move`,
		({ home }) => ({ parent_id: home, priority: 0 }),
		["home", "  bread: rye", "  milk", "  eggs [todo] (done)"],
	],
	[
		"a move to None",
		({ milk }) => `nodes/${milk}/move`,
		() => ({ parent_id: "None", position: "bottom" }),
		["home", ...before.slice(2), "milk"],
	],
	[
		"a move to the inbox",
		({ milk }) => `nodes/${milk}/move`,
		() => ({ parent_id: "inbox" }),
		["home", ...before.slice(2), "Inbox", "  milk"],
	],
	[
		"a move to a date",
		({ milk }) => `nodes/${milk}/move`,
		() => ({ parent_id: "2026-12-24", position: null }),
		["home", ...before.slice(2), "Calendar", "  2026", "    December", `      ${day}`, "        milk"],
	],
	[
		"a mirror at the bottom",
		({ milk }) => `nodes/${milk}/mirror`,
		({ home }) => ({ parent_id: home, position: "bottom" }),
		[...before, "  milk"],
	],
	[
		"a batch of such requests",
		() => "batch",
		({ milk, done }) => ({
			operations: [
				{ type: "create", as: "a", name: "new", data: { layoutMode: "h1" }, priority: 1, completed: true },
				{
					type: "createTree",
					name: "tree",
					data: { layoutMode: "h2" },
					children: [{ name: "leaf", data: { layoutMode: "todo" } }],
				},
				{
					type: "update",
					id: milk,
					completed: true,
					layoutMode: null,
					data: { layoutMode: "quote-block" },
					node_id: milk,
				},
				{ type: "update", id: done, completed: false, name: null },
				{ type: "complete", id: { as: "a" }, name: "ignored", position: "bottom" },
			],
		}),
		[
			"tree [h2]",
			"  leaf [todo]",
			"new [h1] (done)",
			"home",
			"  milk [quote-block] (done)",
			"  bread: rye",
			"  eggs [todo]",
		],
	],
	[
		"a tree of such nodes",
		() => "trees",
		() => ({
			id: "x",
			name: "tree",
			data: { layoutMode: "h1" },
			completed: true,
			children: [
				{ name: "a", layoutMode: "h2", data: { layoutMode: "h3" }, priority: 1 },
				{ name: "b", layoutMode: null, data: { layoutMode: "todo" }, completed: true, children: [] },
				{ name: "c", data: 7, completed: null, children: null },
			],
		}),
		["tree [h1] (done)", "  a [h2]", "  b [todo] (done)", "  c", ...before],
	],
];

describe("clients send", () => {
	test.each(posted)("%s", async (_, path, body, after) => {
		const { ann, ids } = await planted();
		const headers = {
			"content-type": "application/json; charset=utf-8",
			accept: "*/*",
			"user-agent": "some-client/1.0",
		};
		const { status, body: answer } = await ann.ask("POST", `/api/v1/${path(ids)}`, body(ids), headers);
		expect([status, answer]).toEqual([200, expect.anything()]);
		expect(await shown(ann)).toEqual(after);
	});

	test.each<readonly [string, Body]>([
		["completion as a text", { completed: "true" }],
		["completion as a number", { completed: 1 }],
		["a display of another type", { data: { layoutMode: 7 } }],
		["an unknown display", { data: { layoutMode: "board" } }],
		["an unknown display beside a valid one in data", { layoutMode: "p", data: { layoutMode: "h1" } }],
	])("%s, which is refused in each request", async (_, fields) => {
		const { ann, ids } = await planted();
		for (const [path, body] of [
			["nodes", { name: "new", ...fields }],
			[`nodes/${ids.milk}`, fields],
			["trees", { name: "new", ...fields }],
			["trees", { name: "new", children: [{ name: "a", ...fields }] }],
			["batch", { operations: [{ type: "create", name: "new", ...fields }] }],
			["batch", { operations: [{ type: "update", id: ids.milk, ...fields }] }],
		] as const) {
			const { status, body: answer } = await ann.ask("POST", `/api/v1/${path}`, JSON.stringify(body), {
				"content-type": "application/json",
			});
			expect([status, answer.code], path).toEqual([400, "invalid_argument"]);
		}
		expect(await shown(ann)).toEqual(before);
	});

	test("requests that complete and reopen a node, and its times follow", async () => {
		const { ann, ids } = await planted();
		const { completedAt } = await ann.node(ids.done);
		await ann.ask("POST", `/api/v1/nodes/${ids.done}`, { completed: true });
		expect(await ann.node(ids.done)).toMatchObject({ completed: true, completedAt });
		await ann.ask("POST", `/api/v1/nodes/${ids.done}`, { completed: false });
		expect(await ann.node(ids.done)).toMatchObject({ completed: false, completedAt: null });
	});

	test("all forms of an id in reading requests, and names that are no references", async () => {
		const { ann, ids } = await planted();
		const { milk, home } = ids;
		for (const path of [milk, milk.toUpperCase(), short(milk), short(milk).toUpperCase(), `${milk}/`]) {
			expect((await ann.ask("GET", `/api/v1/nodes/${path}`)).body.node, path).toEqual(await ann.node(milk));
		}
		const names = async (query: string) => {
			const { body } = await ann.ask("GET", `/api/v1/nodes${query}`);
			return (body.nodes as WireNode[]).map(({ name }) => name);
		};
		for (const query of ["", "/", "?parent_id=None", "/?parent_id=None"]) expect(await names(query)).toEqual(["home"]);
		for (const parent of [home, short(home), home.toUpperCase()]) {
			expect(await names(`?parent_id=${parent}`)).toEqual(["milk", "bread", "eggs"]);
		}
		expect(await names("?parent_id=inbox")).toEqual([]);
		for (const path of ["nodes/home", "nodes/today", "nodes/inbox", "nodes?parent_id=today", "llm/doc/read/None/"]) {
			expect((await ann.ask("GET", `/api/v1/${path}`)).body.code, path).toBe("not_found");
		}
	});

	test("deletions with a body, twice, and of mirrors and origins", async () => {
		const { ann, ids } = await planted();
		const deleted = await ann.ask("DELETE", `/api/v1/nodes/${short(ids.bread)}/`, "", {
			"content-type": "application/json",
		});
		expect(deleted.body).toEqual({ status: "ok" });
		expect((await ann.ask("DELETE", `/api/v1/nodes/${ids.bread}`)).status).toBe(404);
		const mirror = await ann.mirror(ids.milk, ids.home);
		expect(await ann.ask("DELETE", `/api/v1/nodes/${ids.milk}`)).toMatchObject({
			status: 409,
			body: { code: "has_mirrors" },
		});
		expect((await ann.ask("DELETE", `/api/v1/nodes/${ids.milk}/mirror`)).body.code).toBe("not_a_mirror");
		expect((await ann.ask("DELETE", `/api/v1/nodes/${mirror}/mirror`)).body).toEqual({ status: "ok" });
		for (const [parent_id, code] of [
			["inbox", "unsupported_reference"],
			[short(ids.home), "unsupported_reference"],
			[ids.milk, "would_create_cycle"],
		]) {
			expect((await ann.ask("POST", `/api/v1/nodes/${ids.milk}/mirror`, { parent_id })).body.code).toBe(code);
		}
		expect(await shown(ann)).toEqual([...before.slice(0, 2), before[3]]);
	});

	test("exports of everything, and wait for as long as the answer says", async () => {
		const { ann, ids } = await planted();
		const { body } = await ann.ask("GET", "/api/v1/nodes-export/");
		expect((body.nodes as WireNode[]).find(({ id }) => id === ids.done)).toMatchObject({
			parent_id: ids.home,
			completed: true,
			priority: expect.any(Number),
			createdAt: expect.any(Number),
			data: { layoutMode: "todo" },
		});
		const { status, headers, body: refused } = await ann.ask("GET", "/api/v1/nodes-export");
		expect([status, refused.retry_after]).toEqual([429, Number(headers.get("retry-after"))]);
	});

	test("requests with errors, and find the same sentence in each field", async () => {
		const { ann, handle } = await planted();
		const lost = (await ann.ask("GET", "/api/v1/nodes/nowhere")).body;
		const stranger = new Request("https://api.example/api/v1/targets", { headers: { authorization: "bearer nobody" } });
		const unknown = (await (await handle(stranger)).json()) as Record<string, unknown>;
		for (const { detail, error, message } of [lost, unknown]) {
			expect(detail).toMatch(/^[A-Z].+\.$/);
			expect([error, message]).toEqual([detail, detail]);
		}
		expect(unknown.errors).toBe(unknown.detail);
		expect(lost.errors).toBeUndefined();
	});
});
