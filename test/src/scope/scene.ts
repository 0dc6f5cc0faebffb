import { createSqliteStorage } from "../../../adapters/sqlite.js";
import type { OutlineNode } from "../../../src/node.js";
import type { Query, Snapshot, StorageAdapter } from "../../../src/storage.js";
import { openDatabase } from "../../adapters/sqlite/open-database.js";
import { bound } from "../../support/notices.js";
import { newOutline, plant } from "../../support/outline.js";

/** The nodes of the scene that are in the scope. */
export const text = `
work #work
  plan #plan
    step #step
  (mirror theirs) #mirror
  ours #ours`;
/** As `plant` takes it. */
export const scene = `
theirs #theirs
  secret child #child
    deep #deep
private #private
  hidden #hidden
${text.slice(1)}
  `;
/** The marks of the scene. */
export type Mark = "theirs" | "child" | "deep" | "private" | "hidden" | "work" | "plan" | "step" | "mirror" | "ours";

/** An outline with a scope in it, whose node is `work`, and mirrors across its edge. */
export async function begun(options: Parameters<typeof newOutline>[0] = {}) {
	const outline = newOutline({ appUrl: "https://notes.example", ...options });
	const ids = await plant<Mark>(outline, scene.trimEnd());
	const outside = await outline.mirror(ids.ours, { parent: ids.private });
	return { outline, ids: { ...ids, outside: outside.id }, scope: outline.scope(ids.work, { write: true }) };
}

/** The error that a promise rejects with. */
export async function errorOf(
	promise: Promise<unknown>,
): Promise<{ code: string; message: string; mirrorIds?: string[] }> {
	return promise.then(
		(value) => {
			throw new Error(`resolved with ${JSON.stringify(value)}`);
		},
		(error) => error,
	);
}

/** All values of an iterable. */
export async function all<T>(iterable: AsyncIterable<T>): Promise<T[]> {
	const items: T[] = [];
	for await (const item of iterable) items.push(item);
	return items;
}

/** The names of nodes. */
export const names = (nodes: readonly OutlineNode[]) => nodes.map(({ name }) => name);

/** The scene in SQLite, with a count of the reads. */
export async function onSqlite() {
	const storage = createSqliteStorage(openDatabase("libsql", ":memory:"));
	const reads = { count: 0, lineages: 0, most: 0 };
	const counting: StorageAdapter = {
		...bound(storage),
		read<const Q extends readonly Query[]>(queries: Q): Promise<Snapshot<Q>> {
			reads.count += 1;
			reads.most = Math.max(reads.most, queries.length);
			reads.lineages += queries.filter(({ type }) => type === "ancestors").length;
			return storage.read(queries);
		},
	};
	return { ...(await begun({ storage: counting })), reads };
}
