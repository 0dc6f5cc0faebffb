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
 * @param ancestors - the most ancestors of a hit whose nodes are loaded too
 */
export function* portionsOf(
	hits: readonly Hit[],
	graph: SearchGraph,
	charactersOf: (node: GraphNode) => number,
	ancestors: number,
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
			const isLoaded = ids <= ancestors + 1 && above.present && !portion.above.has(above.id);
			if (isLoaded) characters += charactersOf(above);
		}
		if (portion.hits.length > 0 && (characters > room.characters || ids > room.ids)) {
			portions.push(portion);
			portion = begun();
			room = most;
		}
		portion.hits.push(hit);
		if (graph.mirrorsOf(node).size > 0) portion.mirrored.add(hit.id);
		let left = ancestors;
		for (let above = node.parent; above !== null && left > 0; above = above.parent) {
			left -= 1;
			// Only if all ancestors are loaded, those of a known one are known too.
			if (portion.above.has(above.id) && ancestors === Number.POSITIVE_INFINITY) break;
			if (portion.above.size > most.ids) break;
			portion.above.add(above.id);
			if (graph.mirrorsOf(above).size > 0) portion.mirrored.add(above.id);
		}
		room = { characters: room.characters - characters, ids: room.ids - ids };
		yield;
	}
	if (portion.hits.length > 0) portions.push(portion);
	return portions;
}
