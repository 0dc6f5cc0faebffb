import { askAll, type Operation } from "../../engine/protocol.js";
import { contentOf, nodeView } from "../../node.js";
import type { StoredNode } from "../../storage.js";
import type { SearchHit } from "./options.js";
import type { Portion } from "./portion.js";

/**
 * Returns the hits of a portion with their nodes and paths, all of one revision. Omits the nodes that this
 * operation can't see, or that were deleted after the search.
 *
 * @param withAncestors - whether the hits have the names of their ancestors
 * @param pathLength - the most ids in a path
 */
export function* shownHits(
	{ hits, above, mirrored }: Portion,
	withAncestors: boolean,
	pathLength: number,
): Operation<SearchHit[]> {
	const limit = pathLength === Number.POSITIVE_INFINITY ? {} : { limit: pathLength };
	// A `related` query would return the records of all mirrors, each with the origin's texts.
	const plain = hits.filter(({ id }) => !mirrored.has(id) && !above.has(id)).map(({ id }) => id);
	for (const id of above) if (!mirrored.has(id)) plain.push(id);
	const answers = yield* askAll([
		{ type: "related", ids: plain },
		...hits.map(({ id }) => ({ type: "ancestors", of: { id }, ...limit }) as const),
		...Array.from(mirrored, (id) => ({ type: "node", at: { id } }) as const),
	]);
	const lines = answers.slice(1, 1 + hits.length) as readonly (readonly string[])[];
	const paths = lines.map((line) => line.slice(0, pathLength));
	const nodes = new Map<string, StoredNode>();
	for (const node of answers[0] as readonly StoredNode[]) nodes.set(node.record.id, node);
	for (const node of answers.slice(1 + hits.length) as readonly (StoredNode | null)[]) {
		if (node !== null) nodes.set(node.record.id, node);
	}
	if (withAncestors) {
		// The index doesn't have the last moves yet.
		const moved = new Set(paths.flat().filter((id) => !nodes.has(id)));
		const found = moved.size === 0 ? [[]] : yield* askAll([{ type: "related", ids: [...moved] }]);
		for (const node of found[0] as readonly StoredNode[]) nodes.set(node.record.id, node);
	}
	return hits.flatMap(({ id, score, date }, index) => {
		const node = nodes.get(id);
		if (node === undefined) return [];
		const path = paths[index]!.toReversed();
		const hit: SearchHit = { node: nodeView(node), path, score };
		if (date !== undefined) hit.date = date;
		if (withAncestors) {
			hit.ancestors = path.slice(0, -1).map((each) => ({ id: each, name: contentOf(nodes.get(each)!).name }));
		}
		return [hit];
	});
}
