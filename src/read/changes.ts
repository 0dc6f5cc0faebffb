import { ask, type Operation, type RunOperation } from "../engine/protocol.js";
import { OutlineError, quoted } from "../errors.js";
import { countArgument, fieldNames, fieldsOf } from "../fields.js";
import { contentOf, nodeView, type OutlineNode, sizeOfRecord } from "../node.js";
import { Pace } from "../pace.js";
import type { ChangedSince, StoredNode } from "../storage.js";

/** What {@link Outline.changes} takes. */
export interface ChangesInput {
	/** The revision that is known already, from an earlier answer or event; 0 for none. */
	since: number;
	/** About how many nodes and ids to give at once, 1 to 10,000: whole commits until there are so many. Default 1,000. */
	limit?: number | undefined;
	/**
	 * How many characters (UTF-16 code units) of names and notes to give at most, and 64 more for each node: whole commits as
	 * long as they fit in, and one in any case. Default `Infinity`.
	 */
	characters?: number | undefined;
}

/** The names of these fields. */
const changesFields = fieldNames<ChangesInput>({ since: true, limit: true, characters: true });

/** What has changed since a revision. */
export interface OutlineChanges {
	/**
	 * Every node that has changed and is still there, as it is now (as in `get`); also those that look different since another
	 * one has changed: the mirrors of an origin, and an origin that has gained or lost a mirror. In no order.
	 */
	nodes: OutlineNode[];
	/** The ids of the nodes that have been deleted. */
	deleted: string[];
	/** What is told: everything up to this revision. Ask with it the next time. */
	revision: number;
	/** Whether there are more changes, for which there was no room. */
	more: boolean;
}

/** What `changes` was asked, checked and complete. */
export type ChangesSettings = { readonly [F in keyof ChangesInput]-?: number };

/** Checks what `changes` was given. @throws `invalid_argument` */
export function changesArgument(input: unknown): ChangesSettings {
	const { since, limit = 1000, characters: most } = fieldsOf("changes", input, changesFields);
	if (typeof since !== "number" || !Number.isSafeInteger(since) || since < 0) {
		throw new OutlineError(
			"invalid_argument",
			`since is ${quoted(since)}. It must be a revision that an earlier answer gave, or 0 for everything.`,
		);
	}
	if (typeof limit !== "number" || !Number.isInteger(limit) || limit < 1 || limit > 10_000) {
		throw new OutlineError("invalid_argument", `limit is ${quoted(limit)}. It must be an integer from 1 to 10,000.`);
	}
	const characters = countArgument("characters", most, Number.POSITIVE_INFINITY, "characters", 1);
	return { since, limit, characters };
}

/** How many changes are read first where their characters are counted: it isn't known yet how long they are. */
const firstChanges = 64;

/** How many nodes are read at once, and gone through before others may have their turn. */
const nodesInARow = 4096;

/** Asks which revision is the newest. */
const newestQuery = { type: "changes", since: Number.MAX_SAFE_INTEGER, limit: 1 } as const;

/**
 * The nodes that have changed since a revision. They are read a part at a time: one that is changed again meanwhile may be told
 * as it is then, and will be told again.
 *
 * @throws `invalid_argument` for a revision that the outline hasn't had yet
 */
export async function changesSince(
	run: RunOperation,
	{ since, limit, characters }: ChangesSettings,
): Promise<OutlineChanges> {
	const nodes = new Map<string, OutlineNode>();
	const deleted = new Set<string>();
	const pace = new Pace();
	let revision = since;
	let more = true;
	let entries = 0;
	let size = 0;
	while (more && entries < limit && size < characters) {
		const asked = { since: revision, limit: nextLimit(entries, size, limit, characters) };
		const [changed, newest] = await run(() => changesAndNewest(asked));
		if (newest.revision < since) throw unknownRevision(since, newest.revision);
		if (pace.isDue) await pace.turn();
		const concerned = await concernedNodes(run, changed, pace);
		const { last, used } = lastFitting(changed, concerned, characters - size, entries === 0);
		for (const { node, revision } of concerned) {
			if (pace.isDue) await pace.turn();
			if (revision > last) continue;
			nodes.set(node.record.id, nodeView(node));
			deleted.delete(node.record.id);
		}
		for (const { id, revision } of changed.deleted) {
			if (revision > last) continue;
			deleted.add(id);
			nodes.delete(id);
		}
		entries += changed.nodes.length + changed.deleted.length;
		size += used;
		revision = last;
		more = newest.revision > last;
		if (last < changed.revision) break;
	}
	return { nodes: [...nodes.values()], deleted: [...deleted], revision, more };
}

/** How many changes to read next. So many that those which don't fit in are few, as far as can be told from those before. */
function nextLimit(entries: number, size: number, limit: number, characters: number): number {
	if (characters === Number.POSITIVE_INFINITY) return limit;
	const fitting = entries === 0 ? firstChanges : Math.floor(((characters - size) * entries) / Math.max(size, 1));
	return Math.max(1, Math.min(limit - entries, fitting));
}

function* changesAndNewest(asked: { since: number; limit: number }): Operation<readonly [ChangedSince, ChangedSince]> {
	return yield* ask({ type: "changes", ...asked }, newestQuery);
}

/** A node that looks different since a revision. */
interface Concerned {
	readonly node: StoredNode;
	readonly revision: number;
}

/** The nodes that look different since some changes, and since when. */
async function concernedNodes(run: RunOperation, { nodes }: ChangedSince, pace: Pace): Promise<Concerned[]> {
	const revisions = new Map<string, number>();
	for (const { id, revision } of nodes) revisions.set(id, revision);
	const concerned = new Map<string, Concerned>();
	if (pace.isDue) await pace.turn();
	for (let start = 0; start < nodes.length; start += nodesInARow) {
		const ids = nodes.slice(start, start + nodesInARow).map(({ id }) => id);
		for (const node of await run(() => relatedTo(ids))) {
			const { id, originId } = node.record;
			const own = revisions.get(id) ?? Number.POSITIVE_INFINITY;
			const revision = Math.min(own, (originId === null ? undefined : revisions.get(originId)) ?? own);
			if (revision < Number.POSITIVE_INFINITY) concerned.set(id, { node, revision });
		}
		if (pace.isDue) await pace.turn();
	}
	return [...concerned.values()];
}

function* relatedTo(ids: readonly string[]): Operation<readonly StoredNode[]> {
	const [related] = yield* ask({ type: "related", ids });
	return related;
}

/** The last commit that fits in with those before it, and how many characters they have. The first may be one that doesn't. */
function lastFitting(
	{ revision }: ChangedSince,
	concerned: readonly Concerned[],
	room: number,
	isFirst: boolean,
): { last: number; used: number } {
	const sizes = new Map<number, number>();
	for (const { node, revision } of concerned) {
		sizes.set(revision, (sizes.get(revision) ?? 0) + sizeOfRecord(contentOf(node)));
	}
	let used = 0;
	let last: number | undefined;
	for (const commit of [...sizes.keys()].sort((left, right) => left - right)) {
		const size = sizes.get(commit)!;
		// Deletions have no text: those of the commits before go along.
		if (used + size > room && !(isFirst && last === undefined)) return { last: commit - 1, used };
		used += size;
		last = commit;
	}
	return { last: revision, used };
}

function unknownRevision(since: number, newest: number): OutlineError {
	return new OutlineError(
		"invalid_argument",
		`since is ${since}, and the outline is at revision ${newest}: it isn't the one that gave that revision, or it was restored from a copy. Begin again with 0.`,
	);
}
