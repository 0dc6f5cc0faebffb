import { describe, expect, test } from "vitest";
import { createMemoryStorage } from "../../adapters/memory.js";
import type { OutlineNode } from "../../src/node.js";
import { codeOf, newOutline, planted } from "../support/outline.js";
import { type OperationOn, prove, proveRefusal, proveUnchanged } from "../support/prove.js";

const values = { due: "2026-12-01", count: 3.5, done: false, list: ["a", null, 1], nested: { b: { c: null }, a: [] } };

describe("properties", () => {
	test("come with a new node, also in trees and batches", async () => {
		const { result, outline } = await prove(
			"",
			({ outline }) => outline.create({ name: "a", properties: values }),
			"a",
		);
		expect(result.properties).toEqual(values);
		expect((await outline.get(result.id)).properties).toEqual(values);
		const children = [{ name: "b", properties: { level: 2, none: null } }, { name: "c" }];
		const tree = await outline.createTree({ name: "t", properties: { level: 1 }, children });
		expect([tree.properties, ...tree.children.map(({ properties }) => properties)]).toEqual([
			{ level: 1 },
			{ level: 2 },
			{},
		]);
		const { ids } = await outline.batch([
			{ type: "create", as: "new", name: "n", properties: { a: 1 } },
			{ type: "update", ref: { as: "new" }, properties: { a: null, b: 2 } },
		]);
		expect((await outline.get(ids.new)).properties).toEqual({ b: 2 });
	});

	test("belong to the first node of a name with several blocks", async () => {
		const outline = newOutline();
		const { id } = await outline.create({ name: "a\n- b", properties: { x: 1 } });
		expect((await outline.get(id)).properties).toEqual({ x: 1 });
		expect((await outline.list(id)).nodes[0]?.properties).toEqual({});
	});

	test("change key by key: a value replaces one, null drops one, others stay", async () => {
		const given: OperationOn<"a #a"> = ({ outline, a }) => outline.update(a, { properties: values });
		const update: OperationOn<"a #a", OutlineNode> = ({ outline, a }) =>
			outline.update(a, { properties: { due: "2027-01-01", done: null, missing: null, list: undefined, more: [] } });
		const { result } = await prove("a #a", update, "a", { given });
		const { done, ...others } = values;
		expect(result.properties).toEqual({ ...others, due: "2027-01-01", more: [] });
	});

	test("are empty on a node that has none", async () => {
		const outline = newOutline();
		const { id } = await outline.create({ name: "a", properties: { x: null } });
		expect((await outline.get(id)).properties).toEqual({});
		await outline.update(id, { properties: { x: 1 } });
		await outline.update(id, { properties: { x: null } });
		const { properties } = await outline.get(id);
		expect(properties).toEqual({});
		// One object for all nodes, which no caller can change.
		expect((await outline.create({ name: "b" })).properties).toBe(properties);
		expect(Object.isFrozen(properties)).toBe(true);
	});

	test("change the time of the last change only if they differ", async () => {
		let now = 1_000_000;
		const given: OperationOn<"a #a"> = async ({ outline, a }) => {
			await outline.update(a, { properties: values });
			now = 5_000_000;
		};
		const same: OperationOn<"a #a", OutlineNode> = ({ outline, a }) =>
			outline.update(a, { properties: { nested: { a: [], b: { c: null } }, count: 3.5, missing: null } });
		const { result } = await proveUnchanged("a #a", same, { given, now: () => now });
		expect(result.modifiedAt).toBe(1000);
		now = 1_000_000;
		const other: OperationOn<"a #a", OutlineNode> = ({ outline, a }) => outline.update(a, { properties: { x: 1 } });
		const { result: changed } = await prove("a #a", other, "a", { given, now: () => now });
		expect(changed.modifiedAt).toBe(5000);
	});

	test("are shared by an origin and its mirrors", async () => {
		const { outline, a, m, result } = await prove(
			"a #a\nb\n  (mirror a) #m",
			({ outline, m }) => outline.update(m, { properties: values }),
			"a\nb\n  (mirror a)",
		);
		expect(result.properties).toEqual(values);
		for (const id of [a, m]) expect((await outline.get(id)).properties).toEqual(values);
		const walked: unknown[] = [];
		for await (const { node } of outline.walk()) walked.push(node.properties);
		expect(walked).toEqual([values, {}, values]);
	});

	test("come with copies: of a node, and of an origin that is deleted", async () => {
		const { outline, m, result } = await prove(
			"a #a\nb\n  (mirror a) #m",
			async ({ outline, a }) => {
				await outline.update(a, { properties: values });
				const copy = await outline.duplicate(a);
				await outline.delete(a, { mirrors: "detach" });
				return copy;
			},
			"a\nb\n  a",
		);
		expect(result.properties).toEqual(values);
		expect((await outline.get(m)).properties).toEqual(values);
	});

	test("are copied on the way in and out", async () => {
		const outline = newOutline();
		const given = { list: [1] };
		const { id } = await outline.create({ name: "a", properties: given });
		given.list.push(2);
		const read = await outline.get(id);
		(read.properties.list as number[]).push(3);
		expect((await outline.get(id)).properties).toEqual({ list: [1] });
	});

	test("show in the events with the values before and after", async () => {
		const { outline, id } = await planted("a #id");
		const seen: unknown[] = [];
		outline.subscribe(({ changes }) => {
			seen.push(changes.map(({ before, after }) => [before?.properties, after?.properties]));
		});
		await outline.update(id, { properties: { x: 1 } });
		await outline.update(id, { properties: { x: null } });
		expect(seen).toEqual([[[{}, { x: 1 }]], [[{ x: 1 }, {}]]]);
	});

	test("are readable and writable within a scope", async () => {
		const outline = newOutline();
		const { id } = await outline.create({ name: "top", properties: { x: 1 } });
		const scope = outline.scope(id, { write: true });
		const child = await scope.create({ parent: id, name: "c", properties: { y: 2 } });
		await scope.update(id, { properties: { x: 2 } });
		expect((await scope.get(id)).properties).toEqual({ x: 2 });
		expect((await outline.get(child.id)).properties).toEqual({ y: 2 });
	});

	test("may have keys that objects have by themselves", async () => {
		const storage = createMemoryStorage();
		const outline = newOutline({ storage });
		const properties = JSON.parse('{"__proto__":{"x":1},"constructor":1,"toString":"t","1":"b","0":"a"}');
		const { id } = await outline.create({ name: "a", properties });
		await outline.update(id, { properties: { constructor: 2 } });
		const read = (await newOutline({ storage }).get(id)).properties;
		expect(JSON.stringify(read)).toBe('{"0":"a","1":"b","__proto__":{"x":1},"constructor":2,"toString":"t"}');
		expect(({} as { x?: number }).x).toBeUndefined();
	});

	const deep = (levels: number): unknown => (levels === 0 ? 1 : [deep(levels - 1)]);
	const circle: { self?: unknown } = {};
	circle.self = circle;

	test.each<[unknown, unknown]>([
		["a text", "x"],
		["an array", [1]],
		["a date", { x: new Date(0) }],
		["a function", { x: () => 1 }],
		["a symbol", { x: Symbol("x") }],
		["a bigint", { x: 1n }],
		["an infinite number", { x: Number.POSITIVE_INFINITY }],
		["no number", { x: [Number.NaN] }],
		["a map", { x: new Map() }],
		["undefined in an array", { x: [undefined] }],
		["an empty key", { "": 1 }],
		["a long key", { ["k".repeat(65)]: 1 }],
		["a key with NUL", { "a\0": 1 }],
		["half a character", { x: "\ud800" }],
		["half a character in a name within", { x: { "\udc00": 1 } }],
		["too many levels", { x: deep(33) }],
		["a circle", { x: circle }],
		["too much", { x: "x".repeat(16_384) }],
		["too many", Object.fromEntries(Array.from({ length: 3000 }, (_, number) => [`key ${number}`, 1]))],
		["too much together", { x: Array.from({ length: 20 }, () => "x".repeat(1000)) }],
	])("are refused if they are %s", async (_, properties) => {
		await proveRefusal(
			"",
			({ outline }) => outline.create({ name: "a", properties: properties as never }),
			"invalid_argument",
		);
		await proveRefusal(
			"a #a",
			({ outline, a }) => outline.update(a, { properties: properties as never }),
			"invalid_argument",
		);
	});

	test("aren't read to the end if they are too long", async () => {
		const unread = {
			enumerable: true,
			get() {
				throw new Error("read");
			},
		};
		const many = Object.fromEntries(Array.from({ length: 5000 }, (_, number) => [`key ${number}`, 1]));
		const list = Array.from({ length: 10_000 }, () => 1);
		Object.defineProperty(many, "last", unread);
		Object.defineProperty(list, list.length, unread);
		const { outline, id } = await planted("a #id");
		for (const properties of [many, { list }]) {
			expect(await codeOf(outline.create({ name: "a", properties }))).toBe("invalid_argument");
			expect(await codeOf(outline.update(id, { properties }))).toBe("invalid_argument");
		}
	});

	test("may have a key of 64 characters, 32 levels, and 16,384 characters of JSON", async () => {
		const outline = newOutline();
		const properties = { ["k".repeat(64)]: deep(32) as never, x: "x".repeat(16_384 - 2 - 4 - 2 - 67 - 65 - 1) };
		const { id } = await outline.create({ name: "a", properties });
		expect(JSON.stringify((await outline.get(id)).properties).length).toBeLessThanOrEqual(16_384);
		expect(await codeOf(outline.update(id, { properties: { more: "x".repeat(100) } }))).toBe("invalid_argument");
		const small = newOutline({ limits: { properties: 10 } });
		expect(await codeOf(small.create({ name: "a", properties: { x: "12345" } }))).toBe("invalid_argument");
		expect((await small.create({ name: "a", properties: { x: "12" } })).properties).toEqual({ x: "12" });
	});
});
