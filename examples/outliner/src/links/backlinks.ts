import type { Outline, OutlineEvent, OutlineNode } from "outlinekit";
import { type Found, foundHit } from "../dialogs/found.js";
import { originIdOf } from "../workspace/node.js";

/** The most nodes that show. */
const most = 20;

/** Nodes that link to another one. */
export interface Backlinks {
	readonly found: readonly Found[];
	/** Whether there are more. */
	readonly more: boolean;
	/** The ids of these nodes and of the nodes above them. A change of one may change the list. */
	readonly ids: ReadonlySet<string>;
}

/** The query that finds the nodes that link to a node, and if it is a mirror, to its origin. */
export function backlinksQuery(node: OutlineNode): string {
	const ids = new Set([node.id, originIdOf(node)]);
	return Array.from(ids, (id) => `links:${id.slice(-12)}`).join(" OR ");
}

/** Finds some of the nodes that a query finds, the last modified first. */
export async function findBacklinks(outline: Outline, query: string): Promise<Backlinks> {
	const hits = await outline.search(query, { limit: most + 1, ancestors: true });
	const shown = hits.slice(0, most);
	return {
		found: shown.map(foundHit),
		more: hits.length > most,
		ids: new Set(shown.flatMap(({ path }) => path)),
	};
}

/** Whether a commit may change the answer of a query for backlinks. Most don't, and cost no search. */
export function concerns({ changes }: OutlineEvent, query: string, known: Backlinks | undefined): boolean {
	const shortIds = query.match(/[0-9a-f]{12}/g)!;
	return changes.some(({ id, before, after }) => {
		if (known?.ids.has(id)) return true;
		const texts = `${after?.name} ${after?.note} ${before?.name} ${before?.note}`.toLowerCase();
		return shortIds.some((shortId) => texts.includes(shortId));
	});
}
