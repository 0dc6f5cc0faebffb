import { describe, expect, test } from "vitest";
import { createMemoryStorage } from "../../../../adapters/memory.js";
import type { KeyRecord, NodeRecord, StorageAdapter } from "../../../../src/storage.js";
import type { RepairReport } from "../../../../src/verify/repair/repair.js";
import { idOf, node } from "../../../conformance/records.js";
import { paged } from "../../../conformance/wrapped.js";
import { thorough } from "../../../setup/soak.js";
import { numberedId } from "../../../support/ids.js";
import { beforeCommits } from "../../../support/interrupted.js";
import { newOutline, noon, picture } from "../../../support/outline.js";
import { storages } from "../../../support/storages.js";
import { answering, recordsOf, some, write } from "../damage.js";

const keysOf = (keys: Record<string, readonly [group: string, number: number]>): KeyRecord[] =>
	Object.entries(keys).map(([key, [group, number]]) => ({ key, group, nodeId: idOf(number), revision: 1 }));

/** Repairs an outline of some nodes. Asserts that no problem remains and no node is lost. */
async function repaired(
	storage: StorageAdapter,
	nodes: readonly NodeRecord[],
	keys: readonly KeyRecord[] = [],
): Promise<{ report: RepairReport; after: Map<string, NodeRecord> }> {
	await write(storage, { nodes, keys });
	const outline = newOutline({ storage });
	const found = await outline.verify();
	const report = await outline.repair();
	expect(report.left).toMatchObject({ total: 0, counts: {}, problems: [] });
	expect(report.revision).toBe(report.left.revision);
	expect(report.total).toBe(report.repairs.length);
	for (const { problem, action } of report.repairs) {
		expect(found.counts).toHaveProperty(problem.kind);
		expect(action).toMatch(/^[A-Z].*\.$/);
	}
	const after = await recordsOf(storage);
	expect(after.size).toBe(nodes.length + (report.recoveredId === null ? 0 : 1));
	const again = await outline.repair();
	expect(again).toEqual({ ...report, total: 0, counts: {}, repairs: [], recoveredId: null });
	return { report, after };
}

/** JSON that is nested too deep to be written again. */
const deep = `{"a":${"[".repeat(100_000)}${"]".repeat(100_000)}}`;

const summary = ({ repairs }: RepairReport) => repairs.map(({ problem }) => `${problem.kind} ${problem.nodeId}`).sort();

describe.each(storages)("a repair %s", (_, create) => {
	test.each<[string, Partial<NodeRecord>, Partial<NodeRecord>]>([
		["a name", { name: "<b>x & <i>y</i> &amp;" }, { name: "&lt;b&gt;x &amp; <i>y</i> &amp;" }],
		["a dangerous link", { name: '<a href="data:x">y</a>' }, { name: '&lt;a href="data:x"&gt;y&lt;/a&gt;' }],
		["a note", { note: "a\r\nb\rc" }, { note: "a\nb\nc" }],
		["a layout mode", { layoutMode: "h9" as "h1" }, { layoutMode: "bullets" }],
		["the order of properties", { properties: '{"b":1, "a":2}' }, { properties: '{"a":2,"b":1}' }],
		["a property without a value", { properties: '{"a":null,"b":1}' }, { properties: '{"b":1}' }],
		["properties without a value", { properties: "{}" }, { properties: null }],
		["properties that are an empty text", { properties: "" }, { properties: null }],
		["properties that are a list", { properties: "[1]" }, { properties: '{"unreadable":[1]}' }],
		["properties that are nested too deep", { properties: deep }, { properties: JSON.stringify({ unreadable: deep }) }],
		["properties that are no JSON", { properties: "{x" }, { properties: '{"unreadable":"{x"}' }],
		["a key with half a character", { properties: '{"\\ud800":1}' }, { properties: '{"\ufffd":1}' }],
		[
			"keys that become equal",
			{ properties: '{"\\ud800":1,"\\udfff":2,"\ufffd":3}' },
			{ properties: '{"\ufffd":3,"\ufffd 2":1,"\ufffd 3":2}' },
		],
		[
			"keys that are too long",
			{ properties: `{"${"a".repeat(65)}":{"b":1},"${"c".repeat(64)}":2,"${"c".repeat(63)}\\ud800":3}` },
			{
				properties: `{"${"c".repeat(64)}":2,"unreadable":"${"a".repeat(65)}: {\\"b\\":1}","unreadable 3":"${"c".repeat(63)}\ufffd: 3"}`,
			},
		],
		["a value with half a character", { properties: '{"a":"\\ud800"}' }, { properties: '{"a":"\ufffd"}' }],
		["a fractional time", { modifiedAt: 7.9 }, { modifiedAt: 7 }],
		["a wrong time", { createdAt: 1e15, modifiedAt: 8 }, { createdAt: 8, modifiedAt: 8 }],
		["a wrong completion", { createdAt: 3, completedAt: -1e15 }, { createdAt: 3, completedAt: 3 }],
		[
			"no right time",
			{ createdAt: 1e15, modifiedAt: 1e15, completedAt: 1e15 },
			{ createdAt: noon / 1000, modifiedAt: noon / 1000, completedAt: noon / 1000 },
		],
		["a revision", { revision: 77 }, {}],
		["a mirror of itself", { originId: idOf(1) }, { originId: null }],
		["a mirror of nothing", { originId: idOf(9) }, { originId: null }],
		["a fractional priority", { priority: 2.5 }, { priority: 2 }],
		["a priority out of range", { priority: 2 ** 52 + 2 }, { priority: 0 }],
	])("mends %s alone", async (_, wrong, right) => {
		const before = node(1, { revision: 1, completedAt: 5, note: "note", layoutMode: "todo", ...wrong });
		const { report, after } = await repaired(create(), [before]);
		expect(after.get(idOf(1))).toEqual({ ...before, ...right, revision: 2 });
		expect(report.total).toBe(1);
		expect(report.repairs[0]!.nodeId).toBe(idOf(1));
	});

	test("mends several fields of a node at once, and reports each", async () => {
		const { report, after } = await repaired(create(), some({ 1: { name: "<", note: "\r", layoutMode: "x" as "h1" } }));
		expect(after.get(idOf(1))).toMatchObject({ name: "&lt;", note: "\n", layoutMode: "bullets", revision: 2 });
		expect(report.counts).toEqual({ invalid_name: 1, invalid_note: 1, invalid_layout_mode: 1 });
	});

	test("separates equal priorities, and keeps as many as possible", async () => {
		const nodes = some({
			1: { priority: 5 },
			2: { priority: 5 },
			3: { priority: 5 },
			4: { priority: 6 },
			5: { priority: 9 },
		});
		const { after } = await repaired(create(), nodes);
		const sorted = nodes.toSorted((left, right) => left.priority - right.priority || (left.id < right.id ? -1 : 1));
		expect(sorted.map(({ id }) => after.get(id)!.priority)).toEqual([5, 6, 7, 8, 9]);
		const unmoved = sorted.filter(({ id, priority }) => after.get(id)!.priority === priority).map(({ id }) => id);
		for (const id of unmoved) expect(after.get(id)!.revision).toBe(1);
	});

	test("moves a node without a parent and its subtree under a node Recovered", async () => {
		const storage = create();
		const nodes = some({
			1: { parentId: idOf(9), priority: 7 },
			2: { parentId: idOf(1) },
			3: { parentId: idOf(8) },
			4: { priority: 100 },
		});
		const { report, after } = await repaired(storage, nodes);
		const { recoveredId } = report;
		expect(after.get(recoveredId!)).toMatchObject({ parentId: null, name: "Recovered", priority: 100 + 2 ** 20 });
		expect(summary(report)).toEqual([`missing_parent ${idOf(1)}`, `missing_parent ${idOf(3)}`].sort());
		expect(after.get(idOf(1))!.parentId).toBe(recoveredId);
		expect(after.get(idOf(2))).toEqual(nodes[1]);
		expect(after.get(idOf(3))!.parentId).toBe(recoveredId);
		expect(after.get(idOf(4))).toEqual(nodes[3]);
		expect((await newOutline({ storage }).list(recoveredId)).nodes.length).toBe(2);
	});

	test.each([2 ** 52, 2 ** 53, 0.5])(
		"finds a place for it beside a sibling of priority %d, and for later nodes",
		async (priority) => {
			const storage = create();
			const nodes = some({ 1: { parentId: idOf(9) }, 2: { priority: 7 }, 3: { priority, id: "ODD" } });
			const { report } = await repaired(storage, nodes);
			expect(report.recoveredId).not.toBeNull();
			const outline = newOutline({ storage });
			for (const position of ["top", "bottom"] as const) await outline.create({ name: position, position });
			expect((await outline.list()).nodes.map(({ name }) => name).filter((name) => !name.startsWith("node"))).toEqual([
				"top",
				"Recovered",
				"bottom",
			]);
			expect((await outline.verify()).total).toBe(0);
		},
	);

	test("opens cycles at the node that was written last, and keeps the rest", async () => {
		const storage = create();
		const chain = some({ 1: {}, 2: { parentId: idOf(1) }, 3: { parentId: idOf(2) }, 4: { parentId: idOf(2) } });
		await write(storage, { nodes: chain });
		await write(storage, { nodes: [{ ...chain[0]!, parentId: idOf(3), revision: 2 }] });
		const report = await newOutline({ storage }).repair();
		const after = await recordsOf(storage);
		expect(after.size).toBe(5);
		for (const record of chain.slice(1)) expect(after.get(record.id)).toEqual(record);
		expect(after.get(after.get(idOf(1))!.parentId!)!.name).toBe("Recovered");
		expect(report.left.total).toBe(0);
	});

	test("moves a node away from a parent that shows the same content", async () => {
		const nodes = some({
			1: {},
			2: { parentId: idOf(1), originId: idOf(1) },
			3: { originId: idOf(4) },
			4: { parentId: idOf(3) },
			5: { originId: idOf(4), priority: 50 },
			6: { parentId: idOf(5), originId: idOf(4) },
		});
		const { report, after } = await repaired(create(), nodes);
		for (const number of [2, 4, 6]) expect(after.get(idOf(number))!.parentId).toBe(report.recoveredId);
		expect(after.get(idOf(2))!.originId).toBe(idOf(1));
		expect(report.counts).toEqual({ same_origin_as_parent: 3 });
	});

	test("points mirrors of mirrors at the true origin, and makes plain nodes of mirrors without one", async () => {
		const nodes = some({
			1: { originId: idOf(2) },
			2: { originId: idOf(3) },
			3: { originId: idOf(4) },
			4: {},
			5: { originId: idOf(6) },
			6: { originId: idOf(5) },
			7: { originId: idOf(8), name: "own" },
			8: { originId: idOf(99) },
		});
		const storage = create();
		const { report, after } = await repaired(storage, nodes);
		const origins = nodes.map(({ id }) => after.get(id)!.originId);
		expect(origins.slice(0, 4)).toEqual([idOf(4), idOf(4), idOf(4), null]);
		expect(origins.slice(6)).toEqual([idOf(8), null]);
		expect(after.get(idOf(7))!.name).toBe("own");
		// The origin of 7 is valid once it is no mirror any more.
		expect(report.counts).toEqual({ missing_origin: 1, mirror_as_origin: 4 });
		expect(report.recoveredId).toBeNull();
		const [four] = (await storage.read([{ type: "node", at: { id: idOf(4) } }])).results;
		expect(four!.mirrorIds).toEqual([idOf(1), idOf(2), idOf(3)].sort());
		// The feed has the origin that has gained mirrors.
		expect(four!.record.revision).toBeGreaterThan(1);
	});

	test("gives a valid id to a node with an invalid one, and updates all references to it", async () => {
		const storage = create();
		const wrong = idOf(1).toUpperCase();
		const nodes = [
			node(1, { id: wrong, revision: 1, name: "one", parentId: idOf(4), originId: idOf(5) }),
			...some({ 2: { parentId: wrong }, 3: { originId: "odd" }, 4: {}, 5: {} }),
			node(6, { id: "odd", revision: 1, name: "odd" }),
		];
		const keys: KeyRecord[] = [
			{ key: "home", group: "shortcut", nodeId: wrong, revision: 1 },
			{ key: "other", group: "shortcut", nodeId: idOf(2), revision: 1 },
		];
		const { report, after } = await repaired(storage, nodes, keys);
		expect(after.get(idOf(1))).toMatchObject({ name: "one", parentId: idOf(4), originId: idOf(5) });
		expect(after.get(idOf(2))!.parentId).toBe(idOf(1));
		const odd = report.repairs.find(({ problem }) => problem.nodeId === "odd")!.nodeId!;
		expect(after.get(odd)!.name).toBe("odd");
		expect(after.get(idOf(3))!.originId).toBe(odd);
		const outline = newOutline({ storage });
		expect((await outline.get("home")).id).toBe(idOf(1));
		expect((await outline.get("other")).id).toBe(idOf(2));
		expect(after.get(idOf(5))!.revision).toBeGreaterThan(1);
	});

	test("draws a new id if another node has the id in lower case or its short id", async () => {
		const lower = numberedId(0xabcd);
		const nodes = [
			node(1, { id: lower, revision: 1, name: "right" }),
			node(2, { id: lower.toUpperCase(), revision: 1, name: "same" }),
			node(3, { id: `${lower.slice(0, 24).replace("4", "5")}00000000ABCD`, revision: 1, name: "short" }),
			node(4, { id: "ABCDEF00-0000-4000-8000-000000000005", revision: 1, name: "no letters" }),
			node(5, {
				id: "A0000000-0000-4000-8000-000000000000",
				revision: 1,
				parentId: "A0000000-0000-4000-8000-000000000000",
			}),
		];
		const { after } = await repaired(create(), nodes);
		expect(after.get(lower)!.name).toBe("right");
		expect(after.get("abcdef00-0000-4000-8000-000000000005")!.name).toBe("no letters");
		expect(after.has("a0000000-0000-4000-8000-000000000000")).toBe(true);
		expect([...after.values()].map(({ name }) => name).sort()).toEqual(
			["Recovered", "no letters", "node 5", "right", "same", "short"].sort(),
		);
	});

	test("keeps the id of the node that the storage returns for the short id", async () => {
		const twins = [1, 2, 3].map((number) => node(number, { id: `${number}fffffff${idOf(1).slice(8)}`, revision: 1 }));
		const storage = create();
		await write(storage, { nodes: twins });
		const short = { type: "node", at: { shortId: idOf(1).slice(-12) } } as const;
		const [holder] = (await storage.read([short])).results;
		const report = await newOutline({ storage }).repair();
		expect(report.counts).toEqual({ duplicate_short_id: 2 });
		expect(report.left.total).toBe(0);
		expect((await storage.read([short])).results[0]!.record.id).toBe(holder!.record.id);
		expect((await recordsOf(storage)).size).toBe(3);
	});

	test("moves keys into their groups, and drops invalid keys", async () => {
		const storage = create();
		const keys = keysOf({
			home: ["2026", 1],
			"2026": ["calendar", 2],
			"2026-11": ["shortcut", 3],
			"2026-11-21": ["2026-11", 4],
			"2026-13": ["2026", 1],
			inbox: ["elsewhere", 5],
			None: ["shortcut", 1],
			calendar: ["system", 1],
		});
		const { report } = await repaired(storage, some({ 1: {}, 2: {}, 3: {}, 4: {}, 5: {} }), keys);
		expect(report.counts).toEqual({ misplaced_key: 3, invalid_key: 2 });
		const groups = ["shortcut", "system", "calendar", "2026", "2026-11"];
		const { results } = await storage.read(groups.map((group) => ({ type: "keys", group }) as const));
		const listed = groups.map((group, place) => [
			group,
			results[place]!.map(({ record }) => [record.key, record.nodeId]),
		]);
		expect(Object.fromEntries(listed)).toEqual({
			shortcut: [["home", idOf(1)]],
			system: expect.toSatisfy(
				(pairs: string[][]) =>
					pairs
						.map(([key]) => key)
						.sort()
						.join() === "calendar,inbox",
			),
			calendar: [["2026", idOf(2)]],
			"2026": [["2026-11", idOf(3)]],
			"2026-11": [["2026-11-21", idOf(4)]],
		});
		expect((await recordsOf(storage)).size).toBe(5);
	});

	test("mends everything at once", async () => {
		const { report } = await repaired(
			create(),
			some({
				1: { parentId: idOf(2), originId: idOf(2), name: "<", priority: 1.5 },
				2: { parentId: idOf(1), originId: idOf(1), revision: 0 },
				3: { parentId: idOf(77), originId: idOf(78), createdAt: 0.5, priority: 4 },
				4: { parentId: idOf(77), priority: 4 },
				5: { priority: 8, layoutMode: "" as "h1" },
				6: { priority: 8, originId: idOf(5), parentId: idOf(5) },
			}),
			keysOf({ today: ["shortcut", 1], home: ["calendar", 2] }),
		);
		expect(report.total).toBeGreaterThan(10);
	});
});

describe("a repair", () => {
	test("commits nothing to a valid outline", async () => {
		const storage = createMemoryStorage();
		const outline = newOutline({ storage });
		await outline.create({ parent: "today", name: "x" });
		const { revision } = await storage.read([]);
		const report = await outline.repair();
		expect(report).toMatchObject({ revision, total: 0, counts: {}, repairs: [], recoveredId: null });
		expect((await storage.read([])).revision).toBe(revision);
	});

	test("reports contradictions of the storage as left", async () => {
		const kept = createMemoryStorage();
		const nodes = some({ 1: { name: "<" }, 2: {} });
		await write(kept, { nodes });
		const report = await newOutline({ storage: answering(kept, "taken", () => []) }).repair();
		expect(report.counts).toEqual({ invalid_name: 1 });
		expect(report.left.counts).toEqual({ disagreement: 2 });
	});

	test("ends on a storage that loses commits", async () => {
		const kept = createMemoryStorage();
		await write(kept, { nodes: some({ 1: { name: "<" } }) });
		const storage = { ...paged(kept), commit: async () => 2 };
		const report = await newOutline({ storage }).repair();
		expect(report.left.counts).toEqual({ invalid_name: 1 });
		expect(report.total).toBe(100);
	});

	test("respects commits of other writers in between", async () => {
		const kept = createMemoryStorage();
		const nodes = some({
			1: { parentId: idOf(9) },
			2: { name: "<b>two" },
			3: { originId: idOf(8) },
			4: { priority: 70 },
			5: { priority: 70 },
			6: { parentId: idOf(7) },
			7: { parentId: idOf(6) },
		});
		await write(kept, { nodes, keys: keysOf({ today: ["shortcut", 2] }) });
		let commits = 0;
		let damaged = nodes.map((each) => each.id);
		const storage = beforeCommits(kept, async (batch) => {
			commits += 1;
			// Before the first commit of each repair, another writer mends the node and writes to other nodes.
			const ids = batch.nodes.flatMap(({ before }) => before?.id ?? []);
			const first = damaged.find((id) => ids.includes(id));
			damaged = damaged.filter((id) => id !== first);
			if (first === undefined) return;
			const record = (await recordsOf(kept)).get(first)!;
			const { revision } = await kept.read([]);
			const right = { ...record, name: "right", parentId: null, originId: null, priority: 5000 + commits };
			await write(kept, { nodes: [{ ...right, revision: revision + 1 }] });
		});
		const outline = newOutline({ storage });
		const report = await outline.repair();
		expect(report.left.total).toBe(0);
		const after = await recordsOf(kept);
		const names = [...after.values()].map(({ name }) => name);
		expect(names.filter((each) => each === "right").length).toBeGreaterThan(3);
		for (const { name, parentId } of after.values()) if (name === "right") expect(parentId).toBeNull();
	});

	test("keeps the place of a node if another writer has just opened its cycle", async () => {
		const kept = createMemoryStorage();
		const [first, second] = some({ 1: { parentId: idOf(2) }, 2: { parentId: idOf(1) } }).toSorted((left, right) =>
			left.id < right.id ? -1 : 1,
		);
		await write(kept, { nodes: [first!, second!] });
		let commits = 0;
		const storage = beforeCommits(kept, async () => {
			commits += 1;
			if (commits === 1) await write(kept, { nodes: [{ ...second!, parentId: null, revision: 2 }] });
		});
		const report = await newOutline({ storage }).repair();
		expect(report).toMatchObject({ total: 0, recoveredId: null, left: { total: 0 } });
		expect((await recordsOf(kept)).get(first!.id)).toEqual(first);
		expect(commits).toBe(1);
	});

	test("keeps a key that another writer has just moved into its group", async () => {
		const kept = createMemoryStorage();
		await write(kept, { nodes: some({ 1: {} }), keys: keysOf({ home: ["system", 1] }) });
		const storage = beforeCommits(kept, async ({ base }) => {
			if (base === 1) await write(kept, { keys: keysOf({ home: ["shortcut", 1] }) });
		});
		expect(await newOutline({ storage }).repair()).toMatchObject({ revision: 2, total: 0, left: { total: 0 } });
	});

	test("creates one node Recovered for all commits, and another one if that is gone", async () => {
		const storage = createMemoryStorage();
		const orphans = (first: number) =>
			Array.from({ length: 250 }, (_, at) => node(first + at, { revision: 1, parentId: idOf(9999) }));
		await write(storage, { nodes: orphans(0) });
		const outline = newOutline({ storage });
		const { recoveredId, total, counts, repairs } = await outline.repair();
		expect([total, counts, repairs.length]).toEqual([250, { missing_parent: 250 }, 250]);
		expect((await outline.list()).nodes.map(({ name }) => name)).toEqual(["Recovered"]);
		expect((await outline.list(recoveredId)).nodes.length).toBe(250);
		await write(storage, { nodes: orphans(300) });
		let commits = 0;
		const disturbed: StorageAdapter = {
			...paged(storage),
			async commit(batch) {
				const revision = await storage.commit(batch);
				commits += 1;
				if (commits === 1) {
					const { nodes } = await outline.list();
					await outline.delete(nodes.at(-1)!.id);
				}
				return revision;
			},
		};
		const second = await newOutline({ storage: disturbed }).repair();
		expect(second.left.total).toBe(0);
		const holders = (await outline.list()).nodes.map(({ id, name }) => [id, name]);
		expect(holders).toEqual([
			[recoveredId, "Recovered"],
			[second.recoveredId, "Recovered"],
		]);
		expect((await outline.list(second.recoveredId)).nodes.length).toBe(150);
	});

	test("sends events as any commit does, and is no undo step", async () => {
		const storage = createMemoryStorage();
		await write(storage, { nodes: some({ 1: { name: "<" } }) });
		const outline = newOutline({ storage });
		const heard: unknown[] = [];
		outline.subscribe(({ source, changes }) => heard.push([source, changes.map(({ after }) => after?.name)]));
		await outline.repair();
		expect(heard).toEqual([["local", ["&lt;"]]]);
		expect(await picture(outline)).toBe("&lt;");
		expect(outline.history).toEqual({ undo: 0, redo: 0 });
	});

	// It takes several seconds.
	test.runIf(thorough)("mends very many problems that others have to be mended before", async () => {
		const storage = createMemoryStorage();
		// The priority of a node can be mended when its parent is there. Each round takes 100,000 problems.
		const place = (number: number) => ({ parentId: idOf(200_000), priority: number + 0.5 });
		await write(storage, { nodes: Array.from({ length: 100_001 }, (_, number) => node(number, place(number))) });
		const { left, total } = await newOutline({ storage }).repair();
		expect(left.total).toBe(0);
		expect(total).toBe(200_002);
	});

	test("reports its progress, and ends between two commits when the signal aborts", async () => {
		const storage = createMemoryStorage();
		await write(storage, { nodes: some({ 1: { name: "<" }, 2: { parentId: idOf(9) } }) });
		const outline = newOutline({ storage });
		const controller = new AbortController();
		const steps: string[] = [];
		const onProgress = ({ step }: { step: string }) => {
			steps.push(step);
			if (step === "repairs") controller.abort("enough");
		};
		await expect(outline.repair({ onProgress, signal: controller.signal })).rejects.toBe("enough");
		expect(steps).toEqual(["nodes", "tree", "keys", "repairs"]);
		expect((await outline.verify()).counts).toEqual({ missing_parent: 1 });
	});
});
