import { ask, newestQuery, type Operation, pause, type RunOperation } from "../../engine/protocol.js";
import { sizeOfRecord } from "../../node.js";
import { Pace, paced, type Steps } from "../../pace.js";
import type { ChangedSince, Document, Key, KeyRecord, KeyTombstone, NodeRecord, Tombstone } from "../../storage.js";
import type { Conflict, SyncAnswer, SyncNode } from "../protocol.js";
import { fieldsOfRecord } from "../record-fields.js";
import type { OpenConflict } from "../settle/given-parents.js";
import { closedPrefix, conflictPrefix, revisionIn, revisionText } from "./documents.js";
import { expired } from "./refusal.js";

/** The part of an answer that has the changes. */
export type Feed = Pick<
	SyncAnswer,
	"revision" | "more" | "nodes" | "deleted" | "keys" | "droppedKeys" | "conflicts" | "closed"
>;

/** The characters after which an answer gets no further page. One commit alone may have more. */
const longestAnswer = 4_194_304;

/** The number of changes in the first page. Their length isn't known yet. */
const firstChanges = 64;

/** The most changes in a page, which is read without a pause. */
const changesAtOnce = 4096;

/** The number of documents in one query. */
const documentsAtOnce = 256;

/**
 * Returns the changes since a revision: of nodes and keys, and the conflicts. Reads them in pages of whole
 * commits. If a node changes meanwhile, the answer may have its newer state, and the next one has it again.
 *
 * @param limit - the number of changes after which the answer ends; 0 for none
 * @throws `changes_expired` if deletions since the revision are gone
 */
export async function feedSince(run: RunOperation, since: number, limit: number): Promise<Feed> {
	const nodes = new Map<string, NodeRecord | Tombstone>();
	const keys = new Map<string, KeyRecord | KeyTombstone>();
	const pace = new Pace();
	const first = await run(() => firstPage(since, Math.max(1, Math.min(limit, firstChanges))));
	let { newest, changed } = first;
	let revision = since;
	let entries = 0;
	let size = 0;
	while (limit > 0) {
		if (since > 0 && since < changed.horizon) throw expired(since, changed.horizon);
		// Deletions of nodes that an earlier page has may be gone.
		if (changed.horizon !== first.changed.horizon) return feedSince(run, since, limit);
		for (const each of [...changed.nodes, ...changed.deleted]) nodes.set(each.id, each);
		for (const each of [...changed.keys, ...changed.droppedKeys]) keys.set(each.key, each);
		for (const node of changed.nodes) size += sizeOfRecord(node);
		entries = nodes.size + keys.size;
		revision = changed.revision;
		const isFull = entries >= limit || size >= longestAnswer;
		// From the beginning, the first answer reaches the horizon, so that a next one can continue from it.
		if (newest <= revision || (isFull && !(since === 0 && revision < changed.horizon))) break;
		if (pace.isDue) await pace.turn();
		const fitting = Math.floor(((longestAnswer - size) * entries) / Math.max(size, 1));
		const wanted = Math.max(1, Math.min(limit - entries, fitting, changesAtOnce));
		({ newest, changed } = await run(() => pageSince(revision, wanted)));
	}
	// Documents of the first page are complete up to its revision. After further pages, they are read again.
	const told = { since, until: revision, room: Math.max(longestAnswer - size, 0) };
	const isOnePage = revision <= first.changed.revision;
	const conflicts = await documentsWithin(run, conflictPrefix, told, isOnePage ? first.conflicts : undefined);
	const { until } = conflicts;
	const closed = await documentsWithin(run, closedPrefix, { ...told, until }, isOnePage ? first.closed : undefined);
	return {
		revision: closed.until,
		more: newest > closed.until,
		...(await paced(nodesUntil(closed.until, nodes.values()), pace)),
		...keysUntil(closed.until, keys.values()),
		conflicts: conflicts.documents.filter(({ key }) => revisionIn(key) <= closed.until).map(conflictIn),
		closed: closed.documents.map(({ key }) => key.slice(closedPrefix.length + revisionText(0).length + 1)),
	};
}

/** Returns a page of changes, and the newest revision. */
export function* pageSince(since: number, limit: number): Operation<{ changed: ChangedSince; newest: number }> {
	const [changed, { revision }] = yield* ask({ type: "changes", since, limit }, newestQuery);
	return { changed, newest: revision };
}

/** Returns a page of changes and the first documents of conflicts, in one round trip. Most answers have no more. */
function* firstPage(since: number, limit: number) {
	const [changed, { revision }, conflicts, closed] = yield* ask(
		{ type: "changes", since, limit },
		newestQuery,
		documentsAfter(conflictPrefix, startAfter(conflictPrefix, since)),
		documentsAfter(closedPrefix, startAfter(closedPrefix, since)),
	);
	return { changed, newest: revision, conflicts, closed };
}

/** The revisions that an answer covers, and its room for more characters. */
interface Told {
	readonly since: number;
	readonly until: number;
	readonly room: number;
}

/**
 * Returns the documents of whole revisions that fit into an answer, and the revision that they reach.
 *
 * @param first - the first page, if it has been read
 */
async function documentsWithin(
	run: RunOperation,
	prefix: string,
	{ since, until, room }: Told,
	first?: readonly Document[],
): Promise<{ documents: Document[]; until: number }> {
	const documents: Document[] = [];
	let size = 0;
	let page = first;
	for (let after = startAfter(prefix, since); ; after = documents.at(-1)!.key) {
		page ??= await run(() => documentPage(prefix, after));
		for (const document of page) {
			const revision = revisionIn(document.key);
			if (revision > until) return { documents, until };
			const isNext = documents.length > 0 && revision > revisionIn(documents.at(-1)!.key);
			if (isNext && size >= room) return { documents, until: revision - 1 };
			documents.push(document);
			size += document.key.length + document.value.length;
		}
		if (page.length < documentsAtOnce) return { documents, until };
		page = undefined;
	}
}

/** Returns the text after which the keys of later revisions come. */
function startAfter(prefix: string, since: number): string {
	// A tilde comes after the characters that follow a revision in a key.
	return `${prefix}${revisionText(since)}~`;
}

function documentsAfter(prefix: string, after: string) {
	return { type: "documents", prefix, after, limit: documentsAtOnce } as const;
}

function* documentPage(prefix: string, after: string): Operation<readonly Document[]> {
	const [documents] = yield* ask(documentsAfter(prefix, after));
	return documents;
}

/** Returns every open conflict. Other writers may commit meanwhile. */
export async function openConflicts(run: RunOperation): Promise<Conflict[]> {
	const told = { since: 0, until: Number.MAX_SAFE_INTEGER, room: Number.POSITIVE_INFINITY };
	return (await documentsWithin(run, conflictPrefix, told)).documents.map(conflictIn);
}

/** Reads the open conflicts about parents. */
export function* parentConflicts(): Operation<OpenConflict[]> {
	const found: OpenConflict[] = [];
	for (let after = conflictPrefix; ; ) {
		const page = yield* documentPage(conflictPrefix, after);
		for (const document of page) {
			const conflict = conflictIn(document);
			// Conflicts of other kinds may have long texts.
			if (conflict.kind === "parent") found.push({ ...conflict, revision: revisionIn(document.key) });
		}
		if (page.length < documentsAtOnce) return found;
		after = page.at(-1)!.key;
		yield* pause();
	}
}

function conflictIn({ key, value }: Document): Conflict {
	return { id: key.slice(conflictPrefix.length), ...(JSON.parse(value) as Omit<Conflict, "id">) };
}

function* nodesUntil(until: number, changed: Iterable<NodeRecord | Tombstone>): Steps<Pick<Feed, "nodes" | "deleted">> {
	const nodes: SyncNode[] = [];
	const deleted: string[] = [];
	for (const each of changed) {
		if (each.revision > until) continue;
		if ("name" in each) nodes.push({ id: each.id, ...fieldsOfRecord(each) });
		else deleted.push(each.id);
		yield;
	}
	return { nodes, deleted };
}

function keysUntil(until: number, changed: Iterable<KeyRecord | KeyTombstone>): Pick<Feed, "keys" | "droppedKeys"> {
	const keys: Key[] = [];
	const droppedKeys: string[] = [];
	for (const each of changed) {
		if (each.revision > until) continue;
		if ("nodeId" in each) keys.push({ key: each.key, group: each.group, nodeId: each.nodeId });
		else droppedKeys.push(each.key);
	}
	return { keys, droppedKeys };
}
