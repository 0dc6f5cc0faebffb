import { createPostgresStorage } from "outlinekit/postgres";
import { describe, expect, test } from "vitest";
import type { Outline } from "../../../src/outline.js";
import { exported, newOutline } from "../../support/outline.js";
import { testServer } from "./database.js";
import { RecordingPool } from "./recording-pool.js";

const server = testServer("trips");

/** The outline and the nodes for the operations. */
interface Scene {
	readonly outline: Outline;
	/** A node with children. */
	readonly node: string;
	/** One of its children, without children and mirrors. */
	readonly child: string;
	/** A node with children and a mirror. */
	readonly origin: string;
	/** The mirror. */
	readonly mirror: string;
}

async function sceneIn(outline: Outline): Promise<Scene> {
	const children = [{ name: "first" }, { name: "second" }, { name: "third" }];
	const node = await outline.createTree({ name: "node", children });
	const { id: origin } = await outline.createTree({ name: "origin", children });
	const { id: mirror } = await outline.mirror(origin, { parent: node.id, position: "bottom" });
	await outline.create({ name: "on this day", parent: "2026-11-21" });
	await outline.setShortcut("home", node.id);
	return { outline, node: node.id, child: node.children[1]!.id, origin, mirror };
}

/** The statements that an operation sends, one after another. Each is a round trip. */
const trips: readonly [name: string, count: number, work: (scene: Scene) => Promise<unknown>][] = [
	["get", 1, ({ outline, node }) => outline.get(node)],
	["get of a mirror", 1, ({ outline, mirror }) => outline.get(mirror)],
	["get by short id", 1, ({ outline, node }) => outline.get(node.slice(-12))],
	["get by shortcut", 1, ({ outline }) => outline.get("home")],
	["list of the top level", 1, ({ outline }) => outline.list()],
	["list", 1, ({ outline, node }) => outline.list(node)],
	["list of a mirror", 1, ({ outline, mirror }) => outline.list(mirror)],
	["targets", 1, ({ outline }) => outline.targets()],
	["changes", 2, ({ outline }) => outline.changes({ since: 0 })],
	["create", 2, ({ outline }) => outline.create({ name: "new" })],
	["create under a node", 2, ({ outline, node }) => outline.create({ name: "new", parent: node })],
	["create under a mirror", 2, ({ outline, mirror }) => outline.create({ name: "new", parent: mirror })],
	["create of several blocks", 2, ({ outline, node }) => outline.create({ name: "# a\n\n- b\n- c", parent: node })],
	["create on a day", 2, ({ outline }) => outline.create({ name: "new", parent: "2026-11-21" })],
	["create beside a sibling", 5, ({ outline, child }) => outline.create({ name: "new", position: { after: child } })],
	["createTree", 2, ({ outline }) => outline.createTree({ name: "new", children: [{ name: "below" }] })],
	["update", 2, ({ outline, node }) => outline.update(node, { name: "changed" })],
	["update of a mirror", 2, ({ outline, mirror }) => outline.update(mirror, { name: "changed" })],
	["update that changes nothing", 1, ({ outline, node }) => outline.update(node, { name: "node" })],
	["complete", 2, ({ outline, node }) => outline.complete(node)],
	["uncomplete", 1, ({ outline, node }) => outline.uncomplete(node)],
	["move to an end", 3, ({ outline, child }) => outline.move(child, { position: "bottom" })],
	["move elsewhere", 3, ({ outline, child, origin }) => outline.move(child, { parent: origin })],
	["mirror", 2, ({ outline, origin, node }) => outline.mirror(origin, { parent: node })],
	["removeMirror", 3, ({ outline, mirror }) => outline.removeMirror(mirror)],
	["delete", 2, ({ outline, child }) => outline.delete(child)],
	["delete of a node with all below it", 2, ({ outline, node }) => outline.delete(node)],
	["setShortcut", 2, ({ outline, child }) => outline.setShortcut("there", child)],
	["deleteShortcut", 2, ({ outline }) => outline.deleteShortcut("home")],
	["export", 4, ({ outline }) => exported(outline)],
];

describe("the round trips", () => {
	test.each(trips)("of %s are %i, besides the notifications, which no caller waits for", async (name, count, work) => {
		for (const notify of [false, true]) {
			const pool = new RecordingPool(server.pool("trips", { max: notify ? 2 : 1 }));
			const storage = createPostgresStorage(pool, { outline: `${name} ${notify}`, notify });
			const outline = newOutline({ storage });
			const scene = await sceneIn(outline);
			pool.calls.length = 0;
			await work(scene);
			const isNotification = (statement: string) => statement.includes("pg_notify");
			expect(pool.statements.filter((statement) => !isNotification(statement))).toHaveLength(count);
			await outline.close();
		}
	});

	test("increase with a subscription by only one for each write", async () => {
		const pool = new RecordingPool(server.pool("trips", { max: 1 }));
		const storage = createPostgresStorage(pool, { outline: "heard of", notify: false });
		const outline = newOutline({ storage });
		const { node } = await sceneIn(outline);
		outline.subscribe(() => {});
		await outline.get(node);
		pool.calls.length = 0;
		await outline.create({ name: "new", parent: node });
		expect(pool.statements).toHaveLength(3);
		await outline.close();
	});
});
