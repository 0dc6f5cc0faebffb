import fc from "fast-check";
import { expect, test } from "vitest";
import { createMemoryStorage } from "../../../adapters/memory.js";
import { Changes } from "../../../src/engine/changes.js";
import { type Operation, peek } from "../../../src/engine/protocol.js";
import { gap, priorityBeside } from "../../../src/place/priority.js";
import type { StorageAdapter, StoredNode } from "../../../src/storage.js";
import { recordAt } from "../../support/batches.js";
import { newOutline, plant } from "../../support/outline.js";

/** Siblings in memory, and how many of them insertions have rewritten. */
class Row {
	readonly #storage: StorageAdapter = createMemoryStorage();
	rewritten = 0;
	#count = 0;

	get nodes(): readonly StoredNode[] {
		return this.#answer([{ type: "children", of: null, scope: "own" }])[0];
	}

	async add(priority: number): Promise<void> {
		const changes = new Changes();
		changes.put(null, recordAt(this.#count++, 0, { priority }));
		await this.#storage.commit(changes.batch(this.#revision));
	}

	async insert(side: "before" | "after", place: number): Promise<string> {
		const changes = new Changes();
		const sibling = this.nodes[place]!;
		const priority = this.#run(() => priorityBeside(changes, null, side, sibling));
		const node = recordAt(this.#count++, 0, { priority });
		this.rewritten += changes.batch(0).nodes.length;
		changes.put(null, node);
		await this.#storage.commit(changes.batch(this.#revision));
		return node.id;
	}

	get #revision(): number {
		return this.#storage.peek!([])!.revision;
	}

	#answer(queries: readonly [{ type: "children"; of: null; scope: "own" }]) {
		return this.#storage.peek!(queries)!.results;
	}

	#run<T>(begin: () => Operation<T>): T {
		const { settled } = peek(this.#storage, begin)!;
		if ("error" in settled) throw settled.error;
		return settled.value;
	}
}

test("an insertion beside a sibling keeps the order of all siblings, and distinct integers", async () => {
	await fc.assert(
		fc.asyncProperty(
			fc.array(fc.record({ side: fc.constantFrom("before" as const, "after" as const), place: fc.nat() }), {
				maxLength: 60,
			}),
			fc.uniqueArray(fc.integer({ min: -6, max: 6 }), { minLength: 1, maxLength: 6 }),
			async (insertions, priorities) => {
				const row = new Row();
				for (const priority of priorities) await row.add(priority);
				for (const { side, place } of insertions) {
					const order = row.nodes.map((node) => node.record.id);
					const at = place % order.length;
					const id = await row.insert(side, at);
					order.splice(side === "after" ? at + 1 : at, 0, id);
					expect(row.nodes.map((node) => node.record.id)).toEqual(order);
					const taken = row.nodes.map((node) => node.record.priority);
					expect(new Set(taken).size).toBe(taken.length);
					expect(taken.every(Number.isSafeInteger)).toBe(true);
				}
			},
		),
		{ numRuns: 200 },
	);
});

test("an insertion rewrites siblings only if the gap is used up", async () => {
	const row = new Row();
	await row.add(0);
	await row.add(gap);
	for (let times = 0; times < 20; times++) await row.insert("after", 0);
	expect(row.rewritten).toBe(0);
	await row.insert("after", 0);
	expect(row.rewritten).toBeGreaterThan(0);
});

test("a thousand insertions at one place among 2,000 siblings rewrite few of them", { timeout: 120_000 }, async () => {
	const row = new Row();
	for (let index = 0; index < 2000; index++) await row.add(index);
	for (let times = 0; times < 1000; times++) await row.insert(times % 2 === 0 ? "after" : "before", 1000);
	expect(row.rewritten / 1000).toBeLessThan(12);
});

test("an insertion keeps the order below an origin and below each of its mirrors, also of nodes moved into them", async () => {
	const places = fc.array(fc.record({ list: fc.nat(), at: fc.nat(), isBefore: fc.boolean() }), { maxLength: 12 });
	await fc.assert(
		fc.asyncProperty(places, fc.nat(2), fc.nat(), async (moves, list, at) => {
			const outline = newOutline();
			const { origin, one, two } = await plant(
				outline,
				"origin #origin\n  a\n  b\n  c\nplaces\n  (mirror origin) #one\n  (mirror origin) #two",
			);
			const parents = [origin, one, two];
			const shown = async (parent: string) => (await outline.list(parent)).nodes.map(({ id }) => id);
			for (const move of moves) {
				const { id } = await outline.create({ name: "moved" });
				const parent = parents[move.list % 3]!;
				const siblings = await shown(parent);
				const sibling = siblings[move.at % siblings.length]!;
				await outline.move(id, { parent, position: move.isBefore ? { before: sibling } : { after: sibling } });
			}
			const before = await Promise.all(parents.map(shown));
			const parent = parents[list]!;
			let last = before[list]![at % before[list]!.length]!;
			// A gap has room for some twenty insertions at one place.
			for (let count = 0; count < 60; count++) {
				last = (await outline.create({ parent, name: "new", position: { after: last } })).id;
			}
			for (const [index, each] of parents.entries()) {
				const now = await shown(each);
				expect(now.filter((id) => before[index]!.includes(id))).toEqual(before[index]);
			}
		}),
		{ numRuns: 25 },
	);
});

test("an insertion finds its place among many nodes of one priority, which were moved into mirrors", async () => {
	const outline = newOutline();
	const { origin, places } = await plant(outline, "origin #origin\nplaces #places");
	for (let count = 0; count < 20; count++) {
		const mirror = await outline.mirror(origin, { parent: places });
		const { id } = await outline.create({ name: `moved ${count}` });
		// Of the only visible child, the priority is 0.
		await outline.move(id, { parent: mirror.id });
	}
	const { id: first } = await outline.create({ parent: origin, name: "first" });
	const expected = [first];
	for (let count = 0; count < 60; count++) {
		const { id } = await outline.create({ parent: origin, name: `${count}`, position: { after: first } });
		expected.splice(1, 0, id);
	}
	expect((await outline.list(origin)).nodes.map(({ id }) => id)).toEqual(expected);
});
