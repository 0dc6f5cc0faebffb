import { describe, expect, test } from "vitest";
import { createMemoryStorage } from "../../../adapters/memory.js";
import { ResidentStorage } from "../../../adapters/resident/resident-storage.js";
import { OutlineError } from "../../../src/errors.js";
import type { Batch, NodeChange, StoredNode } from "../../../src/storage.js";
import { idOf } from "../../conformance/records.js";
import { adding, recordAt } from "../../support/batches.js";
import { codeOf, newOutline, twoOutlines } from "../../support/outline.js";
import { turns, turnsDuring } from "../../support/turns.js";
import { HeldJournal, opened } from "./held-journal.js";

const many = 20_000;

/** A batch that adds `count` nodes below one, from a number on. */
function addingMany(base: number, first = 0, count = many): Batch {
	const nodes: NodeChange[] = [];
	for (let number = first; number < first + count; number++) {
		const parentId = number === first ? null : idOf(first);
		nodes.push({ before: null, after: recordAt(number, base + 1, { parentId }) });
	}
	return { base, nodes, keys: [] };
}

/** A batch that deletes the nodes that another batch has added. */
function deleting(batch: Batch, base: number): Batch {
	return { base, nodes: batch.nodes.map(({ after }) => ({ before: after, after: null })), keys: [] };
}

const count = { type: "subtree", of: { id: idOf(0) } } as const;

describe("a commit of very many nodes", () => {
	test("lets other work run", async () => {
		const storage = createMemoryStorage();
		expect(await turnsDuring(() => storage.commit(addingMany(0)))).toBeGreaterThan(20);
		expect(await turnsDuring(() => storage.read([count]))).toBeGreaterThan(20);
		expect(await turnsDuring(() => storage.read([{ type: "changes", since: 0, limit: 10 }]))).toBeGreaterThan(20);
		expect(await turnsDuring(() => storage.commit(deleting(addingMany(0), 1)))).toBeGreaterThan(20);
	});

	test("is seen whole or not at all, and calls that come meanwhile wait for it", async () => {
		const storage = createMemoryStorage();
		const seen: (number | undefined)[] = [];
		const look = () => {
			const peeked = storage.peek!([count]);
			if (peeked !== undefined) seen.push(peeked.results[0].nodes.length);
		};
		const notices: number[] = [];
		storage.watch!(({ revision }) => notices.push(revision));
		let done = false;
		const watching = (async () => {
			while (!done) {
				look();
				seen.push((await storage.read([count])).results[0].nodes.length);
				await turns();
			}
		})();
		await turnsDuring(async () => {
			const first = storage.commit(addingMany(0));
			// Based on a revision that doesn't exist yet, but will when its turn comes.
			const second = storage.commit(adding(many, 1));
			const third = storage.commit(adding(many + 1, 1));
			expect(storage.peek!([])).toBeUndefined();
			expect(await first).toBe(1);
			expect(await second).toBe(2);
			expect(await codeOf(third)).toBe("conflict");
		});
		done = true;
		await watching;
		look();
		expect(new Set(seen)).toEqual(new Set(seen.includes(0) ? [0, many] : [many]));
		expect(notices).toEqual([1, 2]);
	});

	test("isn't seen by a scan that began before it, and a scan that begins meanwhile sees all of it", async () => {
		const storage = createMemoryStorage();
		await storage.commit(addingMany(0));
		const scan = storage.scan()[Symbol.asyncIterator]();
		const names: string[] = [];
		const take = ({ value }: IteratorResult<readonly StoredNode[]>) => {
			for (const { record } of value) names.push(record.name);
		};
		take(await scan.next());
		const renaming: Batch = {
			base: 1,
			nodes: addingMany(0).nodes.map(({ after }) => ({
				before: after,
				after: { ...after!, name: "new", revision: 2 },
			})),
			keys: [],
		};
		const committing = storage.commit(renaming);
		const during = (async () => {
			const found: string[] = [];
			for await (const chunk of storage.scan()) for (const { record } of chunk) found.push(record.name);
			return found;
		})();
		for (let step = await scan.next(); !step.done; step = await scan.next()) take(step);
		await committing;
		expect(names).toHaveLength(many);
		expect(names).not.toContain("new");
		expect(new Set(await during)).toEqual(new Set(["new"]));
	});

	test("is withdrawn with the commits based on it when the journal fails", async () => {
		const { journal, storage } = await opened();
		const codes = [codeOf(storage.commit(addingMany(0))), codeOf(storage.commit(adding(many, 1)))];
		while (journal.groups.length === 0) await turns();
		await journal.settle(new OutlineError("quota_exceeded", "full"));
		expect((await Promise.all(codes))[0]).toBe("quota_exceeded");
		expect(storage.peek([count])).toMatchObject({ revision: 0, results: [{ nodes: [] }] });
		const again = storage.commit(addingMany(0));
		while (journal.groups.length === 1) await turns();
		await journal.settle();
		expect(await again).toBe(1);
		expect((await storage.read([count])).results[0].nodes).toHaveLength(many);
	});

	test("is finished before the storage is closed", async () => {
		const journal = new HeldJournal();
		const storage = new ResidentStorage(journal);
		await storage.read([]);
		const committing = storage.commit(addingMany(0));
		const closing = storage.close();
		while (journal.groups.length === 0) await turns();
		await journal.settle();
		expect(await committing).toBe(1);
		await closing;
		expect(journal.closed).toBe(1);
		expect(await codeOf(storage.commit(adding(many, 1)))).toBe("closed");
	});
});

describe("an outline with very many nodes", () => {
	test("answers each of several reads that wait together from one state, even if a commit comes before the last answer", async () => {
		const storage = createMemoryStorage();
		await storage.commit(addingMany(0));
		const top = { type: "children", of: null, scope: "own" } as const;
		const first = storage.read([count]);
		const second = storage.read([count]);
		const third = storage.read([count, count, count, count, top]);
		await Promise.all([first, second]);
		await storage.commit(adding(many, 1));
		const { revision, results } = await third;
		expect(results[4]).toHaveLength(revision);
	});

	test("lets other work run, whatever it does, and notifies listeners of everything", async () => {
		const outline = newOutline();
		let changes = 0;
		outline.subscribe((event) => {
			changes += event.changes.length;
		});
		const children = Array.from({ length: many }, (_, number) => ({ name: `${number}` }));
		const { id } = await outline.createTree({ name: "many", children });
		expect(changes).toBe(many + 1);
		const home = await outline.create({ name: "home" });
		await outline.mirror(id, { parent: home.id });
		const work: Record<string, () => Promise<unknown>> = {
			list: () => outline.list(id),
			plan: () => outline.plan.delete(id, { mirrors: "detach" }),
			detach: () => outline.delete(id, { mirrors: "detach" }),
			undo: () => outline.undo(),
			redo: () => outline.redo(),
		};
		for (const [name, run] of Object.entries(work)) {
			changes = 0;
			expect(await turnsDuring(run), name).toBeGreaterThan(many / 1000);
			expect(changes, name).toBe(name === "list" || name === "plan" ? 0 : 2 * many + 2);
		}
		expect((await outline.verify()).total).toBe(0);
	});

	test("notifies another outline on the same storage of a large commit, and of the next one, in order", async () => {
		const [one, two] = twoOutlines();
		const heard: [number, string, number][] = [];
		two.subscribe(({ revision, source, changes }) => heard.push([revision, source, changes.length]));
		const children = Array.from({ length: many }, (_, number) => ({ name: `${number}` }));
		await one.createTree({ name: "many", children });
		await two.create({ name: "x" });
		while (heard.length < 2) await turns();
		expect(heard).toEqual([
			[1, "remote", many + 1],
			[2, "local", 1],
		]);
	});
});
