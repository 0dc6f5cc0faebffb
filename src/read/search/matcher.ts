import type { JsonValue } from "../../properties.js";
import type { DateIndex } from "./date-index.js";
import type { Holders } from "./holders.js";
import { findsValue } from "./property-query.js";
import type { Condition } from "./query.js";
import type { GraphNode, SearchGraph } from "./search-graph.js";
import type { TagUse } from "./searchable.js";
import type { SlotSets } from "./slot-set.js";
import type { WordIndex } from "./word-index.js";

/** The indexes for evaluating a query. They must not change meanwhile. */
export interface Indexes {
	readonly graph: SearchGraph;
	readonly words: WordIndex<GraphNode>;
	readonly tags: Holders<GraphNode, TagUse>;
	/** The nodes that link to a node, by its short id. */
	readonly links: Holders<GraphNode, true>;
	readonly properties: Holders<GraphNode, readonly JsonValue[]>;
	readonly dates: DateIndex<GraphNode>;
	readonly sets: SlotSets;
}

/** Answers a condition that isn't about words. Ignores whether the condition is negated. */
export interface Matcher {
	/** The number of nodes that {@link Matcher.nodes} returns; `Infinity` if no index has them. */
	readonly size: number;
	/** Returns all nodes whose own content meets the condition, and perhaps others. */
	nodes(): Iterable<GraphNode>;
	/** Whether a node meets the condition. `shown` is the node whose content it shows. */
	meets(node: GraphNode, shown: GraphNode): boolean;
}

type OtherCondition = Exclude<Condition, { readonly type: "words" }>;

/** Returns the matcher of a condition. @param inNote - whether only the notes are searched for tags */
export function matcherOf(condition: OtherCondition, indexes: Indexes, inNote: boolean): Matcher {
	const { graph, tags, links, properties, dates } = indexes;
	switch (condition.type) {
		case "tag": {
			const bearers = [...tags.where((tag) => isMeant(condition, tag))];
			return new Among(bearers, (_, shown) => {
				for (const nodes of bearers) {
					const use = nodes.get(shown);
					if (use !== undefined && (use.inNote || !inNote)) return true;
				}
				return false;
			});
		}
		case "link": {
			const nodes = links.of(condition.shortId);
			return new Among([nodes], (_, shown) => nodes.has(shown));
		}
		case "property": {
			const { key, value } = condition;
			const nodes = properties.of(key);
			const isFound = (each: JsonValue) => value === undefined || findsValue(value, each);
			return new Among([nodes], (_, shown) => nodes.get(shown)?.some(isFound) ?? false);
		}
		case "dated":
			return new Among(dates.near(condition), (_, shown) => dates.has(shown, condition));
		case "date": {
			const { field, from, before } = condition;
			return {
				size: Number.POSITIVE_INFINITY,
				nodes: () => [],
				meets(node, shown) {
					const moment = field === "createdAt" ? node.createdAt : shown[field];
					return moment !== null && moment >= from && moment < before;
				},
			};
		}
		case "state": {
			const { state } = condition;
			if (state === "mirror") {
				return { size: graph.mirrorCount, nodes: () => graph.mirrors(), meets: (node) => node.origin !== null };
			}
			if (state === "mirrored") {
				const hasMirrors = (_: GraphNode, shown: GraphNode) => graph.mirrorsOf(shown).size > 0;
				return { size: graph.mirroredCount, nodes: () => graph.mirrored(), meets: hasMirrors };
			}
			const listed = graph.listed[state];
			return { size: listed.length, nodes: () => listed, meets: (_, shown) => listed.has(shown) };
		}
	}
}

/** Whether a condition is about a tag, in its folded form. */
export function isMeant({ tag, isPrefix }: Condition & { readonly type: "tag" }, other: string): boolean {
	return other.startsWith(tag) && (isPrefix || other.length === tag.length || other[tag.length] === "/");
}

/** A matcher of the nodes in some maps. */
class Among implements Matcher {
	readonly size: number;
	readonly meets: Matcher["meets"];
	readonly #maps: readonly ReadonlyMap<GraphNode, unknown>[];

	constructor(maps: readonly ReadonlyMap<GraphNode, unknown>[], meets: Matcher["meets"]) {
		this.size = maps.reduce((sum, { size }) => sum + size, 0);
		this.meets = meets;
		this.#maps = maps;
	}

	nodes(): Iterable<GraphNode> {
		return this.#maps.length === 1 ? this.#maps[0]!.keys() : this.#nodesOfAll();
	}

	*#nodesOfAll(): Generator<GraphNode, undefined, undefined> {
		for (const map of this.#maps) yield* map.keys();
	}
}
