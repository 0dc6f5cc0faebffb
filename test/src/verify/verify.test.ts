import { describe, expect, test } from "vitest";
import { createMemoryStorage } from "../../../adapters/memory.js";
import type { NodeRecord, StorageAdapter, StoredNode } from "../../../src/storage.js";
import { AuditTable } from "../../../src/verify/audit-table.js";
import { ChangedNodes } from "../../../src/verify/changed-nodes.js";
import { QueryCheck } from "../../../src/verify/query-check.js";
import { treeProblems } from "../../../src/verify/tree-check.js";
import type { VerifyProgress } from "../../../src/verify/verify.js";
import { idOf, node } from "../../conformance/records.js";
import { paged } from "../../conformance/wrapped.js";
import { numberedId } from "../../support/ids.js";
import { codeOf, newOutline, plant, planted } from "../../support/outline.js";
import { storages } from "../../support/storages.js";
import { turnsDuring } from "../../support/turns.js";
import { all } from "../scope/scene.js";
import { answering, recordsOf, some, write } from "./damage.js";

/** The problems of an outline of some nodes, as `kind number` or `kind key`. */
async function findings(
	storage: StorageAdapter,
	nodes: readonly NodeRecord[],
	keys: readonly (readonly [key: string, group: string, number: number])[] = [],
): Promise<string[]> {
	const keyRecords = keys.map(([key, group, number]) => ({ key, group, nodeId: idOf(number), revision: 1 }));
	await write(storage, { nodes, keys: keyRecords });
	const numbers = new Map(Array.from({ length: 100 }, (_, number) => [idOf(number), number]));
	const report = await newOutline({ storage }).verify();
	expect(report.nodes).toBe(nodes.length);
	expect(report.total).toBe(report.problems.length);
	expect(Object.values(report.counts).reduce((sum, count) => sum + count, 0)).toBe(report.total);
	for (const { kind, nodeId, detail } of report.problems) {
		expect(report.counts[kind]).toBeGreaterThan(0);
		expect(detail).toMatch(/^[A-Za-z].*\.$/);
		expect(nodeId).not.toBeUndefined();
	}
	return report.problems.map(({ kind, nodeId, key }) => `${kind} ${key ?? numbers.get(nodeId!) ?? nodeId}`).sort();
}

const one = (fields: Partial<NodeRecord>) => node(1, { revision: 1, ...fields });
const upper = idOf(3).toUpperCase();
/** Another id with the short id of the first. */
const twin = `ffffffff${idOf(1).slice(8)}`;

describe.each(storages)("a verification %s", (_, create) => {
	test.each<[string, NodeRecord[], string[]]>([
		["an upper case id", [one({ id: upper })], [`invalid_id ${upper}`]],
		["an id of another form", [one({ id: "first" })], ["invalid_id first"]],
		["two equal short ids", [one({}), node(2, { id: twin, revision: 1 })], [`duplicate_short_id ${twin}`]],
		["an unclosed tag", [one({ name: "<b>x" })], ["invalid_name 1"]],
		["a bare ampersand", [one({ name: "a & b" })], ["invalid_name 1"]],
		["a dangerous link", [one({ name: '<a href="javascript:x">y</a>' })], ["invalid_name 1"]],
		["a link that some host allows", [one({ name: '<a href="tel:1">y</a>' })], []],
		["a carriage return in a name", [one({ name: "a\rb" })], ["invalid_name 1"]],
		["a carriage return in a note", [one({ note: "a\r\nb" })], ["invalid_note 1"]],
		["any text as a note", [one({ note: "<b> & \n" })], []],
		["an unknown layout mode", [one({ layoutMode: "h9" as "h1" })], ["invalid_layout_mode 1"]],
		...['{"b":1,"a":2}', '{"a": 1}', "{}", "[1]", "", "{", '{"a":null}', '{"":1}', '"a"'].map(
			(properties): [string, NodeRecord[], string[]] => [
				`the properties ${properties}`,
				[one({ properties })],
				["invalid_properties 1"],
			],
		),
		["a carriage return in properties", [one({ properties: '{"a\\rb":"\\r"}' })], []],
		["a time in milliseconds", [one({ modifiedAt: 1.7e12 })], ["invalid_time 1"]],
		["a fractional time", [one({ completedAt: 1.5 })], ["invalid_time 1"]],
		["a time before 1970", [one({ createdAt: -5 })], []],
		["a revision of 0", [one({ revision: 0 })], ["invalid_revision 1"]],
		["a revision to come", [one({ revision: 2 })], ["invalid_revision 1"]],
		["a fractional revision", [one({ revision: 0.5 })], ["invalid_revision 1"]],
		["a fractional priority", [one({ priority: 1.5 })], ["invalid_priority 1"]],
		["a priority without room beyond", [one({ priority: -3 * 2 ** 50 - 1 })], ["invalid_priority 1"]],
		["equal priorities", some({ 1: { priority: 4 }, 2: { priority: 4 } }), ["duplicate_priority 1"]],
		["equal priorities below others", some({ 1: { parentId: idOf(2) }, 2: { priority: 1 } }), []],
		["a missing parent", [one({ parentId: idOf(9) })], ["missing_parent 1"]],
		["a node that is its own parent", [one({ parentId: idOf(1) })], ["parent_cycle 1"]],
		["a mirror of itself", [one({ originId: idOf(1) })], ["own_origin 1"]],
		["a mirror of nothing", [one({ originId: idOf(9) })], ["missing_origin 1"]],
		[
			"a mirror of a mirror",
			some({ 1: { originId: idOf(2) }, 2: { originId: idOf(3) }, 3: {} }),
			["mirror_as_origin 1"],
		],
		[
			"a mirror below its origin",
			some({ 1: { originId: idOf(2), parentId: idOf(2) }, 2: {} }),
			["same_origin_as_parent 1"],
		],
		[
			"a node below its mirror",
			some({ 1: { originId: idOf(2) }, 2: { parentId: idOf(1) } }),
			["same_origin_as_parent 2"],
		],
		[
			"a mirror deeper below its origin",
			some({ 1: { originId: idOf(2), parentId: idOf(3) }, 2: {}, 3: { parentId: idOf(2) } }),
			[],
		],
	])("names %s", async (_, nodes, expected) => {
		expect(await findings(create(), nodes)).toEqual(expected);
	});

	test("names one node of each cycle, the one written last, and no node below the cycle", async () => {
		const storage = create();
		const cycle = (numbers: number[]) =>
			numbers.map((number, place) => node(number, { parentId: idOf(numbers.at(place - 1)!), revision: 1 }));
		const nodes = [...cycle([1, 2, 3]), ...cycle([4, 5]), node(6, { parentId: idOf(2), revision: 1 })];
		await write(storage, { nodes: nodes.filter(({ id }) => id !== idOf(2)) });
		await write(storage, { nodes: nodes.filter(({ id }) => id === idOf(2)).map((each) => ({ ...each, revision: 2 })) });
		const { problems } = await newOutline({ storage }).verify();
		const lowest = [idOf(4), idOf(5)].sort()[0];
		expect(problems.map(({ kind, nodeId }) => [kind, nodeId])).toEqual(
			expect.arrayContaining([
				["parent_cycle", idOf(2)],
				["parent_cycle", lowest],
			]),
		);
		expect(problems.length).toBe(2);
	});

	test("names invalid keys, and keys under the wrong group", async () => {
		const nodes = some({ 1: {} });
		const keys = [
			["home", "shortcut", 1],
			["2026-13", "2026", 1],
			["2026", "calendar", 1],
			["2026-11", "2026", 1],
			["2026-11-31", "2026-11", 1],
			["2026-11-30", "2026-11", 1],
			["2027-01-01", "shortcut", 1],
			["2031-05", "shortcut", 1],
			["2031", "elsewhere", 1],
			["today", "shortcut", 1],
			["x".repeat(300), "shortcut", 1],
			["https://example.org", "shortcut", 1],
			["inbox", "elsewhere", 1],
			["calendar", "system", 1],
			["work", "system", 1],
		] as const;
		const found = await findings(create(), nodes, keys);
		expect(found).toEqual(
			[
				"invalid_key 2026-13",
				"invalid_key 2026-11-31",
				"invalid_key today",
				`invalid_key ${"x".repeat(300)}`,
				"invalid_key https://example.org",
				"misplaced_key 2027-01-01",
				"misplaced_key 2031",
				"misplaced_key 2031-05",
				"misplaced_key inbox",
				"misplaced_key work",
			].sort(),
		);
	});

	test("finds nothing in an outline with mirrors, shortcuts and a calendar, and counts", async () => {
		const { outline, a } = await planted("a #a\n  b\n    (mirror a)\nc\n  (mirror a)\n  # Title", {
			storage: create(),
		});
		await outline.create({ parent: "today", name: "<i>x</i> [2026-11-21 14:30]\n- `y`" });
		await outline.create({ parent: "inbox", name: "z", layoutMode: "code-block" });
		await outline.setShortcut("home", a);
		const report = await outline.verify();
		expect(report).toEqual({ revision: 9, nodes: 14, keys: 6, total: 0, counts: {}, problems: [] });
	});

	test("ends on cycles, as do the queries that all storages answer alike", async () => {
		const storage = create();
		const nodes = some({
			1: { parentId: idOf(2) },
			2: { parentId: idOf(1), originId: idOf(1) },
			3: { originId: idOf(3) },
			4: { parentId: idOf(1) },
		});
		await write(storage, { nodes });
		const outline = newOutline({ storage });
		expect((await outline.verify()).counts).toEqual({ parent_cycle: 1, own_origin: 1, same_origin_as_parent: 2 });
		const of = { id: idOf(1) };
		const { results } = await storage.read([
			{ type: "subtree", of },
			{ type: "ancestors", of },
			{ type: "children", of, scope: "visible" },
			{ type: "ancestors", of: { id: idOf(4) } },
		]);
		expect(results[2].map(({ record }) => record.id).sort()).toEqual([idOf(2), idOf(4)].sort());
		expect(results[3].slice(0, 2)).toEqual([idOf(4), idOf(1)]);
		const seen: string[] = [];
		for await (const { node } of outline.walk(idOf(1), { budget: 50 })) seen.push(node.id);
		expect(seen.length).toBeLessThanOrEqual(50);
	});
});

function scanning(storage: StorageAdapter, change: (node: StoredNode) => readonly StoredNode[]): StorageAdapter {
	return {
		...paged(storage),
		async *scan() {
			for await (const chunk of storage.scan()) yield chunk.flatMap(change);
		},
	};
}

describe("a storage whose answers contradict each other", () => {
	async function scene() {
		const storage = createMemoryStorage();
		const outline = newOutline({ storage });
		const marks = await plant(outline, "a #a\n  b #b\n  d\nc #c\n  (mirror a) #m");
		await outline.setShortcut("home", marks.b);
		return { storage, ...marks };
	}
	const counts = async (storage: StorageAdapter) => (await newOutline({ storage }).verify()).counts;
	/** Expects one disagreement with a storage whose answers to one kind of query are changed. */
	const expectOne = async (...given: Parameters<typeof answering>) =>
		expect(await counts(answering(...given))).toEqual({ disagreement: 1 });
	const without = (id: string) => (nodes: readonly StoredNode[]) => nodes.filter(({ record }) => record.id !== id);
	const renamed = (node: StoredNode): StoredNode => ({ ...node, record: { ...node.record, name: "other" } });

	test("is reported, whichever query differs", async () => {
		const { storage, a, b, m } = await scene();
		expect(await counts(storage)).toEqual({});
		const alone = { disagreement: 1 };
		const renaming = (id: string) => (node: StoredNode) => (node.record.id === id ? renamed(node) : node);
		await expectOne(storage, "related", without(b));
		await expectOne(storage, "related", (nodes: readonly StoredNode[]) => nodes.map(renaming(b)));
		await expectOne(storage, "taken", (shortIds: string[]) => shortIds.slice(1));
		await expectOne(storage, "children", without(b));
		expect(await counts(answering(storage, "children", (nodes: StoredNode[]) => nodes.toReversed()))).toEqual({
			disagreement: 2,
		});
		await expectOne(storage, "node", (node: StoredNode | null) => (node?.record.id === a ? null : node));
		await expectOne(storage, "node", (node: StoredNode | null) => node && renaming(a)(node));
		for (const mirrorIds of [[], [m, m], [b]]) {
			const wrong = (node: StoredNode) => [node.record.id === a ? { ...node, mirrorIds } : node];
			expect(await counts(scanning(storage, wrong))).toEqual(alone);
		}
		const noOrigin = (node: StoredNode) => [node.record.id === m ? { ...node, origin: null } : node];
		expect(await counts(scanning(storage, noOrigin))).toEqual(alone);
		const twice = (node: StoredNode) => (node.record.id === b ? [node, node] : [node]);
		expect(await counts(scanning(storage, twice))).toEqual(alone);
		// The scan leaves the node out: its key has no node, and the children and the feed have one more.
		const leftOut = (node: StoredNode) => (node.record.id === b ? [] : [node]);
		expect(await counts(scanning(storage, leftOut))).toEqual({ disagreement: 3 });
	});

	test("is reported if the feed leaves out a node, or has it twice, changed or as deleted", async () => {
		const { storage, b } = await scene();
		type Feed = { nodes: readonly NodeRecord[]; deleted: readonly unknown[]; revision: number };
		const record = (await recordsOf(storage)).get(b)!;
		const feed = (change: (answer: Feed) => Partial<Feed>) =>
			counts(
				answering(storage, "changes", (answer: Feed, { since }) =>
					since === 0 ? { ...answer, ...change(answer) } : answer,
				),
			);
		const alone = { disagreement: 1 };
		expect(await feed(({ nodes }) => ({ nodes: nodes.filter(({ id }) => id !== b) }))).toEqual(alone);
		expect(await feed(({ nodes }) => ({ nodes: [...nodes, record] }))).toEqual(alone);
		expect(
			await feed(({ nodes }) => ({ nodes: nodes.map((each) => (each === record ? { ...each, note: "x" } : each)) })),
		).toEqual(alone);
		expect(await feed(() => ({ deleted: [{ id: b, revision: record.revision }] }))).toEqual(alone);
		expect(await feed(({ nodes }) => ({ nodes: [...nodes, { ...record, id: idOf(1) }] }))).toEqual(alone);
	});

	test("is reported if the node or group of a key differs from the query", async () => {
		const { storage, a } = await scene();
		type Keys = { record: { key: string; group: string; nodeId: string }; node: StoredNode }[];
		const changed = (change: object) =>
			counts(
				answering(storage, "keys", (keys: Keys) =>
					keys.map(({ record, node }) => ({ node, record: { ...record, ...change } })),
				),
			);
		expect(await changed({ nodeId: a })).toEqual({ disagreement: 1 });
		expect(await changed({ group: "system" })).toEqual({ disagreement: 1, misplaced_key: 1 });
	});
});

describe("a verification", () => {
	test("names problems that only a storage in memory can have", async () => {
		expect(await findings(createMemoryStorage(), [one({ name: "a\0" })])).toEqual(["invalid_name 1"]);
		expect(await findings(createMemoryStorage(), [one({ name: "a\ud800" })])).toEqual(["invalid_name 1"]);
		expect(await findings(createMemoryStorage(), [one({ name: null as never })])).toEqual(["invalid_name 1"]);
		expect(await findings(createMemoryStorage(), [one({ note: 5 as never })])).toEqual(["invalid_note 1"]);
		expect(await findings(createMemoryStorage(), [one({ priority: Number.NaN })])).toEqual(["invalid_priority 1"]);
	});

	test("reports no problems because of other writers", async () => {
		const kept = createMemoryStorage();
		const { outline: other, a, b } = await planted("a #a\n  b #b\n  c\n  d\nf\n  (mirror a)", { storage: kept });
		for (let number = 0; number < 1500; number++) await other.create({ parent: b, name: `${number}` });
		await other.create({ parent: "2026-11-20", name: "x" });
		let turns = 0;
		const disturb = async () => {
			turns += 1;
			const node = await other.create({ parent: turns % 2 ? b : "today", name: `new ${turns}` });
			await other.mirror(a, { parent: node.id });
			await other.update(turns % 3 ? a : b, { name: `${turns}` });
			const { nodes } = await other.list(b);
			await other.move(nodes[turns]!.id, { parent: null });
			await other.delete(nodes[turns + 5]!.id);
			await other.setShortcut(`s${turns}`, nodes[turns + 9]!.id);
		};
		const storage: StorageAdapter = {
			...paged(kept),
			async read(queries) {
				const snapshot = await kept.read(queries);
				await disturb();
				return snapshot;
			},
			async *scan() {
				for await (const chunk of kept.scan()) {
					yield chunk;
					await disturb();
				}
			},
		};
		expect((await newOutline({ storage }).verify()).problems).toEqual([]);
		expect(turns).toBeGreaterThan(15);
	});

	test("keeps the first 1,000 problems, and counts all", async () => {
		const storage = createMemoryStorage();
		await write(storage, {
			nodes: Array.from({ length: 1200 }, (_, number) => node(number, { revision: 1, name: "<" })),
		});
		const { total, counts, problems } = await newOutline({ storage }).verify();
		expect([total, counts, problems.length]).toEqual([1200, { invalid_name: 1200 }, 1000]);
	});

	test("reports its progress, and ends when the signal aborts", async () => {
		const { outline } = await planted("a\nb\n  c");
		const told: VerifyProgress[] = [];
		await outline.verify({ onProgress: (progress) => told.push(progress) });
		expect(told.map(({ step, done }) => `${step} ${done}`)).toEqual([
			"nodes 3",
			"tree 3",
			"keys 0",
			"queries 3",
			"changes 3",
		]);
		const reason = new Error("enough");
		await expect(outline.verify({ signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
		const controller = new AbortController();
		const onProgress = ({ step }: VerifyProgress) => step === "keys" && controller.abort(reason);
		await expect(outline.verify({ onProgress, signal: controller.signal })).rejects.toBe(reason);
		for (const method of ["verify", "repair"] as const) {
			expect(await codeOf(outline[method]({ signal: { aborted: true } }))).toBe("closed");
		}
	});

	test("refuses invalid options and a closed outline", async () => {
		const outline = newOutline();
		for (const method of ["verify", "repair"] as const) {
			expect(await codeOf(outline[method](5 as never))).toBe("invalid_argument");
			expect(await codeOf(outline[method]({ onProgress: 5 as never }))).toBe("invalid_argument");
			expect(await codeOf(outline[method]({ signal: {} as never }))).toBe("invalid_argument");
			expect(await codeOf(outline[method]({ signal: null as never }))).toBe("invalid_argument");
		}
		await outline.close();
		expect(await codeOf(outline.verify())).toBe("closed");
		expect(await codeOf(outline.repair())).toBe("closed");
	});

	test("pauses for other work", async () => {
		const { outline } = await planted(Array.from({ length: 3000 }, (_, number) => `node ${number}`).join("\n"));
		expect(await turnsDuring(() => outline.verify())).toBeGreaterThan(20);
		expect(await turnsDuring(() => outline.repair())).toBeGreaterThan(20);
	});

	test("checks many siblings of one commit in steps", async () => {
		const storage = createMemoryStorage();
		await write(storage, { nodes: Array.from({ length: 3000 }, (_, number) => node(number, { revision: 1 })) });
		const table = new AuditTable();
		for await (const chunk of storage.scan()) for (const each of chunk) table.add(each);
		const check = new QueryCheck(table, new ChangedNodes(storage, 1), ({ detail }) => expect.unreachable(detail));
		expect([...check.checkSurroundings()]).toEqual([1024, 2048]);
		expect(await all(check.checkFeed())).toEqual([1024, 2048, 3000]);
		expect((await all(check.checkChildren())).length).toBeGreaterThan(6);
		expect([...treeProblems(table, 1)].length).toBeGreaterThan(10);
	});

	test("takes cycles of 30,000 nodes", { timeout: 120_000 }, async () => {
		const storage = createMemoryStorage();
		const nodes = Array.from({ length: 30_000 }, (_, number) =>
			node(number, { id: numberedId(number), parentId: numberedId((number || 30_000) - 1), revision: 1 }),
		);
		await write(storage, { nodes });
		expect((await newOutline({ storage }).verify()).counts).toEqual({ parent_cycle: 1 });
	});
});
