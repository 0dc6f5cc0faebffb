import { askAll, type Reading } from "../engine/protocol.js";
import { nodeView } from "../node.js";
import type { SearchHit } from "../search/outline-search.js";

/** A node that a search of the whole outline has found. */
export type Found = Pick<SearchHit, "node" | "score">;

/** The hits as they look to this reading; those that it doesn't find are left out. */
export function* shownHits(hits: readonly Found[]): Reading<SearchHit[]> {
	const ids = hits.map(({ node }) => node.id);
	const [related, ...lineages] = yield* askAll([
		{ type: "related", ids },
		...ids.map((id) => ({ type: "ancestors", of: { id } }) as const),
	] as const);
	const nodes = new Map(related.map((node) => [node.record.id, node]));
	return hits.flatMap(({ score }, place) => {
		const node = nodes.get(ids[place]!);
		return node === undefined ? [] : [{ node: nodeView(node), path: lineages[place]!.toReversed(), score }];
	});
}
