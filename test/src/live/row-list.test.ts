import { expect, test } from "vitest";
import { liveRows, type Row } from "../../../src/live/index.js";
import type { OutlineNode } from "../../../src/node.js";
import type { Outline } from "../../../src/outline.js";
import { newOutline } from "../../support/outline.js";

const parents = 4000;
const all = 20_000;

/** An outline of 4,000 nodes with 4 children each, all expanded, and the number of uses of its nodes. */
async function counted() {
	const outline = newOutline();
	const children = Array.from({ length: all / parents - 1 }, (_, index) => ({ name: `child ${index}` }));
	const trees = Array.from(
		{ length: parents },
		(_, index) =>
			({ type: "createTree", parent: null, name: `parent ${index}`, position: "bottom", children }) as const,
	);
	await outline.batch(trees);
	const work = { uses: 0, hides: 0 };
	const watched = {
		get: (id: string) => outline.get(id),
		list: async (id?: string | null) => {
			const list = await outline.list(id);
			return { ...list, nodes: list.nodes.map((node) => watch(node)) };
		},
		subscribe: (listener: Parameters<Outline["subscribe"]>[0]) => outline.subscribe(listener),
	};
	const watch = (node: OutlineNode) =>
		new Proxy(node, {
			get: (target, name: keyof OutlineNode) => {
				work.uses += 1;
				return target[name];
			},
		});
	const hides = () => {
		work.hides += 1;
		return false;
	};
	const ids = (await outline.list()).nodes.map(({ id }) => id);
	const live = liveRows(watched, { expanded: ids, hides });
	await live.ready;
	return { outline, live, work, ids };
}

test("a change of 20,000 rows uses few nodes, and makes only the rows that differ", async () => {
	const { outline, live, work, ids } = await counted();
	expect(live.current.rows).toHaveLength(all);
	expect(work.uses).toBeGreaterThan(all);
	const [before, middle] = [ids[parents / 2 - 1]!, ids[parents / 2]!];
	const doing: [does: () => Promise<unknown>, differs: number][] = [
		// A new line, a letter, an indentation below the node before, and back.
		[() => outline.create({ name: "", position: { after: middle } }), 1],
		[() => outline.update(middle, { name: "a" }), 1],
		[() => outline.move(middle, { parent: before, position: "bottom" }), 5],
		[() => outline.undo(), 5],
		[() => live.expand([middle], false), 1],
		[() => live.expand([middle]), 5],
		[() => outline.delete(ids[0]!), 0],
		[() => live.look(live.current.rows.slice(100, 140)), 40],
	];
	for (const [does, differs] of doing) {
		const earlier = new Set<Row>(live.current.rows);
		Object.assign(work, { uses: 0, hides: 0 });
		await does();
		expect(live.current.rows.filter((row) => !earlier.has(row)).length, String(does)).toBeLessThanOrEqual(differs);
		expect(work.uses, String(does)).toBeLessThan(1000);
		expect(work.hides, String(does)).toBeLessThan(100);
	}
	expect(live.current.rows).toHaveLength(all + 1 - 5);
});

test("a change of more than a hundred rows makes all rows, but unchanged rows stay the same objects", async () => {
	const { outline, live, work, ids } = await counted();
	const kept = live.current.rows.at(-1);
	Object.assign(work, { uses: 0, hides: 0 });
	await outline.batch(ids.slice(0, 150).map((ref) => ({ type: "create", parent: ref, name: "more" }) as const));
	expect(live.current.rows).toHaveLength(all + 150);
	expect(live.current.rows.at(-1)).toBe(kept);
	expect(work.uses).toBeGreaterThan(all);
	const { rows } = live.current;
	await outline.batch(ids.slice(0, 150).map((ref) => ({ type: "update", ref, name: "new" }) as const));
	expect(live.current.rows.filter((row, index) => row !== rows[index])).toHaveLength(150);
});
