import {
	type BatchOperation,
	type BatchResult,
	type HitAncestor,
	type HitRanges,
	type LayoutMode,
	Outline,
	OutlineError,
	type OutlineErrorCode,
	type OutlineEvent,
	type OutlineNode,
	type OutlineTree,
	type ReferenceText,
	type ScopedOutline,
	type SearchHit,
	type StorageAdapter,
} from "outlinekit";
import { storageConformance, type TestFunction, type Traits } from "outlinekit/conformance";
import { createFileStorage } from "outlinekit/file";
import { createHttpHandler } from "outlinekit/http";
import { createIndexedDbStorage } from "outlinekit/indexeddb";
import { type Live, liveQuery } from "outlinekit/live";
import type { Block, fromMarkdown, toText } from "outlinekit/markup";
import { createMemoryStorage } from "outlinekit/memory";
import { createPostgresStorage } from "outlinekit/postgres";
import { createSqliteStorage } from "outlinekit/sqlite";

// The compiler is the test: a line with an expected error fails if there is none. This code never runs.

/** Whether two types are the same, and don't only fit each other. */
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;

/** Takes `true` alone: for the outcome of a comparison. */
declare function holds<Claim extends true>(): Claim;

/** Returns a value of a type, for the compiler alone. */
declare function any<T>(): T;

export async function options(): Promise<void> {
	const storage = createMemoryStorage();
	holds<Same<typeof storage extends StorageAdapter ? true : false, true>>();
	await using disposed = createMemoryStorage();
	await using outline = new Outline({ storage: disposed });
	await outline.get("inbox");
	new Outline({ storage, timeZone: undefined });
	// @ts-expect-error: an outline is over a storage
	new Outline({});
	// @ts-expect-error: a storage has methods
	new Outline({ storage: {} });
	// @ts-expect-error: there is no such option
	new Outline({ storage, timezone: "UTC" });
}

export function storages(flag: boolean | undefined, count: number | undefined): void {
	const pool = any<Parameters<typeof createPostgresStorage>[0]>();
	createPostgresStorage(pool, { outline: "a", createSchema: flag, notify: flag, pollInterval: count, timeout: count });
	createPostgresStorage({ connect: pool.connect, ending: flag, options: { max: count } }, { outline: "a" });
	// @ts-expect-error: which outline must be said
	createPostgresStorage(pool, { outline: undefined });
	const name = any<string | undefined>();
	const database = any<Parameters<typeof createSqliteStorage>[0]>();
	createSqliteStorage(database, { outline: name, synchronous: undefined, busyTimeout: count, pollInterval: count });
	createFileStorage("a", { compactAfter: count });
	createHttpHandler({
		...{ authenticate: () => null, exportsPerMinute: count, maxBodyBytes: count, maxImportBytes: count },
		...{ bodyTimeout: count, cors: undefined, now: undefined, onError: undefined },
	});
	createIndexedDbStorage("a", {
		durability: undefined,
		openTimeout: count,
		compactAfter: count,
		indexedDB: undefined,
	});
	const test = any<TestFunction>();
	const traits = any<Traits>();
	const random = { seed: count, commits: count, sequences: count };
	storageConformance({
		...{ test, traits, create: createMemoryStorage, random, patience: count },
		sizes: { levels: count },
	});
	storageConformance({ test, traits, create: createMemoryStorage, sizes: undefined, random: undefined });
}

export async function nodes(outline: Outline): Promise<void> {
	const node = await outline.create({ name: "a", parent: undefined, note: null, position: { before: "b" } });
	holds<Same<typeof node, OutlineNode>>();
	holds<Same<typeof node.note, string | null>>();
	holds<Same<typeof node.completedAt, number | null>>();
	holds<Same<typeof node.layoutMode, LayoutMode>>();
	const originId = node.mirror?.originId;
	holds<Same<typeof originId, string | null | undefined>>();
	const { mirror } = node;
	if (mirror?.mirrorIds !== undefined) holds<Same<typeof mirror.originId, undefined>>();
	if (mirror?.originId != null) holds<Same<typeof mirror.mirrorIds, undefined>>();
	// @ts-expect-error: not every node has to do with mirrors
	node.mirror.originId;
	// @ts-expect-error: a node has a name
	await outline.create({ parent: "inbox" });
	// @ts-expect-error: a sibling is named, or an end
	await outline.create({ name: "a", position: "first" });
	// @ts-expect-error: one sibling is named
	await outline.create({ name: "a", position: { before: "b", after: "c" } });
	// @ts-expect-error: there is no such layout
	await outline.update(node.id, { layoutMode: "h4" });
	// @ts-expect-error: a mirror stands somewhere
	await outline.mirror(node.id);
	holds<Same<Awaited<ReturnType<Outline["delete"]>>, void>>();
	holds<Same<Awaited<ReturnType<Outline["createTree"]>>, OutlineTree>>();
	holds<Same<Awaited<ReturnType<Outline["search"]>>, SearchHit[]>>();
	const [named] = await outline.search("a", { ancestors: true, ranges: true });
	holds<Same<HitAncestor[], NonNullable<typeof named>["ancestors"]>>();
	holds<Same<HitRanges, NonNullable<typeof named>["ranges"]>>();
	const [plain] = await outline.search("a", { limit: 1, order: "date" });
	holds<Same<HitAncestor[] | undefined, NonNullable<typeof plain>["ancestors"]>>();
	// @ts-expect-error: there is no such order
	await outline.search("a", { order: "name" });
	holds<Same<ReturnType<typeof toText>, string>>();
	holds<Same<ReturnType<typeof fromMarkdown>, Block[]>>();
}

export async function batches(outline: Outline): Promise<void> {
	// @ts-expect-error: one sibling is named
	await outline.batch([{ type: "move", ref: "a", position: { before: "b", after: "c" } }]);
	const { results, ids } = await outline.batch([
		{ type: "create", as: "list", name: "a" },
		{ type: "move", ref: { as: "list" }, position: { after: "b" } },
	]);
	holds<Same<typeof results, [OutlineNode, OutlineNode]>>();
	holds<Same<typeof ids, { list: string }>>();
	const all = await outline.batch([
		{ type: "createTree", as: "tree", name: "a", children: [{ name: "b" }] },
		{ type: "ensure", ref: "today", as: "day" },
		{ type: "update", ref: "a", completed: true },
		{ type: "mirror", ref: "a", parent: "b" },
		{ type: "complete", ref: "a" },
		{ type: "uncomplete", ref: "a" },
		{ type: "removeMirror", ref: "a" },
		{ type: "delete", ref: "a", mirrors: "detach" },
		{ type: "setShortcut", key: "k", ref: "a" },
		{ type: "deleteShortcut", key: "k" },
	]);
	type Node = OutlineNode;
	holds<Same<typeof all.results, [OutlineTree, Node, Node, Node, Node, Node, null, null, null, null]>>();
	holds<Same<typeof all.ids, { tree: string; day: string }>>();
	const operations: readonly BatchOperation[] = [{ type: "complete", ref: "a" }];
	const some = await outline.batch(operations, { idempotencyKey: "k" });
	holds<Same<typeof some, BatchResult>>();
	holds<Same<(typeof some.results)[number], OutlineNode | OutlineTree | null>>();
	holds<Same<typeof some.ids, { [name: string]: string }>>();
	const scoped = await outline.scope("a").batch([{ type: "complete", ref: "a" }]);
	holds<Same<typeof scoped.results, [OutlineNode]>>();
	const made = await outline.batch(["a", "b"].map((name) => ({ type: "create", name })));
	holds<Same<(typeof made.results)[number], OutlineNode>>();
	// @ts-expect-error: there is no such operation
	await outline.batch([{ type: "rename", ref: "a" }]);
	// @ts-expect-error: a move is of a node
	await outline.batch([{ type: "move", parent: "inbox" }]);
	// @ts-expect-error: what deletes makes nothing that could be named
	await outline.batch([{ type: "delete", as: "gone", ref: "a" }]);
}

export async function references(outline: Outline, text: string): Promise<void> {
	// Editors complete the fixed words, and any other text is fine.
	holds<Same<"inbox" extends ReferenceText ? true : false, true>>();
	holds<Same<string extends ReferenceText ? true : false, true>>();
	await outline.create({ name: "a", parent: text });
	await outline.list(text);
	await outline.ensure("next_week");
}

export function errors(error: unknown): string | undefined {
	if (!(error instanceof OutlineError)) return undefined;
	holds<Same<typeof error.code, OutlineErrorCode>>();
	// @ts-expect-error: there is no such code
	if (error.code === "missing") return undefined;
	switch (error.code) {
		case "has_mirrors":
			return error.mirrorIds?.join();
		default:
			return error.message;
	}
}

export function events(outline: Outline): void {
	const stop = outline.subscribe((event) => {
		holds<Same<typeof event, OutlineEvent>>();
		// @ts-expect-error: what was deleted has no state afterwards
		for (const { after } of event.changes) after.name;
	});
	holds<Same<typeof stop, () => void>>();
}

export function readings(outline: Outline): void {
	const count = liveQuery(outline, async () => (await outline.list()).nodes.length);
	holds<Same<typeof count extends Live<number | undefined> ? true : false, true>>();
	const scope = outline.scope("a");
	holds<Same<typeof scope, ScopedOutline>>();
	// @ts-expect-error: a part of an outline isn't closed by those who have only that
	scope.close();
	createHttpHandler({ authenticate: (key) => (key === "k" ? scope : null) });
	// @ts-expect-error: an outline or null, and no other value, answers to a key
	createHttpHandler({ authenticate: () => "ada" });
}

/** A statement as clients of SQLite declare it: generic, or with named and positional parameters. */
interface Statement {
	run(named: Record<string, number | string | null>, ...parameters: (number | string | null)[]): { changes: number };
	run(...parameters: (number | string | null)[]): { changes: number | bigint };
	all<Row>(...parameters: unknown[]): Row[];
}

export function clients(): void {
	createSqliteStorage(any<{ prepare(sql: string): Statement; exec(sql: string): void }>(), { outline: "a" });
	// @ts-expect-error: a statement must give rows, too
	createSqliteStorage(any<{ prepare(sql: string): { run(): void }; exec(sql: string): void }>(), { outline: "a" });
	// @ts-expect-error: one connection isn't a pool of them
	createPostgresStorage(any<{ query(text: string): Promise<{ rows: unknown[] }> }>(), { outline: "a" });
}
