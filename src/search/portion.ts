import type { Steps } from "../pace.js";
import type { Hit } from "./evaluation.js";
import type { GraphNode, SearchGraph } from "./search-graph.js";

/** Hits whose nodes are loaded at once. */
export interface Portion {
	readonly hits: readonly Hit[];
	/** The ids of the hits that have mirrors. */
	readonly mirrored: ReadonlySet<string>;
}

/** The maximum size of a portion with several hits: characters of texts, and ids of nodes and ancestors. */
const most = { characters: 2 ** 19, ids: 2048 };

/** Splits hits into portions in their order, by the length of their texts and by their depth. */
export function* portionsOf(
	hits: readonly Hit[],
	graph: SearchGraph,
	charactersOf: (node: GraphNode) => number,
): Steps<Portion[]> {
	const portions: Portion[] = [];
	let portion = { hits: [] as Hit[], mirrored: new Set<string>() };
	let room = most;
	for (const hit of hits) {
		const node = graph.find(hit.id)!;
		const characters = charactersOf(node);
		let ids = 0;
		for (let above: GraphNode | null = node; above !== null && ids < most.ids; above = above.parent) ids += 1;
		if (portion.hits.length > 0 && (characters > room.characters || ids > room.ids)) {
			portions.push(portion);
			portion = { hits: [], mirrored: new Set() };
			room = most;
		}
		portion.hits.push(hit);
		if (graph.mirrorsOf(node).size > 0) portion.mirrored.add(hit.id);
		room = { characters: room.characters - characters, ids: room.ids - ids };
		yield;
	}
	if (portion.hits.length > 0) portions.push(portion);
	return portions;
}
