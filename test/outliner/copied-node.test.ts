import { Outline } from "outlinekit";
import { createMemoryStorage } from "outlinekit/memory";
import { expect, test } from "vitest";
import { type CopiedNode, copiesOf, walked } from "../../examples/outliner/src/clipboard/copied-node.js";
import { makingOf, withoutMirrors } from "../../examples/outliner/src/clipboard/making.js";
import { picture } from "../support/outline.js";

/** A list with a mirror into which nodes were moved, one of them a mirror itself. */
async function scene() {
	const outline = new Outline({ storage: createMemoryStorage() });
	const project = await outline.create({ name: "project" });
	await outline.create({ parent: project.id, name: "of the project" });
	const list = await outline.create({ name: "list" });
	const mirror = await outline.mirror(project.id, { parent: list.id });
	const own = await outline.create({ name: "only here\n- below" });
	await outline.move(own.id, { parent: mirror.id });
	const other = await outline.create({ name: "other" });
	const inner = await outline.mirror(other.id, { parent: list.id });
	await outline.move(inner.id, { parent: mirror.id, position: "bottom" });
	return { outline, list, project };
}

const lines = (nodes: readonly CopiedNode[]) => nodes.map(({ depth, name }) => `${"  ".repeat(depth)}${name}`);

test("nodes that were moved into a mirror are copied with it, and put back into the new one", async () => {
	const { outline, list, project } = await scene();
	const copied = copiesOf(await walked(outline, [list.id]), () => true);
	expect(lines(copied)).toEqual(["list", "  project", "    only here", "      below", "    other"]);
	// As a cut and a paste do.
	await outline.delete(list.id);
	const { operations, made } = makingOf(copied, { parent: null, position: "bottom" });
	const nodes = made(await outline.batch(operations));
	expect(nodes.map(({ copied: { name } }) => name)).toEqual(copied.map(({ name }) => name));
	expect(lines(copiesOf(await walked(outline, [nodes[0]!.id]), () => true))).toEqual(lines(copied));
	expect((await outline.list(project.id)).nodes.map(({ name }) => name)).toEqual(["of the project"]);
	expect(await picture(outline)).toBe(
		[
			"other",
			"project",
			"  of the project",
			"list",
			"  (mirror project)",
			"    only here",
			"      below",
			"    (mirror other)",
		].join("\n"),
	);
	expect((await outline.verify()).total).toBe(0);
	await outline.undo();
	await outline.undo();
	expect((await outline.list(list.id)).nodes).toHaveLength(1);
});

test("without their origins they are below the copy of the mirror", async () => {
	const { outline, list } = await scene();
	const copied = withoutMirrors(copiesOf(await walked(outline, [list.id]), () => true));
	const { operations } = makingOf(copied, { parent: null, position: "bottom" });
	const result = await outline.batch(operations);
	expect(lines(copiesOf(await walked(outline, [result.results[0]!.id]), () => true))).toEqual(lines(copied));
});

test("copies keep the properties of the nodes", async () => {
	const outline = new Outline({ storage: createMemoryStorage() });
	const search = await outline.create({ name: "soon", properties: { query: "due:7d" } });
	await outline.create({ parent: search.id, name: "below", properties: { due: 1 } });
	const copied = copiesOf(await walked(outline, [search.id]), () => true);
	const { operations } = makingOf(copied, { parent: null, position: "bottom" });
	const { results } = await outline.batch(operations);
	const copy = await walked(outline, [results[0]!.id]);
	expect(copy.map(({ node }) => node.properties)).toEqual([{ query: "due:7d" }, { due: 1 }]);
});
