import type { Steps } from "../../pace.js";
import type { Hit } from "./evaluation.js";
import type { GraphNode, SearchGraph } from "./search-graph.js";

/** Hits whose nodes are loaded at once. */
export interface Portion {
	readonly hits: readonly Hit[];
	/** The ids of the ancestors of the hits; none unless their nodes are loaded too. */
	readonly above: ReadonlySet<string>;
	/** The ids of the hits and ancestors that have mirrors. */
	readonly mirrored: ReadonlySet<string>;
}

/** The maximum size of a portion with several hits: characters of texts, and ids of nodes and ancestors. */
const most = { characters: 2 ** 19, ids: 2048 };

/**
 * Splits hits into portions in their order, by the length of their texts and by their depth.
 *
 * @param withAncestors - whether the nodes of the ancestors are loaded too
 */
export function* portionsOf(
	hits: readonly Hit[],
	graph: SearchGraph,
	charactersOf: (node: GraphNode) => number,
	withAncestors: boolean,
): Steps<Portion[]> {
	const portions: Portion[] = [];
	const begun = () => ({ hits: [] as Hit[], above: new Set<string>(), mirrored: new Set<string>() });
	let portion = begun();
	let room = most;
	for (const hit of hits) {
		const node = graph.find(hit.id)!;
		let characters = charactersOf(node);
		let ids = 1;
		for (let above = node.parent; above !== null && ids < most.ids; above = above.parent) {
			ids += 1;
			if (withAncestors && above.present && !portion.above.has(above.id)) characters += charactersOf(above);
		}
		if (portion.hits.length > 0 && (characters > room.characters || ids > room.ids)) {
			portions.push(portion);
			portion = begun();
			room = most;
		}
		portion.hits.push(hit);
		if (graph.mirrorsOf(node).size > 0) portion.mirrored.add(hit.id);
		for (let above = withAncestors ? node.parent : null; above !== null; above = above.parent) {
			if (portion.above.has(above.id) || portion.above.size > most.ids) break;
			portion.above.add(above.id);
			if (graph.mirrorsOf(above).size > 0) portion.mirrored.add(above.id);
		}
		room = { characters: room.characters - characters, ids: room.ids - ids };
		yield;
	}
	if (portion.hits.length > 0) portions.push(portion);
	return portions;
}
