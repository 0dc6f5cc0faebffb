import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createMemoryStorage } from "../../../adapters/memory.js";
import { ask, type Operation, pausePoint } from "../../../src/engine/protocol.js";
import { Uncommitted } from "../../../src/engine/uncommitted.js";
import { Outline } from "../../../src/outline.js";
import { byPlace, type Range } from "../../../src/siblings.js";
import type { NodeRecord, Query, StorageAdapter } from "../../../src/storage.js";
import { document, idOf } from "../../conformance/records.js";
import { addingAll, recordAt } from "../../support/batches.js";

function* asking() {
	return yield* ask({ type: "documents", prefix: "a" });
}

test("documents come from the storage, whatever the uncommitted changes are", async () => {
	const storage = createMemoryStorage();
	const kept = document("a/b");
	await storage.commit({ base: 0, nodes: [], keys: [], documents: { put: [kept], dropped: [] } });
	for (const changed of [false, true]) {
		const uncommitted = new Uncommitted();
		if (changed) uncommitted.changes.put(null, recordAt(1, 2));
		const operation = uncommitted.run(asking());
		let step = operation.next([]);
		while (!step.done) step = operation.next((await storage.read(step.value as readonly Query[])).results);
		expect(step.value).toEqual([[kept]]);
	}
});

/** Runs an operation on a storage. Returns the result, and the number of records in the storage's answers. */
async function run<T>(storage: StorageAdapter, operation: Operation<T>): Promise<{ result: T; read: number }> {
	let read = 0;
	let step = operation.next([]);
	while (!step.done) {
		const { results } =
			step.value === pausePoint ? { results: [] } : await storage.read(step.value as readonly Query[]);
		for (const answer of results) read += Array.isArray(answer) ? answer.length : 1;
		step = operation.next(results);
	}
	return { result: step.value, read };
}

function* children(range: Range): Operation<string[]> {
	const [found] = yield* ask({ type: "children", of: null, scope: "own", ...range });
	return found.map(({ record }) => record.name);
}

function namesOf(records: readonly NodeRecord[]): string[] {
	return records.map(({ name }) => name);
}

function* mirrorIds(): Operation<readonly string[]> {
	const [origin] = yield* ask({ type: "node", at: { id: idOf(0) } });
	return origin!.mirrorIds;
}

describe("many changed children of one parent", () => {
	const count = 1000;

	/** Moves, removes and adds children, one after the other, and returns the records as they should be. */
	async function changedBy(change: (at: number, uncommitted: Uncommitted, records: Map<number, NodeRecord>) => void) {
		const storage = createMemoryStorage();
		const records = new Map(Array.from({ length: count }, (_, at) => [at, recordAt(at, 1)]));
		await storage.commit(addingAll([...records.values()].map((record) => ({ ...record }))));
		const uncommitted = new Uncommitted();
		let read = 0;
		for (let at = 0; at < count; at++) {
			change(at, uncommitted, records);
			const expected = [...records.values()].filter(({ parentId }) => parentId === null).sort(byPlace);
			const names = expected.map(({ name }) => name);
			const middle = expected.filter(({ priority }) => priority > at && priority < at + 5).map(({ name }) => name);
			for (const [range, wanted] of [
				[{ limit: 2 }, names.slice(0, 2)],
				[{ limit: 2, fromLast: true }, names.slice(-2)],
				[{ after: at, before: at + 5 }, middle],
				[{ after: at, before: at + 5, limit: 2, fromLast: true }, middle.slice(-2)],
			] as const) {
				const answer = await run(storage, uncommitted.run(children(range)));
				expect(answer.result).toEqual(wanted);
				read += answer.read;
			}
		}
		return read;
	}

	test("are read in their order, however many have moved", async () => {
		await changedBy((at, { changes }, records) => {
			// Not in the order of the siblings, and some of them twice.
			const number = ((at * 619) % count) - (at % 10 === 9 ? (at * 619) % 7 : 0);
			const before = records.get(Math.abs(number))!;
			const stays = at % 3 !== 0;
			const after = { ...before, priority: before.priority + 0.25, parentId: stays ? null : idOf(count) };
			changes.put(before, after);
			records.set(Math.abs(number), after);
		});
	});

	test("that are removed cost a query a few records", async () => {
		const read = await changedBy((at, { changes }, records) => {
			changes.remove(records.get(at)!);
			records.delete(at);
		});
		// Each query used to read as many as had been removed: two millions in all.
		expect(read).toBeLessThan(300 * count);
	});
});

test("the children in any range are those of the storage with the changes", async () => {
	const storage = createMemoryStorage();
	// Three each have the same priority, and the eight at an end aren't all of theirs.
	const records = Array.from({ length: 30 }, (_, at) => recordAt(at, 1, { priority: at - (at % 3) }));
	await storage.commit(addingAll(records));
	const bound = fc.option(fc.integer({ min: -2, max: 40 }), { nil: undefined, freq: 2 });
	const limit = fc.constantFrom(1, 2, 8, 12, undefined);
	const query = fc.record({ after: bound, before: bound, limit, fromLast: fc.boolean() });
	const change = fc.record({ number: fc.nat(39), to: fc.option(fc.nat(32)) });
	await fc.assert(
		fc.asyncProperty(fc.array(fc.oneof(query, change), { minLength: 20, maxLength: 60 }), async (steps) => {
			const uncommitted = new Uncommitted();
			const now = new Map(records.map((record) => [record.name, record]));
			for (const step of steps) {
				if ("number" in step) {
					const before = now.get(`${step.number}`) ?? null;
					const after = step.to === null ? null : { ...(before ?? recordAt(step.number, 1)), priority: step.to };
					if (after !== null) uncommitted.changes.put(before, after);
					else if (before !== null) uncommitted.changes.remove(before);
					if (after === null) now.delete(`${step.number}`);
					else now.set(after.name, after);
				} else {
					const { after = -Infinity, before = Infinity, limit = Infinity, fromLast } = step;
					const found = [...now.values()].filter(({ priority }) => after < priority && priority < before).sort(byPlace);
					const wanted = fromLast ? found.slice(Math.max(0, found.length - limit)) : found.slice(0, limit);
					const given = Object.fromEntries(Object.entries(step).filter(([, value]) => value !== undefined));
					const { result } = await run(storage, uncommitted.run(children(given)));
					expect(result).toEqual(namesOf(wanted));
				}
			}
		}),
	);
});

describe("the mirrors of a node", () => {
	const mirror = (number: number) => recordAt(number, 1, { originId: idOf(0) });

	test("are those of the storage with the changes, sorted", async () => {
		const storage = createMemoryStorage();
		await storage.commit(addingAll([recordAt(0, 1), recordAt(9, 1), mirror(1), mirror(2), mirror(3)]));
		const uncommitted = new Uncommitted();
		const { changes } = uncommitted;
		const shown = async () => (await run(storage, uncommitted.run(mirrorIds()))).result;
		const sorted = (...numbers: number[]) => numbers.map(idOf).sort();
		changes.put(null, mirror(4));
		changes.put(mirror(1), { ...mirror(1), priority: 11 });
		const first = await shown();
		expect(first).toEqual(sorted(1, 2, 3, 4));
		changes.put(null, mirror(5));
		changes.remove(mirror(2));
		changes.put(mirror(3), { ...mirror(3), priority: 13 });
		expect(await shown()).toEqual(sorted(1, 3, 4, 5));
		changes.remove(mirror(4));
		changes.put(mirror(3), { ...mirror(3), originId: idOf(9) });
		expect(await shown()).toEqual(sorted(1, 5));
		changes.put(mirror(3), mirror(3));
		expect(await shown()).toEqual(sorted(1, 3, 5));
		// An earlier reader keeps its own state.
		expect(first).toEqual(sorted(1, 2, 3, 4));
	});

	test("aren't collected again at each read", async () => {
		const storage = createMemoryStorage();
		await storage.commit(addingAll([recordAt(0, 1), mirror(1), mirror(2)]));
		const uncommitted = new Uncommitted();
		uncommitted.changes.put(null, mirror(3));
		const shown = async () => (await run(storage, uncommitted.run(mirrorIds()))).result;
		expect(await shown()).toBe(await shown());
	});

	test("take no time while nothing asks for their order", async () => {
		const outline = new Outline({ storage: createMemoryStorage() });
		const origin = await outline.create({ name: "origin" });
		const parent = await outline.create({ name: "parent" });
		const one = { type: "mirror", ref: origin.id, parent: parent.id, position: "bottom" } as const;
		await outline.batch(Array.from({ length: 40_000 }, () => one));
		expect((await outline.list(parent.id)).nodes).toHaveLength(40_000);
	}, 15_000);
});

describe("long lines of ancestors", () => {
	const levels = 3000;
	const line = Array.from({ length: levels }, (_, at) => recordAt(at, 1, { parentId: at === 0 ? null : idOf(at - 1) }));
	const upwards = (from: number) =>
		line
			.slice(0, from + 1)
			.toReversed()
			.map(({ id }) => id);

	function* ancestors(number: number): Operation<readonly string[]> {
		const [found] = yield* ask({ type: "ancestors", of: { id: idOf(number) } });
		return found;
	}

	test("are read once, wherever the operations begin", async () => {
		const storage = createMemoryStorage();
		await storage.commit(addingAll(line.map((record) => ({ ...record }))));
		const uncommitted = new Uncommitted();
		// With a change, an answer isn't just that of the storage.
		uncommitted.changes.put(null, recordAt(levels, 1));
		let read = 0;
		for (let from = 99; from < levels; from += 100) {
			const answer = await run(storage, uncommitted.run(ancestors(from)));
			expect(answer.result).toEqual(upwards(from));
			read += answer.read;
		}
		// Each time the storage answers a thousand ids, most of which are known. All lines together have 45,000.
		expect(read).toBeLessThan(30_000);
		const moved = line[2000]!;
		uncommitted.changes.put(moved, { ...moved, parentId: idOf(levels) });
		const last = await run(storage, uncommitted.run(ancestors(levels - 1)));
		expect(last).toEqual({ result: [...upwards(levels - 1).slice(0, 1000), idOf(levels)], read: 0 });
		expect((await run(storage, uncommitted.run(ancestors(1999)))).result).toEqual(upwards(1999));
	});

	test("end if the stored parents form a cycle", async () => {
		const storage = createMemoryStorage();
		const cycle = line.map((record, at) => (at === 0 ? { ...record, parentId: idOf(levels - 1) } : { ...record }));
		await storage.commit(addingAll(cycle));
		const uncommitted = new Uncommitted();
		uncommitted.changes.put(null, recordAt(levels, 1));
		const { result } = await run(storage, uncommitted.run(ancestors(5)));
		expect(result.toSorted()).toEqual(line.map(({ id }) => id).sort());
	});
});

test.each([
	["created", 0],
	["stored", 10_000],
])("a subtree of very many %s nodes pauses while it is read", async (_, stored) => {
	const storage = createMemoryStorage();
	const records = Array.from({ length: 10_000 }, (_, at) =>
		recordAt(at, at, { parentId: at === 0 ? null : idOf(at - 1 - ((at - 1) % 100)) }),
	);
	await storage.commit(addingAll(records.slice(0, stored).map((record) => ({ ...record }))));
	const uncommitted = new Uncommitted();
	for (const record of records.slice(stored)) uncommitted.changes.put(null, record);
	// With a change, an answer isn't just that of the storage.
	uncommitted.changes.put(null, recordAt(10_000, 1));
	const operation = uncommitted.run(
		(function* () {
			return yield* ask({ type: "subtree", of: { id: idOf(0) } });
		})(),
	);
	let pauses = 0;
	let step = operation.next([]);
	while (!step.done) {
		const isPause = step.value === pausePoint;
		if (isPause) pauses += 1;
		step = operation.next(isPause ? [] : (await storage.read(step.value as readonly Query[])).results);
	}
	expect(step.value[0].nodes).toHaveLength(10_000);
	expect(pauses).toBeGreaterThanOrEqual(15);
});
