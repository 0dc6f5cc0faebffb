import { describe, expect, test } from "vitest";
import { createMemoryStorage } from "../../../adapters/memory.js";
import type { OutlineOptions } from "../../../src/engine/settings.js";
import type { Batch, Query, StorageAdapter } from "../../../src/storage.js";
import { idOf } from "../../conformance/records.js";
import { paged } from "../../conformance/wrapped.js";
import { addingAll } from "../../support/batches.js";
import { fours, places } from "../../support/dense.js";
import { beforeCommits } from "../../support/interrupted.js";
import { bound } from "../../support/notices.js";
import { codeOf, exported, newOutline, picture, plant } from "../../support/outline.js";
import { memoryStorages } from "../../support/storages.js";

/** Opens an outline that keeps its history. */
function opened(storage: StorageAdapter, history: OutlineOptions["history"] = {}) {
	return newOutline({ storage, history: { keep: true, ...history } });
}

async function documentsIn(storage: StorageAdapter): Promise<string[]> {
	return (await storage.read([{ type: "documents", prefix: "history/" }])).results[0].map(({ key }) => key);
}

describe.each(memoryStorages)("a stored history, %s", (_, create) => {
	test("undoes and redoes after the outline was opened again, step by step", async () => {
		const storage = create();
		const pictures: string[] = [];
		const first = opened(storage);
		pictures.push(await picture(first));
		const { id: a } = await first.create({ name: "a\n- b", properties: { x: 1 } });
		pictures.push(await picture(first));
		const { id: place } = await first.create({ name: "place", position: "bottom" });
		pictures.push(await picture(first));
		await first.mirror(a, { parent: place });
		await first.setShortcut("home", a);
		await first.create({ parent: "today", name: "task" });
		pictures.push(await picture(first));
		await first.batch([
			{ type: "update", ref: a, name: "A", properties: { x: null } },
			{ type: "move", ref: place, parent: "inbox" },
		]);
		await first.delete(a, { mirrors: "detach" });
		pictures.push(await picture(first));
		const all = await picture(first);
		for (let step = 0; step < 7; step++) expect(await opened(storage).undo()).not.toBeNull();
		expect(await opened(storage).undo()).toBeNull();
		// Nodes created on demand stay.
		expect(await picture(opened(storage))).toBe(
			'Calendar\n  2026\n    November\n      <time datetime="2026-11-21">Sat, Nov 21, 2026</time>\nInbox',
		);
		for (let step = 0; step < 7; step++) expect(await opened(storage).redo()).not.toBeNull();
		expect(await opened(storage).redo()).toBeNull();
		expect(await picture(opened(storage))).toBe(all);
		expect((await opened(storage).verify()).problems).toEqual([]);
	});

	test("counts its steps after preload, and after each operation", async () => {
		const storage = create();
		const first = opened(storage);
		const { id } = await first.create({ name: "a" });
		await first.update(id, { name: "b" });
		expect(first.history).toEqual({ undo: 2, redo: 0 });
		const second = opened(storage);
		await second.preload();
		expect(second.history).toEqual({ undo: 2, redo: 0 });
		await second.undo();
		expect(second.history).toEqual({ undo: 1, redo: 1 });
		await second.create({ name: "c" });
		expect(second.history).toEqual({ undo: 2, redo: 0 });
		expect(await codeOf(second.update(id, { name: 1 as never }))).toBe("invalid_argument");
		expect(await codeOf(second.get("nowhere"))).toBe("not_found");
		expect(second.history).toEqual({ undo: 2, redo: 0 });
	});

	test("notifies a listener of the stored steps, also while an operation adds one", async () => {
		const storage = create();
		await opened(storage).create({ name: "a" });
		const watched = opened(storage);
		expect(await new Promise((resolve) => watched.watchHistory(resolve))).toEqual({ undo: 1, redo: 0 });
		const busy = opened(storage);
		const seen: number[] = [];
		busy.watchHistory(({ undo }) => seen.push(undo));
		await busy.create({ name: "b" });
		await busy.close();
		expect(busy.history).toEqual({ undo: 2, redo: 0 });
		expect(seen.at(-1)).toBe(2);
	});

	test("notifies a listener of the steps that another program adds, undoes and forgets, until it is told to stop", async () => {
		const storage = create();
		const [here, there] = [opened(storage), opened(storage)];
		const seen: string[] = [];
		const stop = here.watchHistory(({ undo, redo }) => seen.push(`${undo} ${redo}`));
		await there.create({ name: "a" });
		await expect.poll(() => seen.at(-1)).toBe("1 0");
		await there.undo();
		await expect.poll(() => seen.at(-1)).toBe("0 1");
		await there.redo();
		await expect.poll(() => seen.at(-1)).toBe("1 0");
		await there.clearHistory();
		await expect.poll(() => seen.at(-1)).toBe("0 0");
		expect(here.history).toEqual({ undo: 0, redo: 0 });
		stop();
		const { length } = seen;
		await there.create({ name: "b" });
		await here.preload();
		expect(here.history).toEqual({ undo: 1, redo: 0 });
		expect(seen).toHaveLength(length);
	});

	test("is one for all programs: each undoes the last step of all", async () => {
		const storage = create();
		const [here, there] = [opened(storage), opened(storage)];
		await here.create({ name: "a" });
		await there.create({ name: "b", position: "bottom" });
		await here.create({ name: "c", position: "bottom" });
		await there.undo();
		expect(await picture(here)).toBe("a\nb");
		await here.undo();
		expect(await picture(here)).toBe("a");
		await there.redo();
		expect(await picture(here)).toBe("a\nb");
		await here.create({ name: "d", position: "bottom" });
		expect(await there.redo()).toBeNull();
		await Promise.all(
			Array.from({ length: 20 }, (_, number) => [here, there][number % 2]!.create({ name: `${number}` })),
		);
		for (let step = 0; step < 20; step++) await [there, here][step % 2]!.undo();
		expect(await picture(here)).toBe("a\nb\nd");
	});

	test("keeps the order of its steps when they take the keys of steps that went", async () => {
		const storage = create();
		const first = opened(storage, { steps: 5 });
		for (const name of "abcdefgh") await first.create({ name, position: "bottom" });
		for (let step = 0; step < 3; step++) await opened(storage, { steps: 5 }).undo();
		const second = opened(storage, { steps: 5 });
		for (const name of "xy") await second.create({ name, position: "bottom" });
		expect(await documentsIn(storage)).toHaveLength(4);
		const third = opened(storage, { steps: 5 });
		await third.create({ name: "z", position: "bottom" });
		expect(await documentsIn(storage)).toHaveLength(5);
		for (const left of ["a b c d e x y", "a b c d e x", "a b c d e", "a b c d", "a b c"]) {
			await opened(storage, { steps: 5 }).undo();
			expect(await picture(third)).toBe(left.replaceAll(" ", "\n"));
		}
		expect(await opened(storage, { steps: 5 }).undo()).toBeNull();
	});

	test("begins anew beside steps in a form that it doesn't know", async () => {
		const storage = create();
		const outline = opened(storage);
		await outline.create({ name: "a" });
		const { revision } = await storage.read([]);
		const put = [{ key: "history/0", value: 'undo/1 {"operation":"create","moment":1,"size":146,"made":[]}' }];
		await storage.commit({ base: revision, nodes: [], keys: [], documents: { put, dropped: [] } });
		expect(await opened(storage).undo()).toBeNull();
		await opened(storage).create({ name: "b", position: "bottom" });
		await opened(storage).undo();
		expect(await picture(outline)).toBe("a");
		expect(await opened(storage).undo()).toBeNull();
	});

	test("is off without steps", async () => {
		const storage = create();
		const outline = opened(storage, { steps: 0 });
		await outline.create({ name: "a" });
		expect(await outline.undo()).toBeNull();
		expect(await documentsIn(storage)).toEqual([]);
	});

	test("joins edits that follow each other closely, and keeps so many steps and bytes", async () => {
		const storage = create();
		const outline = opened(storage, { steps: 5, groupWithin: 1000 });
		const { id } = await outline.create({ name: "a" });
		for (const name of ["b", "bc", "bcd"]) await outline.update(id, { name });
		expect(outline.history.undo).toBe(2);
		expect(await documentsIn(storage)).toHaveLength(2);
		for (let number = 0; number < 9; number++) await outline.create({ name: `${number}` });
		expect(outline.history.undo).toBe(5);
		expect(await documentsIn(storage)).toHaveLength(5);
		const small = opened(storage, { bytes: 8000 });
		await small.create({ name: "x".repeat(1000) });
		expect(small.history.undo).toBeGreaterThan(1);
		await small.create({ name: "x".repeat(3000) });
		expect(small.history).toEqual({ undo: 0, redo: 0 });
		expect(await documentsIn(storage)).toEqual(["history/number"]);
		expect(await opened(storage).undo()).toBeNull();
	});

	test("joins edits and an import also after an operation that has failed", async () => {
		const outline = opened(create(), { groupWithin: 1000 });
		const { id } = await outline.create({ name: "a" });
		for (const name of ["b", "bc"]) {
			await outline.update(id, { name });
			expect(await codeOf(outline.update("nowhere", { name }))).toBe("not_found");
		}
		expect(outline.history.undo).toBe(2);
		await outline.import("x", { format: "text", joinUndoStep: true });
		expect(outline.history.undo).toBe(2);
	});

	test("has no step of edits that set a text back, and goes on from there", async () => {
		const storage = create();
		const history = { groupWithin: 60_000, steps: 3 };
		const first = opened(storage, history);
		const { id } = await first.create({ name: "" });
		for (const name of ["x", ""]) await first.update(id, { name });
		expect(first.history).toEqual({ undo: 1, redo: 0 });
		const second = opened(storage, history);
		for (const name of ["y", "", "z"]) await second.update(id, { name });
		expect(second.history).toEqual({ undo: 2, redo: 0 });
		const third = opened(storage, history);
		await third.preload();
		expect(third.history).toEqual({ undo: 2, redo: 0 });
		await third.undo();
		expect((await third.get(id)).name).toBe("");
		await third.undo();
		expect(await picture(third)).toBe("");
		expect(await third.undo()).toBeNull();
		expect(await documentsIn(storage)).toHaveLength(3);
	});

	test("knows which nodes were ensured, and which only made room, after the outline was opened again", async () => {
		const storage = create();
		await storage.commit(addingAll(fours));
		const { id: day } = await opened(storage).ensure("today");
		const another = newOutline({ storage });
		const { id: task } = await another.create({ name: "task", parent: day });
		// Without that, it would be refused because of the task.
		await opened(storage).undo();
		expect((await another.get(task)).parentId).toBe(day);

		const { id } = await opened(storage).create({ name: "x", position: { after: idOf(1) } });
		await another.move(idOf(2), { position: "top" });
		const { [id]: gone, ...others } = await places(another);
		expect(gone).toBeDefined();
		// Without that, it would be refused because of the sibling that has moved.
		await opened(storage).undo();
		expect(await places(another)).toEqual(others);
	});

	test("is empty after it was cleared, also when it is opened again", async () => {
		const storage = create();
		const outline = opened(storage);
		await outline.create({ name: "a" });
		await outline.create({ name: "b" });
		await outline.undo();
		await outline.clearHistory();
		expect(outline.history).toEqual({ undo: 0, redo: 0 });
		expect(await documentsIn(storage)).toEqual(["history/number"]);
		expect(await opened(storage).undo()).toBeNull();
		expect(await picture(outline)).toBe("a");
	});

	test("is read again if another writer has cleared it, and has made as many steps since", async () => {
		const storage = create();
		const outline = opened(storage);
		for (const name of "ab") await outline.create({ name, position: "bottom" });
		await opened(storage).clearHistory();
		const later = opened(storage);
		for (const name of "cd") await later.create({ name, position: "bottom" });
		await outline.undo();
		expect(await picture(outline)).toBe("a\nb\nc");
	});

	test("has the step in the commit of its changes: a commit that fails leaves both as they were", async () => {
		const storage = create();
		let fails = false;
		const batches: Batch[] = [];
		const failing: StorageAdapter = {
			...bound(storage),
			...(storage.peek !== undefined && { peek: storage.peek.bind(storage) }),
			commit: async (batch) => {
				if (fails) throw new Error("The disk is full.");
				batches.push(batch);
				return storage.commit(batch);
			},
		};
		const outline = opened(failing);
		await outline.create({ name: "a" });
		fails = true;
		await expect(outline.create({ name: "b" })).rejects.toThrow("full");
		expect(outline.history).toEqual({ undo: 1, redo: 0 });
		await expect(outline.undo()).rejects.toThrow("full");
		expect(outline.history).toEqual({ undo: 1, redo: 0 });
		fails = false;
		await outline.create({ name: "c" });
		expect(batches).toHaveLength(2);
		await outline.undo();
		await outline.undo();
		expect(await picture(outline)).toBe("");
		expect(outline.history).toEqual({ undo: 0, redo: 2 });
	});

	test("gives storages documents that they may copy, clone and write as JSON", async () => {
		const storage = create();
		const batches: Batch[] = [];
		const commit = (batch: Batch) => {
			batches.push(batch);
			return storage.commit(batch);
		};
		await opened({ ...bound(storage), commit }).create({ name: "a" });
		const { put } = batches[0]!.documents!;
		const copies = put.map(({ key, value }) => ({ key, value }));
		expect(copies).toEqual([{ key: "history/0", value: expect.stringMatching(/^undo\/1: create\^/) }]);
		expect(structuredClone(put)).toEqual(copies);
		expect(JSON.parse(JSON.stringify(put))).toEqual(copies);
		expect(put.map((document) => ({ ...document }))).toEqual(copies);
	});

	test("keeps texts with any characters, also those of its own form", async () => {
		const storage = create();
		const outline = opened(storage);
		const texts = { name: '~0 ^1 |2 "quoted" \\ 😀', note: "~\n^|+*-.", properties: { "a^b": "~|" } };
		const { id } = await outline.create({ ...texts, format: "text" });
		await outline.create({ parent: id, name: "~", format: "text" });
		const before = await outline.get(id);
		await outline.update(id, { name: "^", note: "|", properties: { "a^b": "^" }, format: "text" });
		await outline.delete(id);
		await opened(storage).undo();
		await opened(storage).undo();
		expect(await opened(storage).get(id)).toEqual(before);
		await opened(storage).redo();
		expect(await opened(storage).get(id)).toMatchObject({ name: "^", note: "|", properties: { "a^b": "^" } });
	});

	test("keeps every field of nodes deleted together, whatever the node before has in it", async () => {
		const storage = create();
		const outline = opened(storage);
		const nodes = [
			{ name: "", note: "~3", properties: { x: 1 }, completed: true },
			{ name: "~4", note: null, layoutMode: "h1" as const },
			{ name: "", note: "~4", layoutMode: "h1" as const, completed: true },
			{ name: "~3", properties: { x: 1 } },
			// Each of the next differs in one field alone.
			{ name: "~3", properties: { x: 2 } },
			{ name: "~3", properties: { x: 2 }, note: "a" },
			{ name: "~3", properties: { x: 2 }, note: "a", layoutMode: "todo" as const },
			{ name: "~3", properties: { x: 2 }, note: "a", layoutMode: "todo" as const, completed: true },
			{ name: "b" },
		];
		const { id: top } = await outline.create({ name: "top" });
		const place = { parent: top, position: "bottom" } as const;
		const ids: string[] = [];
		for (const node of nodes) ids.push((await outline.create({ ...node, ...place, format: "text" })).id);
		for (const id of ids) await outline.mirror(id, place);
		for (const id of ids) await outline.create({ name: "below", parent: id });
		const all = async () => JSON.stringify(await exported(opened(storage)));
		const before = await all();
		await outline.delete(top, { mirrors: "promote" });
		await opened(storage).undo();
		expect(await all()).toBe(before);
		await opened(storage).redo();
		await opened(storage).undo();
		expect(await all()).toBe(before);
	});

	test("costs nothing without the option, and takes over where a program without it has written", async () => {
		const storage = create();
		const plain = newOutline({ storage });
		await plain.create({ name: "a" });
		expect(await documentsIn(storage)).toEqual([]);
		const { b } = await plant(opened(storage), "b #b");
		await plain.update(b, { note: "n" });
		expect(await codeOf(opened(storage).undo())).toBe("undo_blocked");
		await plain.update(b, { note: null });
		await opened(storage).undo();
		expect(await codeOf(plain.get(b))).toBe("not_found");
	});
});

describe("a stored history, when two programs commit at once", () => {
	test("has the steps of both", async () => {
		const storage = paged(createMemoryStorage());
		const [here, there] = [opened(storage), opened(storage)];
		await Promise.all([here.preload(), there.preload()]);
		// Both number their steps alike, and one of the two must try again.
		await Promise.all([here.create({ name: "a" }), there.create({ name: "b" })]);
		for (const outline of [here, there]) {
			await outline.preload();
			expect(outline.history).toEqual({ undo: 2, redo: 0 });
		}
		for (let step = 0; step < 2; step++) await there.undo();
		expect(await picture(there)).toBe("");
	});

	test("is empty after it was cleared, though another step came first", async () => {
		const storage = createMemoryStorage();
		const other = opened(storage);
		await other.create({ name: "a" });
		let meanwhile: Promise<unknown> | undefined;
		const outline = opened(
			beforeCommits(storage, () => {
				meanwhile ??= other.create({ name: "b" });
				return meanwhile;
			}),
		);
		await outline.preload();
		await outline.clearHistory();
		expect(outline.history).toEqual({ undo: 0, redo: 0 });
		expect(await documentsIn(storage)).toEqual(["history/number"]);
	});
});

/** A storage without `peek` that can hold back the next answer to a type of question. */
function holding(storage: StorageAdapter) {
	const held: (() => void)[] = [];
	let next: Query["type"] | undefined;
	const slow: StorageAdapter = {
		...bound(storage),
		async read(queries) {
			const holds = queries.some(({ type }) => type === next);
			if (holds) next = undefined;
			const snapshot = await storage.read(queries);
			if (holds) await new Promise<void>((resolve) => held.push(resolve));
			return snapshot;
		},
	};
	const hold = (type: Query["type"]) => {
		next = type;
	};
	return { slow, hold, held };
}

describe("a stored history, when an answer to an operation that has failed comes late", () => {
	test("counts the step that was added meanwhile", async () => {
		const { slow, hold, held } = holding(createMemoryStorage());
		const outline = opened(slow);
		await outline.create({ name: "a" });
		hold("documents");
		void outline.create({ name: "b" });
		const failing = codeOf(outline.update("nowhere", { name: "x" }));
		await expect.poll(() => held).toHaveLength(1);
		await outline.create({ name: "c" });
		held[0]!();
		expect(await failing).toBe("not_found");
		expect(outline.history).toEqual({ undo: 3, redo: 0 });
	});

	test("loses no step if another writer has added one, and it is undone meanwhile", async () => {
		const storage = createMemoryStorage();
		const { slow, hold, held } = holding(storage);
		const [here, there] = [opened(slow), opened(storage)];
		await here.create({ name: "a" });
		hold("documents");
		void here.create({ name: "b", position: "bottom" });
		const failing = codeOf(here.update("nowhere", { name: "x" }));
		await expect.poll(() => held).toHaveLength(1);
		await there.create({ name: "c", position: "bottom" });
		hold("subtree");
		const undoing = here.undo();
		await expect.poll(() => held).toHaveLength(2);
		held[0]!();
		await failing;
		held[1]!();
		await undoing;
		expect(await picture(there)).toBe("a\nb");
		await there.undo();
		expect(await picture(there)).toBe("a");
	});
});
