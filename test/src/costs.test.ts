import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { createMemoryStorage } from "../../adapters/memory.js";
import type { StorageAdapter } from "../../src/storage.js";
import { bound } from "../support/notices.js";
import { newOutline } from "../support/outline.js";

interface Cost {
	reads: number;
	commits: number;
	read: number;
	written: number;
}

/** A storage that answers asynchronously, and counts its calls and records. `take` returns the counts since its last call. */
function counting() {
	const inner = createMemoryStorage();
	let cost: Cost = { reads: 0, commits: 0, read: 0, written: 0 };
	const storage: StorageAdapter = {
		...bound(inner),
		async read(queries) {
			const snapshot = await inner.read(queries);
			cost.reads += 1;
			for (const answer of snapshot.results as readonly unknown[]) cost.read += sizeOf(answer);
			return snapshot;
		},
		commit(batch) {
			cost.commits += 1;
			cost.written += batch.nodes.length;
			return inner.commit(batch);
		},
	};
	const take = () => {
		const taken = cost;
		cost = { reads: 0, commits: 0, read: 0, written: 0 };
		return taken;
	};
	return { storage, take };
}

function sizeOf(answer: unknown): number {
	if (answer === null) return 0;
	if (Array.isArray(answer)) return answer.length;
	return "nodes" in (answer as object) ? (answer as { nodes: unknown[] }).nodes.length : 1;
}

interface Shape {
	/** The depth of the node. */
	d: number;
	/** The number of its children. */
	c: number;
	/** The number of nodes of a subtree. */
	n: number;
	/** The number of its mirrors. */
	m: number;
}

/** Returns the costs of each row of the table in an outline of a shape. */
async function costsOf({ d, c, n, m }: Shape): Promise<Record<string, Cost[]>> {
	const { storage, take } = counting();
	const outline = newOutline({ storage });
	let parent: string | null = null;
	for (let depth = 0; depth < d; depth++) parent = (await outline.create({ parent, name: "above" })).id;
	const node = parent!;
	const make = (under: string, position: "top" | "bottom" = "bottom") =>
		outline.create({ parent: under, name: "x", position });
	const children: string[] = [];
	while (children.length < c) children.push((await make(node)).id);
	let mirror = node;
	for (let made = 0; made < m; made++) {
		mirror = (await outline.mirror(node, { parent: (await outline.create({ name: "holder" })).id })).id;
	}
	const other = (await outline.create({ name: "other" })).id;
	const tree = () =>
		outline.createTree({ name: "tree", children: Array.from({ length: n - 1 }, () => ({ name: "x" })) });
	const doomed = (await tree()).id;
	const removed = (await outline.mirror(children[1]!, { parent: other })).id;
	await outline.setShortcut("key", node);
	const of = async (...operations: (() => Promise<unknown>)[]) => {
		const costs: Cost[] = [];
		for (const operation of operations) {
			take();
			await operation();
			costs.push(take());
		}
		return costs;
	};
	return {
		"`targets`": await of(() => outline.targets()),
		"`get`, by id, short id, shortcut or calendar key": await of(
			() => outline.get(node),
			() => outline.get(node.slice(-12)),
			() => outline.get("key"),
		),
		"`list`, also of a mirror": await of(
			() => outline.list(node),
			() => outline.list(mirror),
		),
		"`move` to an end of another parent": await of(() => outline.move(other, { parent: node })),
		"`move` to an end of the same parent": await of(() => outline.move(children[0]!, { position: "bottom" })),
		"`create` at the top or the bottom": await of(
			() => make(node, "top"),
			() => make(node),
		),
		"`create` beside a sibling, where there is room": await of(() =>
			outline.create({ parent: node, name: "x", position: { after: children[2]! } }),
		),
		"`undo` of a create": await of(() => outline.undo()),
		"`move` beside a sibling elsewhere, where there is room": await of(async () => {
			await outline.move(doomed, { position: { before: children[2]! } });
		}),
		"`ensure` of the inbox or the calendar, which it creates": await of(() => outline.ensure("calendar")),
		"`ensure` of a key whose node exists": await of(() => outline.ensure("calendar")),
		"`create` under a key whose node it creates": await of(() => outline.create({ parent: "inbox", name: "x" })),
		"`create` under a key whose node exists": await of(() => outline.create({ parent: "inbox", name: "x" })),
		"`createTree`": await of(tree),
		"`update`": await of(() => outline.update(mirror, { name: "y" })),
		"`complete`, `uncomplete`": await of(
			() => outline.complete(mirror),
			() => outline.uncomplete(mirror),
		),
		"`duplicate`, which goes beside the node": await of(() => outline.duplicate(doomed)),
		"`mirror`": await of(() => outline.mirror(mirror, { parent: doomed })),
		"`removeMirror`, of a mirror without children": await of(() => outline.removeMirror(removed)),
		"`setShortcut`, `deleteShortcut`": await of(
			() => outline.setShortcut("another", node),
			() => outline.deleteShortcut("another"),
		),
		"`batch` that updates or completes n nodes, by id": await of(async () => {
			const { id, children } = await tree();
			const [first, ...others] = [id, ...children.map((child) => child.id)];
			const update = { type: "update", ref: first!, name: "y" } as const;
			take();
			await outline.batch([update, ...others.map((ref) => ({ type: "complete", ref }) as const)]);
		}),
		"`delete`": await of(async () => {
			const [added] = (await outline.list(doomed)).nodes.filter((each) => each.mirror !== undefined);
			await outline.removeMirror(added!.id);
			take();
			await outline.delete(doomed);
		}),
	};
}

test("each operation costs what the table says, whatever the shape of the outline", async () => {
	const page = await readFile(new URL("../../docs/costs.md", import.meta.url), "utf8");
	const rows = [...page.matchAll(/^\| (`.*?) \| ([^|]+) \| ([^|]+) \| ([^|]+) \| ([^|]+) \|$/gm)].map((row) =>
		row.slice(1),
	);
	const shapes: Shape[] = [
		{ d: 3, c: 4, n: 5, m: 0 },
		{ d: 7, c: 4, n: 5, m: 0 },
		{ d: 3, c: 12, n: 5, m: 0 },
		{ d: 3, c: 4, n: 40, m: 0 },
		{ d: 3, c: 4, n: 5, m: 3 },
	];
	for (const shape of shapes) {
		const costs = await costsOf(shape);
		expect(rows.map(([operation]) => operation!).sort()).toEqual(Object.keys(costs).sort());
		for (const [operation, ...formulas] of rows) {
			const [reads, commits, read, written] = formulas.map((formula) => amount(formula, shape));
			for (const cost of costs[operation!]!) {
				expect({ operation, shape, ...cost }).toEqual({ operation, shape, reads, commits, read, written });
			}
		}
	}
});

/** Returns the value of a sum of numbers and letters. */
function amount(formula: string, { d, c, n, m }: Shape): number {
	const letters: Record<string, number> = { d, c, n, m };
	return formula.split("+").reduce((sum, term) => {
		const value = letters[term.trim()] ?? Number(term);
		if (Number.isNaN(value)) throw new Error(`${formula} is no sum of numbers and of the letters d, c, n and m.`);
		return sum + value;
	}, 0);
}

test("a batch reads siblings together", async () => {
	const { storage, take } = counting();
	const outline = newOutline({ storage });
	for (let at = 0; at < 1000; at++) await outline.create({ name: `${at}`, position: "bottom" });
	const ids = (await outline.list()).nodes.map(({ id }) => id);
	const beside = (at: number) => ({ parent: null, position: { after: ids[(at * 37) % 1000]! } });
	for (const begin of [
		(at: number) => ({ type: "create", name: "new", ...beside(at) }) as const,
		(at: number) => ({ type: "move", ref: ids[at]!, ...beside(at + 501) }) as const,
	]) {
		take();
		await outline.batch(Array.from({ length: 256 }, (_, at) => begin(at)));
		const { reads, read } = take();
		expect(reads).toBeLessThanOrEqual(45);
		expect(read).toBeLessThan(3000);
	}
});
