import { OutlineError, quoted } from "./errors.js";
import { nodeView, type OutlineNode } from "./node.js";
import { ask, type Reading } from "./operation.js";

/** What {@link Outline.changes} takes. */
export interface ChangesInput {
	/** The revision that is known already, from an earlier answer or event; 0 for none. */
	since: number;
	/** About how many nodes and ids to give at once, 1 to 10,000: whole commits until there are so many. Default 1,000. */
	limit?: number | undefined;
}

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
	/** Whether there are more changes beyond the limit. */
	more: boolean;
}

/** Checks what `changes` was given. @throws `invalid_argument` */
export function changesArgument({ since, limit = 1000 }: { readonly [F in keyof ChangesInput]?: unknown }): {
	since: number;
	limit: number;
} {
	if (typeof since !== "number" || !Number.isSafeInteger(since) || since < 0) {
		throw new OutlineError(
			"invalid_argument",
			`since is ${quoted(since)}. It must be a revision that an earlier answer gave, or 0 for everything.`,
		);
	}
	if (typeof limit !== "number" || !Number.isInteger(limit) || limit < 1 || limit > 10_000) {
		throw new OutlineError("invalid_argument", `limit is ${quoted(limit)}. It must be an integer from 1 to 10,000.`);
	}
	return { since, limit };
}

/** The nodes that have changed since a revision. @throws `invalid_argument` for a revision that the outline hasn't had yet */
export function* changesSince(since: number, limit: number): Reading<OutlineChanges> {
	const [{ nodes, deleted, revision }] = yield* ask({ type: "changes", since, limit });
	if (revision < since) {
		throw new OutlineError(
			"invalid_argument",
			`since is ${since}, and the outline is at revision ${revision}: it isn't the one that gave that revision, or it was restored from a copy. Begin anew with 0.`,
		);
	}
	const ids = nodes.map(({ id }) => id);
	const [related, next] = yield* ask({ type: "related", ids }, { type: "changes", since: revision, limit: 1 });
	const changed = new Set(ids);
	const concerned = related.filter(
		({ record }) => changed.has(record.id) || (record.originId !== null && changed.has(record.originId)),
	);
	return {
		nodes: concerned.map((node) => nodeView(node)),
		deleted: deleted.map(({ id }) => id),
		revision,
		more: next.revision > revision,
	};
}
