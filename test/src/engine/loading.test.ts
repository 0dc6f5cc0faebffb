import { gzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { createHttpHandler } from "../../../adapters/http/index.js";
import { OutlineError } from "../../../src/errors.js";
import type { TreeInput } from "../../../src/operations/create-tree.js";
import { markdownModule } from "../../../src/operations/name.js";
import { codeOf, exported, newOutline, picture, planted } from "../../support/outline.js";
import { memoryStorages } from "../../support/storages.js";
import { type UnloadedModules, unloadedModules } from "../../support/unloaded-modules.js";
import { fileOf } from "../exchange/files.js";

let modules: UnloadedModules;
beforeEach(() => {
	modules = unloadedModules();
});
afterEach(() => {
	vi.restoreAllMocks();
});

/** Holds back the modules. Returns a function that releases them. */
function gate(): () => void {
	let open = () => {};
	modules.wait(
		new Promise<void>((resolve) => {
			open = resolve;
		}),
	);
	return () => open();
}

test("preload loads all modules that load on first use", async () => {
	const outline = newOutline();
	await outline.preload();
	const { count } = modules;
	expect(count).toBeGreaterThan(12);
	const { id } = await outline.create({ name: "**bold**" });
	await outline.undo();
	await outline.redo();
	await outline.scope(id).get(id);
	await outline.search("bold");
	await outline.verify();
	await outline.repair();
	for (const format of ["json", "opml", "markdown", "text"] as const) {
		await outline.import(await fileOf(outline, format), { format });
	}
	await outline.delete(id, { mirrors: "promote" });
	expect(modules.count).toBe(count);
	fail();
	expect(await codeOf(outline.preload())).toBe("load_failed");
});

test("preload also loads the modules of the HTTP handler", async () => {
	const outline = newOutline();
	const handle = createHttpHandler({ authenticate: () => outline, onError: () => {} });
	const headers = { authorization: "Bearer key" };
	const zipped = { ...headers, "content-type": "application/json", "content-encoding": "gzip" };
	const requests: [path: string, init: RequestInit][] = [
		["openapi.json", {}],
		["sync/image", { headers }],
		["nodes", { method: "POST", headers: zipped, body: gzipSync('{"name":"a"}') }],
	];
	const statuses = async () => {
		const answers = [];
		for (const [path, init] of requests)
			answers.push(await handle(new Request(`http://a.example/api/v1/${path}`, init)));
		return answers.map(({ status }) => status);
	};
	fail();
	expect(await statuses()).toEqual([500, 500, 500]);
	modules.wait(Promise.resolve());
	await outline.preload();
	const { count } = modules;
	expect(await statuses()).toEqual([200, 200, 200]);
	expect(modules.count).toBe(count);
});

const fail = () => modules.wait(Promise.reject(new OutlineError("load_failed", "It couldn't be loaded.")));

test("plain texts and the most frequent operations load no module", async () => {
	const outline = newOutline();
	const { id } = await outline.create({ name: "Buy milk, 2 bottles (fresh!)" });
	await outline.createTree({ name: "a", children: [{ name: "b" }, { name: "c < d", format: "text" }] });
	await outline.update(id, { name: "Milk &amp; bread, 1 &lt; 2", note: "**as it is**" });
	await outline.update(id, { name: "Milk and bread", format: "markdown", layoutMode: "todo" });
	const other = await outline.create({ name: "other", layoutMode: "code-block" });
	await outline.mirror(id, { parent: other.id });
	await outline.move(id, { parent: null, position: "bottom" });
	await outline.complete(id);
	await outline.batch([{ type: "create", name: "in a batch", parent: other.id }]);
	await codeOf(outline.delete(id));
	await outline.delete(other.id);
	for await (const _ of outline.walk()) await outline.targets();
	expect(modules.count).toBe(0);
	await outline.create({ name: "**now**" });
	expect(modules.count).toBe(1);
	await outline.get(id);
	await outline.list("today").catch(() => {});
	expect(modules.count).toBe(1);
	await outline.move(id, { parent: "inbox" });
	await outline.batch([{ type: "create", name: "plain", parent: "today" }]);
	expect(modules.count).toBe(2);
});

test("a search loads the arithmetic of spans for a query that may have one", async () => {
	const { outline, id } = await planted("plain 7 #id");
	const found = async (query: string) => (await outline.search(query)).map(({ node }) => node.id);
	expect(await found("plain 7")).toEqual([id]);
	const { count } = modules;
	expect(await found("plain is:todo OR has:due")).toEqual([]);
	expect(modules.count).toBe(count);
	expect(await found("created:7d")).toEqual([id]);
	expect(modules.count).toBe(count + 1);
	expect(await found('created:"1w"')).toEqual([id]);
	expect(modules.count).toBe(count + 1);
});

describe.each(memoryStorages)("%s, while a module is being loaded", (_, createStorage) => {
	test("operations run in the order of their calls", async () => {
		const open = gate();
		const outline = newOutline({ storage: createStorage() });
		const writes = ["plain", "**bold**", "plain again", "- [x] task", "<b>html</b>", "last"].map((name) =>
			outline.create({ name, position: "bottom", ...(name.startsWith("<") && { format: "html" as const }) }),
		);
		open();
		await Promise.all(writes);
		expect((await outline.list()).nodes.map(({ name }) => name)).toEqual([
			"plain",
			"<b>bold</b>",
			"plain again",
			"task",
			"<b>html</b>",
			"last",
		]);
		expect(outline.history.undo).toBe(6);
	});

	test("later changes of the arguments have no effect", async () => {
		const open = gate();
		const { outline, id } = await planted("first #id", { storage: createStorage() });
		await outline.create({ name: "second", position: "bottom" });
		const position = { after: id };
		const created = { name: "**between**", note: "kept", position };
		const list = [1];
		const properties = { deep: { list } };
		const shared: TreeInput = { name: "<b>shared</b>", format: "html", properties };
		const tree = { name: "# tree", children: [{ name: "plain" }, shared, { name: "*i*", children: [shared] }] };
		const update = { name: "<i>first</i>" };
		const operations = [{ type: "create" as const, name: "`code`", position: "bottom" as const, properties }];
		const writes = [
			outline.create(created),
			outline.createTree(tree),
			outline.update(id, update),
			outline.batch(operations),
		];
		Object.assign(created, { name: "changed", note: "changed", position: "bottom" });
		position.after = "changed";
		list.push(2);
		Object.assign(shared, { name: "changed", children: [{ name: "more" }] });
		tree.children.push({ name: "changed" });
		update.name = "changed";
		operations[0]!.name = "changed";
		open();
		await Promise.all(writes);
		expect(await picture(outline)).toBe(
			[
				"tree",
				"  plain",
				"  <b>shared</b>",
				"  <i>i</i>",
				"    <b>shared</b>",
				"<i>first</i>",
				"<b>between</b>",
				"second",
				"<code>code</code>",
			].join("\n"),
		);
		const nodes = await exported(outline);
		expect(nodes.find(({ name }) => name === "<b>between</b>")?.note).toBe("kept");
		const copies = nodes.flatMap(({ properties }) => properties.deep ?? []);
		expect(copies).toEqual(Array(3).fill({ list: [1] }));
	});

	test("invalid arguments throw the same errors, and other operations still run", async () => {
		const outline = newOutline({ storage: createStorage(), limits: { name: 5 } });
		const circular: TreeInput & { children: TreeInput[] } = { name: "**a**", children: [] };
		circular.children.push({ name: "b", children: [circular] });
		const open = gate();
		const wrong = [
			outline.create({ name: "**too long**" }),
			outline.createTree({
				name: "*a*",
				children: [{ name: "b" }, { name: "c", children: [{ name: "_`long text`_" }] }],
			}),
			outline.createTree(circular),
			outline.createTree({ name: "*a*", children: [{ name: "<b>b</b>", format: "html" }, 1 as never] }),
			outline.createTree({ name: "*a*", children: [{ name: "b", children: "c" as never }] }),
			outline.update("inbox", { name: "# a\n\n# b", format: "markdown" }),
			outline.batch([
				{ type: "create", name: "fine" },
				{ type: "create", name: "**too long**" },
			]),
		];
		const fine = outline.create({ name: "*fine*" });
		open();
		const messages = (await Promise.allSettled(wrong)).map((each) =>
			each.status === "rejected" ? each.reason.message : "",
		);
		expect(messages).toEqual([
			expect.stringMatching(/^name has 8 characters, and 5 are allowed/),
			expect.stringMatching(/^children\[1\]\.children\[0\]: name has 11 characters/),
			expect.stringMatching(/^children\[0\]\.children\[0\]: The node is also one of the nodes above it/),
			expect.stringMatching(/^children\[1\]: The node is 1\./),
			expect.stringMatching(/^children\[0\]: children is "c"\./),
			expect.stringMatching(/^name makes 2 nodes as Markdown/),
			expect.stringMatching(/^operations\[1\] \(create\): name has 8 characters/),
		]);
		await fine;
		expect(await picture(outline)).toBe("<i>fine</i>");
	});

	test("a batch creates and names its nodes", async () => {
		const open = gate();
		const outline = newOutline({ storage: createStorage() });
		const made = outline.batch([
			{ type: "create", as: "list", name: "# **List**\n\n- one\n- two" },
			{ type: "create", parent: { as: "list" }, name: "plain", position: "bottom" },
			{ type: "createTree", as: "tree", name: "<b>t</b>", format: "html", children: [{ name: "*u*" }] },
			{ type: "update", ref: { as: "tree" }, name: "<i>t</i>" },
			{ type: "mirror", ref: { as: "tree" }, parent: { as: "list" }, position: "bottom" },
		]);
		open();
		const { ids } = await made;
		expect(await picture(outline)).toBe(
			["<i>t</i>", "  <i>u</i>", "<b>List</b>", "  one", "  two", "  plain", "  (mirror <i>t</i>)"].join("\n"),
		);
		expect((await outline.get(ids.tree!)).name).toBe("<i>t</i>");
		expect((await outline.verify()).problems).toEqual([]);
	});

	test("a batch makes no more reads than without loading", async () => {
		const storage = createStorage();
		const read = vi.spyOn(storage, "read");
		const outline = newOutline({ storage });
		const operations = Array.from({ length: 20 }, () => ({ type: "create" as const, name: "**bold**" }));
		const reads: number[] = [];
		for (let round = 0; round < 2; round++) {
			read.mockClear();
			await outline.batch(operations);
			reads.push(read.mock.calls.length);
		}
		// A storage in memory answers the second round by `peek` alone.
		if (storage.peek === undefined) expect(reads[0]).toBe(reads[1]);
		expect(reads[0]).toBeLessThan(5);
	});

	test("invalid arguments throw before the first read", async () => {
		const outline = newOutline({ storage: createStorage(), limits: { name: 5 } });
		await outline.create({ name: "first", idempotencyKey: "key" });
		const tooLong = { type: "create" as const, name: "**too long**" };
		const wrong = () => [
			outline.batch([{ type: "complete", ref: "000000000000" }, tooLong]),
			outline.create({ name: "**too long**", idempotencyKey: "key" }),
			outline.scope("inbox", { write: true }).create({ name: "**too long**" }),
		];
		const errors = async () =>
			(await Promise.allSettled(wrong())).map((each) => each.status === "rejected" && each.reason);
		const unloaded = await errors();
		expect(unloaded).toMatchObject([
			{ code: "invalid_argument", operation: 1 },
			{ code: "invalid_argument" },
			{ code: "invalid_argument" },
		]);
		expect(await errors()).toEqual(unloaded);
	});

	test("a repeated request runs once", async () => {
		const open = gate();
		const outline = newOutline({ storage: createStorage() });
		const request = { name: "**once**", idempotencyKey: "key" };
		const both = Promise.all([outline.create(request), outline.create({ ...request })]);
		open();
		const [first, second] = await both;
		expect(second).toEqual(first);
		expect((await outline.list()).nodes).toHaveLength(1);
	});

	test("scopes, undo, detach and promote wait for their modules", async () => {
		const { outline, top, inner } = await planted("top #top\n  inner #inner\nother #other", {
			storage: createStorage(),
		});
		const open = gate();
		const scope = outline.scope(top, { write: true });
		const list = scope.list();
		const bold = scope.create({ name: "**bold**" });
		const hidden = codeOf(scope.get("inbox"));
		open();
		expect((await list).nodes.map(({ id }) => id)).toEqual([inner]);
		expect((await bold).parentId).toBe(top);
		expect(await hidden).toBe("not_found");
		await outline.undo();
		const { id } = await outline.create({ name: "elsewhere" });
		await outline.mirror(inner, { parent: id });
		modules.forget();
		expect((await outline.plan.delete(top, { mirrors: "promote" })).promoted).toHaveLength(1);
		await outline.delete(top, { mirrors: "detach" });
		expect(await picture(outline)).toBe("elsewhere\n  inner\nother");
		await outline.undo();
		await outline.delete(top, { mirrors: "promote" });
		expect(await picture(outline)).toBe("elsewhere\n  inner\nother");
	});

	test("detach and promote wait for their modules in a batch and in a scope too", async () => {
		for (const mirrors of ["detach", "promote"] as const) {
			for (const isScoped of [false, true]) {
				const { outline, top, old } = await planted("top #top\n  old #old\n    origin #origin", {
					storage: createStorage(),
				});
				const { id } = (await outline.list(old)).nodes[0]!;
				await outline.mirror(id, { parent: top });
				modules.forget();
				const seen = isScoped ? outline.scope(top, { write: true }) : outline;
				await seen.batch([
					{ type: "create", parent: top, name: "*new*", position: "bottom" },
					{ type: "delete", ref: old, mirrors },
				]);
				expect(await picture(outline)).toBe("top\n  origin\n  <i>new</i>");
				expect((await outline.verify()).problems).toEqual([]);
			}
		}
	});

	test("an import loads the readers of its names", async () => {
		const outline = newOutline({ storage: createStorage() });
		await outline.create({ name: "a <b>bold</b> word", format: "html" });
		for (const format of ["json", "opml", "markdown"] as const) {
			const text = await fileOf(outline, format);
			modules.forget();
			const copy = newOutline({ storage: createStorage() });
			await copy.import(text, { format });
			expect(await picture(copy)).toBe("a <b>bold</b> word");
		}
	});

	test("closing waits for earlier calls", async () => {
		const open = gate();
		const outline = newOutline({ storage: createStorage() });
		const write = outline.create({ name: "**bold**" });
		const closed = outline.close();
		open();
		expect((await write).name).toBe("<b>bold</b>");
		await closed;
	});

	test("all calls that need a module wait for one attempt to load it", async () => {
		const outline = newOutline({ storage: createStorage() });
		modules.wait(
			new Promise((_, reject) => {
				setTimeout(() => reject(new OutlineError("load_failed", "It couldn't be loaded.")), 20);
			}),
		);
		const writes = Array.from({ length: 5 }, () => outline.create({ name: "**bold**" }));
		const batch = outline
			.batch([
				{ type: "create", name: "a" },
				{ type: "create", name: "**b**" },
			])
			.catch((error) => error);
		const plain = outline.create({ name: "plain" });
		expect(await Promise.all(writes.map(codeOf))).toEqual(writes.map(() => "load_failed"));
		expect(await batch).toMatchObject({ code: "load_failed", operation: 1 });
		await plain;
		// Another test's outline may load other modules meanwhile.
		expect(modules.attempts(markdownModule)).toBe(1);
	});

	test("a call whose module can't be loaded fails alone, changes nothing, and works the next time", async () => {
		const { outline, id } = await planted("plain #id", { storage: createStorage() });
		fail();
		const failing = [
			outline.create({ name: "**bold**" }),
			outline.createTree({ name: "a", children: [{ name: "- b" }] }),
			outline.update(id, { name: "<b>bold</b>" }),
			outline.batch([
				{ type: "create", name: "c" },
				{ type: "create", name: "# d" },
			]),
			outline.scope(id).get(id),
			outline.undo(),
			outline.search("plain"),
			outline.import("# a", { format: "markdown" }),
			outline.verify(),
			outline.repair(),
			outline.exportAs("json")[Symbol.asyncIterator]().next(),
		];
		const plain = outline.create({ name: "plain too", position: "bottom" });
		expect(await Promise.all(failing.map(codeOf))).toEqual(failing.map(() => "load_failed"));
		await plain;
		expect(await picture(outline)).toBe("plain\nplain too");
		modules.wait(Promise.resolve());
		await outline.create({ name: "**bold**", position: "bottom" });
		expect(await picture(outline)).toBe("plain\nplain too\n<b>bold</b>");
	});
});
