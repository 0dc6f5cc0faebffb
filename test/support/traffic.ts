import { readFileSync } from "node:fs";
import { Outline } from "../../src/outline.js";
import type { StorageAdapter } from "../../src/storage.js";
import { countedOptions } from "../model/random-operations.js";
import { exported } from "./outline.js";

/** The traffic between a storage and its database. */
export interface Traffic {
	statements: number;
	/** Bytes on the way to the database. */
	sent: number;
	/** Bytes on the way back. */
	received: number;
}

/** The outline and the nodes of the operations. All names have 40 characters. */
interface Scene {
	readonly outline: Outline;
	/** At the top level, without children. */
	readonly leaf: string;
	/** With ten children. */
	readonly ten: string;
	/** With a hundred children. */
	readonly hundred: string;
	readonly mirror: string;
	/** The last revision but one. */
	readonly revision: number;
}

const name = "A name of forty characters, as many are.";
const children = (count: number) => Array.from({ length: count }, () => ({ name }));

async function sceneIn(outline: Outline): Promise<Scene> {
	const { id: hundred } = await outline.createTree({ name, children: children(100) });
	const { id: ten } = await outline.createTree({ name, children: children(10) });
	const { id: leaf } = await outline.create({ name });
	const { id: mirror } = await outline.mirror(ten, { parent: hundred });
	const { revision } = await outline.changes({ since: 0 });
	await outline.create({ name });
	return { outline, leaf, ten, hundred, mirror, revision };
}

/** The operations in `docs/scaling.md`, in its order. None depends on the changes of an earlier one. */
const operations: { readonly [operation: string]: (scene: Scene) => Promise<unknown> } = {
	"`get`": ({ outline, leaf }) => outline.get(leaf),
	"`list` of 10": ({ outline, ten }) => outline.list(ten),
	"`list` of 100": ({ outline, hundred }) => outline.list(hundred),
	"`list` of a mirror of 10": ({ outline, mirror }) => outline.list(mirror),
	"`targets`": ({ outline }) => outline.targets(),
	"`changes`, of one commit": ({ outline, revision }) => outline.changes({ since: revision }),
	"`search`, the first": ({ outline }) => outline.search("forty", { limit: 10 }),
	"`search`, a later one": ({ outline }) => outline.search("forty", { limit: 10 }),
	"`export` of 115": ({ outline }) => exported(outline),
	"`create`": ({ outline, leaf }) => outline.create({ parent: leaf, name, position: "bottom" }),
	"`createTree` of 100": ({ outline, leaf }) => outline.createTree({ parent: leaf, name, children: children(99) }),
	"`update`": ({ outline, leaf }) => outline.update(leaf, { name: name.toUpperCase() }),
	"`complete`": ({ outline, leaf }) => outline.complete(leaf),
	"`move` elsewhere": ({ outline, leaf, ten }) => outline.move(leaf, { parent: ten }),
	"`mirror`": ({ outline, leaf, hundred }) => outline.mirror(leaf, { parent: hundred }),
	"`undo` of that": ({ outline }) => outline.undo(),
	"`setShortcut`": ({ outline, leaf }) => outline.setShortcut("home", leaf),
	"`delete` of 102": ({ outline, leaf }) => outline.delete(leaf),
};

/**
 * The traffic of each operation on an outline that is empty.
 *
 * @param take - returns the traffic since the last time
 */
export async function trafficOf(storage: StorageAdapter, take: () => Traffic): Promise<Record<string, Traffic>> {
	// The same ids each time, because they decide which of equally good nodes a search returns.
	const scene = await sceneIn(new Outline({ storage, ...countedOptions(1), history: {} }));
	const traffic: Record<string, Traffic> = {};
	for (const [operation, run] of Object.entries(operations)) {
		take();
		await run(scene);
		traffic[operation] = take();
	}
	return traffic;
}

/** Returns the page's figures of a database, whose three columns begin at `column`. */
export function statedTraffic(column: number): Record<string, Traffic> {
	const page = readFileSync(new URL("../../docs/scaling.md", import.meta.url), "utf8");
	const rows = Array.from(page.matchAll(/^\| (`[^|]*?) \|(( [\d,]+ \|){6})$/gm), ([, operation, cells]) => {
		const amounts = cells!.split("|").map((cell) => Number(cell.replaceAll(",", "")));
		const [statements, sent, received] = amounts.slice(column);
		return [operation!, { statements: statements!, sent: sent!, received: received! }] as const;
	});
	return Object.fromEntries(rows);
}

/** Returns operations whose stated figures are wrong: the number of statements, or the bytes by a tenth. */
export function misstated(stated: Record<string, Traffic>, measured: Record<string, Traffic>): string[] {
	const near = (left: number, right: number) => Math.abs(left - right) <= Math.max(left, right) / 10;
	return [...new Set([...Object.keys(stated), ...Object.keys(measured)])].filter((operation) => {
		const [said, seen] = [stated[operation], measured[operation]];
		if (said === undefined || seen === undefined || said.statements !== seen.statements) return true;
		return !near(said.sent, seen.sent) || !near(said.received, seen.received);
	});
}
