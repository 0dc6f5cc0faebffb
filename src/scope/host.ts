import type { Call } from "../engine/call.js";
import { askAll, type Operation } from "../engine/protocol.js";
import { nodeView } from "../node.js";
import type { Prepared } from "../operations/prepared.js";
import type { SearchHit, SearchInput } from "../search/outline-search.js";

/** The methods that a scope needs of its outline. */
export interface ScopeHost {
	/** @throws `closed` */
	begin(): Call;
	read<T>(operation: () => Operation<T>): Promise<T>;
	write<T>(operation: string, prepare: (call: Call) => Prepared<T>): Promise<T>;
	search(query: string, input: SearchInput): Promise<SearchHit[]>;
	backlinks(ref: string): Promise<SearchHit[]>;
}

/** A node that a search of the whole outline has found. */
export type Found = Pick<SearchHit, "node" | "score">;

/** The hits with the views and paths that this operation sees, without the nodes that it can't see. */
export function* shownHits(hits: readonly Found[]): Operation<SearchHit[]> {
	const ids = hits.map(({ node }) => node.id);
	const [related, ...lineages] = yield* askAll([
		{ type: "related", ids },
		...ids.map((id) => ({ type: "ancestors", of: { id } }) as const),
	] as const);
	const nodes = new Map(related.map((node) => [node.record.id, node]));
	return hits.flatMap(({ score }, index) => {
		const node = nodes.get(ids[index]!);
		return node === undefined ? [] : [{ node: nodeView(node), path: lineages[index]!.toReversed(), score }];
	});
}
