import { describe, expect, test } from "vitest";
import type { WireNode } from "../../../adapters/http/index.js";
import { type Client, service } from "./service.js";

/*
 * The requests of clients of such services, with habits that no page describes. They have the shapes of nine
 * clients' requests. Each case has the expected outline.
 */

const before = ["home", "  milk", "  bread: rye", "  eggs [todo] (done)"];

/** The outline with another line in the place of the milk's. */
const withMilk = (line: string) => ["home", `  ${line}`, ...before.slice(2)];

const short = (id: string) => id.slice(-12);

async function planted() {
	const { ann } = service();
	const { body } = await ann.ask("POST", "/api/v1/trees", {
		name: "home",
		children: [{ name: "milk" }, { name: "bread", note: "rye" }, { name: "- [x] eggs" }],
	});
	const [home, milk, bread, done] = body.item_ids as [string, string, string, string];
	return { ann, ids: { home, milk, bread, done, MILK: milk.toUpperCase() } };
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

type Body = Readonly<Record<string, unknown>>;

/**
 * A habit: the path and the body of a request, and the outline after it. In path and body, `:milk` is the id of
 * that node, and `:MILK` its id in capitals.
 */
type Habit = readonly [habit: string, path: string, body: Body | string | undefined, after: readonly string[]];

const posted: readonly Habit[] = [
	[
		"a node for None, with a priority, at the bottom",
		"nodes",
		{ parent_id: "None", name: "new", note: null, layoutMode: null, priority: 0, position: "bottom" },
		[...before, "new"],
	],
	["a path with a slash at its end", "nodes/", { name: "new" }, ["new", ...before]],
	[
		"an id in capitals",
		"nodes",
		{ parent_id: ":MILK", name: "new" },
		["home", "  milk", "    new", ...before.slice(2)],
	],
	[
		"several blocks in one name",
		"nodes",
		{ name: "# new\n\n- a\n- b", position: "bottom" },
		[...before, "new [h1]", "  a", "  b"],
	],
	[
		"the display in data, as answers have it",
		"nodes",
		{ name: "new", data: { layoutMode: "todo" } },
		["new [todo]", ...before],
	],
	[
		"the display in data, beside one that is null",
		"nodes",
		{ name: "new", layoutMode: null, data: { layoutMode: "h1" } },
		["new [h1]", ...before],
	],
	["two displays", "nodes", { name: "new", layoutMode: "h2", data: { layoutMode: "h1" } }, ["new [h2]", ...before]],
	[
		"a node as it was answered",
		"nodes",
		{
			id: ":home",
			parent_id: null,
			name: "new",
			completed: false,
			completedAt: null,
			createdAt: 1,
			data: { layoutMode: "bullets", mirror: { mirror_ids: [":home"] } },
		},
		["new", ...before],
	],
	["data that is no object", "nodes", { name: "new", data: "h1" }, ["new", ...before]],
	["data that is null", "nodes", { name: "new", data: null }, ["new", ...before]],
	["a completed node", "nodes", { name: "new", completed: true }, ["new (done)", ...before]],
	[
		"a task that is open, whatever its prefix says",
		"nodes",
		{ name: "- [x] new", completed: false },
		["new [todo]", ...before],
	],
	[
		"a new name in HTML, with the id in the body too",
		"nodes/:milk",
		{ node_id: ":milk", name: "<b>oat</b> milk" },
		withMilk("<b>oat</b> milk"),
	],
	["completion by an update", "nodes/:milk", { completed: true }, withMilk("milk (done)")],
	[
		"completion along with a name",
		"nodes/:milk",
		{ name: "oat milk", completed: true, priority: 3 },
		withMilk("oat milk (done)"),
	],
	["two new displays", "nodes/:milk", { layoutMode: "h3", data: { layoutMode: "h2" } }, withMilk("milk [h3]")],
	["completion without a body", "nodes/:milk/complete", undefined, withMilk("milk (done)")],
	["completion with an empty body", "nodes/:milk/complete/", "", withMilk("milk (done)")],
	["reopening", "nodes/:done/uncomplete", "", [...before.slice(0, 3), "  eggs [todo]"]],
	[
		"a move by priority",
		"nodes/:bread/move",
		{ parent_id: ":home", priority: 0 },
		["home", "  bread: rye", "  milk", "  eggs [todo] (done)"],
	],
	["a mirror at the bottom", "nodes/:milk/mirror", { parent_id: ":home", position: "bottom" }, [...before, "  milk"]],
	[
		"a batch of such requests",
		"batch",
		{
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
					id: ":milk",
					completed: true,
					layoutMode: null,
					data: { layoutMode: "quote-block" },
					node_id: ":milk",
				},
				{ type: "update", id: ":done", completed: false, name: null },
				{ type: "complete", id: { as: "a" }, name: "ignored", position: "bottom" },
			],
		},
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
		"trees",
		{
			id: "x",
			name: "tree",
			data: { layoutMode: "h1" },
			completed: true,
			children: [
				{ name: "a", layoutMode: "h2", data: { layoutMode: "h3" }, priority: 1 },
				{ name: "b", layoutMode: null, data: { layoutMode: "todo" }, completed: true, children: [] },
				{ name: "c", data: 7, completed: null, children: null },
			],
		},
		["tree [h1] (done)", "  a [h2]", "  b [todo] (done)", "  c", ...before],
	],
];

describe("clients send", () => {
	test.each(posted)("%s", async (_, path, body, after) => {
		const { ann, ids } = await planted();
		const withIds = (text: string) =>
			text.replace(/:([\w-]+)/g, (given, name: string) => (ids as Record<string, string>)[name] ?? given);
		const headers = {
			"content-type": "application/json; charset=utf-8",
			accept: "*/*",
			"user-agent": "some-client/1.0",
		};
		const sent = typeof body === "object" ? withIds(JSON.stringify(body)) : body;
		const { status, body: answer } = await ann.ask("POST", `/api/v1/${withIds(path)}`, sent, headers);
		expect([status, answer]).toEqual([200, expect.anything()]);
		expect(await shown(ann)).toEqual(after);
	});

	test.each<readonly [string, Body]>([
		["completion as a text", { completed: "true" }],
		["completion as a number", { completed: 1 }],
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
		expect((await ann.ask("GET", "/api/v1/targets/")).status).toBe(200);
	});
});
