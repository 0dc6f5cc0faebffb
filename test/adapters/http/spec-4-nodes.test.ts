import { expect, test } from "vitest";
import { problem, service, today } from "./service.js";

const seconds = today / 1000;

test("§4.1 create returns the new node's id, and each field arrives", async () => {
	const { ann } = service();
	const parent = await ann.create({ name: "Projects" });
	const { status, headers, body } = await ann.ask("POST", "/api/v1/nodes", {
		parent_id: parent,
		name: "**Ship** it",
		note: "by *Friday*",
		layoutMode: "todo",
		position: "bottom",
		color: "red",
	});
	expect(status).toBe(200);
	expect(headers.get("content-type")).toBe("application/json");
	expect(headers.get("cache-control")).toBe("no-store");
	expect(headers.get("x-content-type-options")).toBe("nosniff");
	expect(Object.keys(body)).toEqual(["item_id"]);
	expect(await ann.node(body.item_id as string)).toEqual({
		id: body.item_id,
		parent_id: parent,
		name: "<b>Ship</b> it",
		note: "by *Friday*",
		priority: expect.any(Number),
		completed: false,
		createdAt: seconds,
		modifiedAt: seconds,
		completedAt: null,
		data: { layoutMode: "todo" },
	});
});

test("§4.1 create puts a node at the top by default", async () => {
	const { ann } = service();
	for (const [name, position] of [["b"], ["c", "bottom"], ["a", null], ["0", "top"]]) {
		await ann.create({ name, position });
	}
	expect((await ann.nodes()).map((node) => node.name)).toEqual(["0", "a", "b", "c"]);
});

test("§4.1 create accepts each form of a reference as the parent", async () => {
	const { ann, outline } = service();
	const id = await ann.create({ name: "Work" });
	await outline.setShortcut("work", id);
	const shortId = id.slice(-12);
	for (const parent_id of [id, shortId, `https://notes.example/#/${shortId}`, "work"]) {
		expect((await ann.node(await ann.create({ parent_id, name: "a" }))).parent_id, parent_id).toBe(id);
	}
	expect((await ann.node(await ann.create({ parent_id: "None", name: "a" }))).parent_id).toBe(null);
	for (const parent_id of ["inbox", "calendar", "today", "tomorrow", "next_week", "2027", "2027-01", "2027-01-31"]) {
		const child = await ann.node(await ann.create({ parent_id, name: "a" }));
		expect(
			(await ann.nodes(parent_id)).map((node) => node.id),
			parent_id,
		).toContain(child.id);
	}
});

test.each([
	["no name", {}],
	["a null name", { name: null }],
	["a name of another type", { name: 7 }],
	["an unknown layout mode", { name: "a", layoutMode: "h7" }],
	["an unknown position", { name: "a", position: "middle" }],
	["a note of another type", { name: "a", note: [] }],
	["a parent of another type", { name: "a", parent_id: 7 }],
])("§4.1 create with %s is 400 and creates nothing", async (_, body) => {
	const { ann } = service();
	expect(await ann.ask("POST", "/api/v1/nodes", body)).toMatchObject(problem(400, "invalid_argument"));
	expect(await ann.nodes()).toEqual([]);
});

test("§4.2 update changes the given fields alone", async () => {
	const { ann } = service();
	const id = await ann.create({ name: "a", note: "n", layoutMode: "h1" });
	const path = `/api/v1/nodes/${id}`;
	expect(await ann.ask("POST", path, { name: "<i>b</i>" })).toMatchObject({ status: 200, body: { status: "ok" } });
	expect(await ann.node(id)).toMatchObject({ name: "<i>b</i>", note: "n", data: { layoutMode: "h1" } });
	await ann.ask("POST", path, { layoutMode: "h2", parent_id: "inbox", position: "bottom", priority: 5 });
	expect(await ann.node(id)).toMatchObject({
		parent_id: null,
		priority: 0,
		note: "n",
		data: { layoutMode: "h2" },
	});
	await ann.ask("POST", path, { note: "m", layoutMode: null });
	expect(await ann.node(id)).toMatchObject({ name: "<i>b</i>", note: "m", data: { layoutMode: "h2" } });
	await ann.ask("POST", path, { note: null });
	expect((await ann.node(id)).note).toBe(null);
});

test("§4.2 update with an empty body changes nothing", async () => {
	const { ann } = service();
	const id = await ann.create({ name: "a" });
	const before = await ann.node(id);
	expect((await ann.ask("POST", `/api/v1/nodes/${id}`)).status).toBe(200);
	expect((await ann.ask("POST", `/api/v1/nodes/${id}`, "")).status).toBe(200);
	expect(await ann.node(id)).toEqual(before);
});

test("§4.2 update with a null name is 400", async () => {
	const { ann } = service();
	const id = await ann.create({ name: "a" });
	expect(await ann.ask("POST", `/api/v1/nodes/${id}`, { name: null })).toMatchObject(problem(400, "invalid_argument"));
});

test("§4.3 retrieve accepts a full id, a short id and calendar targets, and creates nothing", async () => {
	const { ann } = service();
	const id = await ann.create({ name: "a" });
	expect((await ann.node(id.slice(-12))).id).toBe(id);
	expect((await ann.node(id.toUpperCase())).id).toBe(id);
	for (const target of ["calendar", "today", "tomorrow", "next_week", "2026", "2026-11", "2026-11-21"]) {
		expect(await ann.ask("GET", `/api/v1/nodes/${target}`), target).toMatchObject(problem(404, "not_found"));
	}
	const child = await ann.create({ parent_id: "today", name: "b" });
	const day = await ann.node("2026-11-21");
	expect((await ann.node(child)).parent_id).toBe(day.id);
	expect(day.name).toBe('<time datetime="2026-11-21">Sat, Nov 21, 2026</time>');
});

test("§4.4 list reads its parent from the query: the top level by default, the first of several", async () => {
	const { ann } = service();
	const id = await ann.create({ name: "a" });
	const child = await ann.create({ parent_id: id, name: "b" });
	expect((await ann.ask("GET", "/api/v1/nodes")).body).toEqual({ nodes: [await ann.node(id)] });
	expect((await ann.ask("GET", `/api/v1/nodes?parent_id=${id}&parent_id=None`)).body).toEqual({
		nodes: [await ann.node(child)],
	});
	expect((await ann.nodes("None")).map((node) => node.id)).toEqual([id]);
	expect((await ann.nodes(`https://notes.example/#/${id.slice(-12)}`)).map((node) => node.id)).toEqual([child]);
});

test("§4.4 list with an empty parent is 400, with an unknown one 404", async () => {
	const { ann } = service();
	expect(await ann.ask("GET", "/api/v1/nodes?parent_id=")).toMatchObject(problem(400, "invalid_reference"));
	expect(await ann.ask("GET", "/api/v1/nodes?parent_id=nowhere")).toMatchObject(problem(404, "not_found"));
	expect(await ann.ask("GET", "/api/v1/nodes?parent_id=%ff")).toMatchObject(problem(404, "not_found"));
});

test("§4.5 delete removes a node with its subtree", async () => {
	const { ann } = service();
	const id = await ann.create({ name: "a" });
	const child = await ann.create({ parent_id: id, name: "b" });
	expect(await ann.ask("DELETE", `/api/v1/nodes/${id}`)).toMatchObject({ status: 200, body: { status: "ok" } });
	expect(await ann.ask("GET", `/api/v1/nodes/${child}`)).toMatchObject(problem(404, "not_found"));
	expect(await ann.ask("DELETE", `/api/v1/nodes/${id}`)).toMatchObject(problem(404, "not_found"));
});

test("§4.6 move keeps the parent by default, and null is the top level", async () => {
	const { ann } = service();
	const [a, b] = [await ann.create({ name: "a" }), await ann.create({ name: "b", position: "bottom" })];
	const c = await ann.create({ parent_id: a, name: "c" });
	const d = await ann.create({ parent_id: a, name: "d", position: "bottom" });
	const children = async (parentId: string) => (await ann.nodes(parentId)).map((node) => node.id);

	expect(await ann.ask("POST", `/api/v1/nodes/${d}/move`)).toMatchObject({ status: 200, body: { status: "ok" } });
	expect(await children(a)).toEqual([d, c]);
	await ann.ask("POST", `/api/v1/nodes/${d}/move`, { position: "bottom" });
	expect(await children(a)).toEqual([c, d]);
	await ann.ask("POST", `/api/v1/nodes/${c}/move`, { parent_id: b, position: null });
	expect([await children(a), await children(b)]).toEqual([[d], [c]]);
	await ann.ask("POST", `/api/v1/nodes/${c}/move`, { parent_id: null, position: "bottom" });
	expect(await children("None")).toEqual([a, b, c]);
	await ann.ask("POST", `/api/v1/nodes/${c}/move`, { parent_id: "2027-01-31" });
	expect(await children("2027-01-31")).toEqual([c]);
});

test("§4.6 move into the node's own subtree is 409, to a parent of another type 400", async () => {
	const { ann } = service();
	const a = await ann.create({ name: "a" });
	const b = await ann.create({ parent_id: a, name: "b" });
	const path = `/api/v1/nodes/${a}/move`;
	expect(await ann.ask("POST", path, { parent_id: b })).toMatchObject(problem(409, "would_create_cycle"));
	expect(await ann.ask("POST", path, { parent_id: 1 })).toMatchObject(problem(400, "invalid_argument"));
	expect(await ann.ask("POST", path, { parent_id: "2026-13" })).toMatchObject(problem(400, "invalid_reference"));
});

test("§4.9, §4.10 complete and uncomplete set and clear the completion", async () => {
	const { ann } = service();
	const id = await ann.create({ name: "a" });
	for (let twice = 0; twice < 2; twice++) {
		expect((await ann.ask("POST", `/api/v1/nodes/${id}/complete`)).body).toEqual({ status: "ok" });
		expect(await ann.node(id)).toMatchObject({ completed: true, completedAt: seconds });
	}
	for (let twice = 0; twice < 2; twice++) {
		expect((await ann.ask("POST", `/api/v1/nodes/${id}/uncomplete`, {})).body).toEqual({ status: "ok" });
		expect(await ann.node(id)).toMatchObject({ completed: false, completedAt: null });
	}
});

test("§4.12 targets are the system targets, then the shortcuts", async () => {
	const { ann, outline } = service();
	const id = await ann.create({ name: "*Work*" });
	await ann.create({ parent_id: "inbox", name: "a" });
	await outline.setShortcut("work", id);
	const { status, body } = await ann.ask("GET", "/api/v1/targets");
	expect(status).toBe(200);
	expect(body).toEqual({
		targets: expect.arrayContaining([
			{ key: "inbox", type: "system", name: "Inbox" },
			{ key: "calendar", type: "system", name: null },
			{ key: "work", type: "shortcut", name: "<i>Work</i>" },
		]),
	});
});
