import { setTimeout as pause } from "node:timers/promises";
import fc from "fast-check";
import { expect, test } from "vitest";
import { createMemoryStorage } from "../../../adapters/memory.js";
import { type LiveRows, liveRows, type Row } from "../../../src/live/index.js";
import type { OutlineNode } from "../../../src/node.js";
import { Outline } from "../../../src/outline.js";
import { exported, plant } from "../../support/outline.js";

/** The rows, computed from the outline again. */
async function recomputed(
	outline: Outline,
	root: string | null,
	expanded: ReadonlySet<string>,
	hides: (node: OutlineNode) => boolean,
): Promise<Omit<Row, "hasChildren">[]> {
	const rows: Omit<Row, "hasChildren">[] = [];
	const origin = ({ id, mirror }: OutlineNode) => mirror?.originId ?? id;
	const parents = new Map((await exported(outline)).map(({ id, parentId }) => [id, parentId]));
	const visit = async (
		children: readonly OutlineNode[],
		parentKey: string | null,
		prefix: string,
		above: readonly string[],
	) => {
		for (const node of children) {
			if (hides(node)) continue;
			const key = prefix + node.id;
			const recurring = above.includes(origin(node));
			const all = expanded.has(node.id) ? (await outline.list(node.id)).nodes : [];
			// A recurring node doesn't show its children again, except nodes moved into a mirror of it.
			const isOwn = ({ id }: OutlineNode) => origin(node) !== node.id && parents.get(id) === node.id;
			const below = recurring ? all.filter(isOwn) : all;
			const open = below.some((child) => !hides(child));
			const depth = parentKey === null ? 0 : rows.find((row) => row.key === parentKey)!.depth + 1;
			rows.push({ key, node, depth, parentKey, expanded: open, recurring });
			const isMirror = node.mirror?.originId !== undefined;
			if (open) await visit(below, key, prefix !== "" || isMirror ? `${key}/` : "", [...above, origin(node)]);
		}
	};
	const start = root === null ? null : await outline.get(root);
	await visit((await outline.list(root)).nodes, null, "", start === null ? [] : [origin(start)]);
	return rows;
}

const command = fc.record({
	type: fc.constantFrom(
		"create",
		"move",
		"update",
		"delete",
		"mirror",
		"batch",
		"promote",
		"complete",
		"undo",
		"redo",
		"expand",
		"collapse",
	),
	node: fc.nat(),
	other: fc.nat(),
	end: fc.constantFrom("top", "bottom"),
	remote: fc.boolean(),
});

test("after any sequence of local and remote operations, the rows equal rows computed from scratch", async () => {
	await fc.assert(
		fc.asyncProperty(fc.array(command, { maxLength: 40, size: "max" }), fc.boolean(), async (commands, hiding) => {
			const storage = createMemoryStorage();
			const [here, there] = [new Outline({ storage }), new Outline({ storage })];
			await plant(here, "a\n  b\n    c\n  d\ne\n  f");
			const hides = hiding ? ({ completed }: OutlineNode) => completed : () => false;
			const tops = (await here.list(null)).nodes.map(({ id }) => id);
			const root = tops[0]!;
			const expanded = new Set<string>(tops);
			const lives = [liveRows(here, { expanded, hides }), liveRows(here, { root, expanded, hides })];
			await Promise.all(lives.map(({ ready }) => ready));
			for (const { type, node, other, end, remote } of commands) {
				const outline = remote ? there : here;
				const nodes = await exported(here);
				if (nodes.length === 0) break;
				const id = nodes[node % nodes.length]!.id;
				const otherId = nodes[other % nodes.length]!.id;
				const position = end as "top" | "bottom";
				try {
					if (type === "create") await outline.create({ parent: id, name: `n${node}`, position });
					else if (type === "move") await outline.move(id, { parent: other % 7 === 0 ? null : otherId, position });
					else if (type === "update") await outline.update(id, { name: `u${other}` });
					else if (type === "delete" && id !== root) await outline.delete(id, { mirrors: "detach" });
					else if (type === "mirror") await outline.mirror(id, { parent: otherId, position });
					else if (type === "batch") {
						const change = { type: "update", ref: nodes[(node + other) % nodes.length]!.id, name: `b${node}` } as const;
						const into = { type: "move", ref: otherId, parent: id, position } as const;
						const made = { type: "create", parent: id, name: "new" } as const;
						await outline.batch(id === otherId ? [change, made] : [change, into, made]);
					} else if (type === "promote" && id !== root) await outline.delete(id, { mirrors: "promote" });
					else if (type === "complete") await outline.complete(id);
					else if (type === "undo") await outline.undo();
					else if (type === "redo") await outline.redo();
					else if (type === "expand" || type === "collapse") {
						if (type === "expand") expanded.add(id);
						else expanded.delete(id);
						await Promise.all(lives.map((live) => live.expand([id], type === "expand")));
					}
				} catch (error) {
					if (!(error instanceof Error && "code" in error)) throw error;
				}
			}
			// The outlines are notified of each other's commits in later turns of the event loop.
			await pause(0);
			for (const [index, live] of lives.entries()) {
				if (live.current.root === undefined) continue;
				expect(live.current.rows.map(({ key }) => live.row(key))).toEqual(live.current.rows);
				// What is found out later is the same, too.
				const again = liveRows(here, { root: index === 0 ? null : root, expanded, hides });
				await again.ready;
				for (const each of [live, again]) await each.look(each.current.rows);
				expect(live.current).toEqual(again.current);
				again.close();
			}
			const without = (live: LiveRows) => live.current.rows.map(({ hasChildren, ...row }) => row);
			expect(without(lives[0]!)).toEqual(await recomputed(here, null, expanded, hides));
			if (lives[1]!.current.root !== undefined) {
				expect(without(lives[1]!)).toEqual(await recomputed(here, root, expanded, hides));
			}
		}),
		{ numRuns: 300 },
	);
});
