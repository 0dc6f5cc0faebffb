import fc from "fast-check";
import { describe, expect, test, vi } from "vitest";
import { createMemoryStorage } from "../../../adapters/memory.js";
import type { OutlineEvent } from "../../../src/engine/event.js";
import { OutlineError } from "../../../src/errors.js";
import { liveQuery, liveRows } from "../../../src/live/index.js";
import { SightWatch } from "../../../src/scope/sight.js";
import type { StorageAdapter } from "../../../src/storage.js";
import { paged } from "../../conformance/wrapped.js";
import { command } from "../../model/commands.js";
import { performOnAny } from "../../model/perform.js";
import { soak } from "../../setup/soak.js";
import { countedIds, scattered } from "../../support/ids.js";
import { newOutline, plant } from "../../support/outline.js";
import { turns } from "../../support/turns.js";
import { restricted, stateOf } from "./state.js";

/** The number of turns in which a notification comes: the module of scopes is loaded by then. */
const soon = 20;

async function begun() {
	const storage = createMemoryStorage();
	const outline = newOutline({ storage });
	const ids = await plant(outline, "top #top\n  a #a\nhidden #hidden\n  b #b");
	const scope = outline.scope(ids.top, { write: true });
	await scope.list();
	const events: OutlineEvent[] = [];
	const stop = scope.subscribe((event) => events.push(event));
	/** The revisions that the listener heard of during some work. */
	const heard = async (work: () => Promise<unknown>): Promise<number> => {
		events.length = 0;
		await work();
		await turns(soon);
		return events.length;
	};
	return { storage, outline, ids, scope, events, heard, stop };
}

describe("a scope notifies its listener", () => {
	test("of commits in its sight, without changes, and of no others", async () => {
		const { outline, ids, scope, events, heard, stop } = await begun();
		expect(await heard(() => outline.update(ids.a, { name: "A" }))).toBe(1);
		expect(events).toEqual([{ revision: 5, source: "local", changes: [], keys: [], expired: true }]);
		expect(await heard(() => scope.create({ name: "new" }))).toBe(1);
		expect(await heard(() => outline.update(ids.b, { name: "B" }))).toBe(0);
		expect(await heard(() => outline.create({ name: "x", parent: ids.hidden }))).toBe(0);
		expect(await heard(() => outline.setShortcut("a key", ids.b))).toBe(0);
		expect(await heard(() => outline.setShortcut("another", ids.a))).toBe(1);
		stop();
		expect(await heard(() => outline.update(ids.a, { name: "a" }))).toBe(0);
	});

	test("of what moves into sight and out of it, also through mirrors", async () => {
		const { outline, ids, heard } = await begun();
		expect(await heard(() => outline.move(ids.b, { parent: ids.top }))).toBe(1);
		expect(await heard(() => outline.move(ids.b, { parent: ids.hidden }))).toBe(1);
		expect(await heard(() => outline.mirror(ids.hidden, { parent: ids.a }))).toBe(1);
		expect(await heard(() => outline.update(ids.b, { name: "seen through the mirror" }))).toBe(1);
		const { nodes } = await outline.list(ids.a);
		expect(await heard(() => outline.delete(nodes[0]!.id))).toBe(1);
		expect(await heard(() => outline.update(ids.b, { name: "hidden again" }))).toBe(0);
		expect(await heard(() => outline.move(ids.top, { parent: ids.hidden }))).toBe(1);
		expect(await heard(() => outline.delete(ids.hidden))).toBe(1);
		expect(await heard(() => outline.create({ name: "after its node is gone" }))).toBe(0);
		expect(await heard(() => outline.undo())).toBe(0);
		expect(await heard(() => outline.undo())).toBe(1);
	});

	test("of a key that is its own, and gets another node", async () => {
		const { outline, ids } = await begun();
		await outline.setShortcut("door", ids.a);
		const events: OutlineEvent[] = [];
		outline.scope("door").subscribe((event) => events.push(event));
		await outline.setShortcut("door", ids.b);
		await turns(soon);
		expect(events).toHaveLength(1);
	});

	test("of the return of its node, which was out of sight when the listener came", async () => {
		const { outline, ids, scope } = await begun();
		const listener = vi.fn();
		scope.scope(ids.b).subscribe(listener);
		await turns(soon);
		await outline.move(ids.hidden, { parent: ids.a });
		await turns(soon);
		expect(listener).toHaveBeenCalledTimes(1);
	});

	test("of the deletion of its node, and of its return, also right after the listener came", async () => {
		const { outline, ids, scope } = await begun();
		const listener = vi.fn();
		scope.subscribe(listener);
		await outline.delete(ids.top);
		await turns(soon);
		expect(listener).toHaveBeenCalledTimes(1);
		await outline.undo();
		await turns(soon);
		expect(listener).toHaveBeenCalledTimes(2);
		scope.scope(ids.b).subscribe(listener);
		await outline.move(ids.hidden, { parent: ids.a });
		await turns(soon);
		expect(listener).toHaveBeenCalledTimes(4);
	});

	test("of the deletion of its node and of its return, after looks that failed", async () => {
		let answer: () => boolean = () => {
			throw new Error("The disk failed.");
		};
		const gone = () => {
			throw new OutlineError("not_found", "The node is gone.");
		};
		const listener = vi.fn();
		const watch = new SightWatch(async () => answer(), ["b"], listener);
		const commit = async () => {
			watch.add({ revision: 1, source: "local", changes: [], keys: [] });
			await turns(soon);
			return listener.mock.calls.length;
		};
		await turns(soon);
		const failing = answer;
		answer = gone;
		expect(await commit()).toBe(1);
		answer = failing;
		expect(await commit()).toBe(2);
		answer = () => false;
		expect(await commit()).toBe(3);
		expect(await commit()).toBe(3);
	});

	test("of the return of its node after a commit that is too large to look at", async () => {
		const { outline, ids, scope } = await begun();
		const listener = vi.fn();
		scope.scope(ids.b).subscribe(listener);
		await turns(soon);
		await outline.batch(Array.from({ length: 501 }, () => ({ type: "create", name: "x" }) as const));
		await turns(soon);
		expect(listener).toHaveBeenCalledTimes(1);
		await outline.move(ids.hidden, { parent: ids.a });
		await turns(soon);
		expect(listener).toHaveBeenCalledTimes(2);
	});

	test("and refuses what is no function, and a closed outline", async () => {
		const { outline, scope } = await begun();
		expect(() => scope.subscribe(1 as never)).toThrow(expect.objectContaining({ code: "invalid_argument" }));
		await outline.close();
		expect(() => scope.subscribe(() => {})).toThrow(expect.objectContaining({ code: "closed" }));
	});
});

test("live rows and live queries follow a scope", async () => {
	const { outline, ids, scope } = await begun();
	const rows = liveRows(scope, { expanded: [ids.a] });
	const query = liveQuery(scope, () => scope.search("fern"));
	await Promise.all([rows.ready, query.ready]);
	const shown = () => rows.current.rows.map(({ node, depth }) => `${"  ".repeat(depth)}${node.name}`);
	expect([shown(), query.current]).toEqual([["a"], []]);
	await outline.update(ids.b, { name: "fern" });
	await outline.move(ids.b, { parent: ids.a });
	await turns(soon);
	expect([shown(), query.current?.length]).toEqual([["a", "  fern"], 1]);
	await outline.move(ids.b, { parent: ids.hidden });
	await turns(soon);
	expect([shown(), query.current]).toEqual([["a"], []]);
});

describe.each<[string, () => StorageAdapter, boolean]>([
	["in memory", createMemoryStorage, true],
	["on a storage without peek, which tells of no other writers", () => paged(createMemoryStorage()), false],
])("%s", (_, create, hasOther) => {
	test("after any commands, a scope has told of whatever has changed in its sight", async () => {
		let told = 0;
		let silent = 0;
		const step = fc.record({ given: command, byOther: fc.boolean(), waits: fc.boolean() });
		await fc.assert(
			fc.asyncProperty(fc.array(step, { maxLength: 40, size: "max" }), async (steps) => {
				const storage = create();
				// The commands choose nodes by the order of ids.
				const generateId = countedIds(scattered);
				const [one, other] = [newOutline({ storage, generateId }), newOutline({ storage, generateId })];
				const { top, a } = await plant(one, "top #top\n  a #a\n    b\nhidden\n  c\n  d\n    e");
				await one.mirror(a, { parent: (await one.list()).nodes[1]!.id });
				const scope = one.scope(top);
				let notified = false;
				scope.subscribe(() => {
					notified = true;
				});
				// Loads the module of scopes, which takes many turns.
				await scope.list();
				const seen = async () => {
					const { nodes, keys } = restricted(await stateOf(storage), top);
					return [...nodes.values(), ...keys.values()]
						.map((record) => JSON.stringify(record))
						.sort()
						.join();
				};
				let before = await seen();
				for (const { given, byOther, waits } of steps) {
					await performOnAny(byOther && hasOther ? other : one, given);
					if (!waits) continue;
					await turns(soon);
					const after = await seen();
					if (after !== before) {
						for (let turn = 0; turn < 5000 && !notified; turn++) await turns();
						expect(notified, JSON.stringify(given)).toBe(true);
						told += 1;
					} else if (!notified) silent += 1;
					notified = false;
					before = after;
				}
			}),
			{ numRuns: 60 * soak },
		);
		expect(told).toBeGreaterThan(10);
		expect(silent).toBeGreaterThan(10);
	});
});
