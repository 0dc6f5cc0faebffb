import { fieldNames } from "../../fields.js";
import type { OutlineNode } from "../../node.js";
import type { ReferenceText } from "../../reference/reference.js";

/** The options of {@link Outline.search}. */
export interface SearchInput {
	/** A reference: only this node and the nodes visible below it are searched. Default: all nodes. */
	within?: ReferenceText | null | undefined;
	/** The maximum number of hits, 1 to 1,000, or `Infinity` for all of them. Default 50. */
	limit?: number | undefined;
	/**
	 * The order of the hits. `score`: the best first. `date`: the earliest date first, where the date of a hit is
	 * the first date in its text that a `date:` term finds, or else its first date. Default `score`.
	 */
	order?: "score" | "date" | undefined;
	/** Whether hits have the names of their ancestors, for breadcrumbs. Reads each ancestor once. Default `false`. */
	ancestors?: boolean | undefined;
	/** Whether hits have the ranges of their texts that the query asks for, to mark them. Default `false`. */
	ranges?: boolean | undefined;
	/** The most ids in the `path` of a hit, and with it the `ancestors`: the last ones. Default: all. */
	pathLength?: number | undefined;
}

/** The option names of a search. */
export const searchFields = fieldNames<SearchInput>({
	within: true,
	limit: true,
	order: true,
	ancestors: true,
	ranges: true,
	pathLength: true,
});

/** The options of {@link Outline.backlinks}. */
export interface BacklinksInput {
	/** The maximum number of nodes: an integer from 1, or `Infinity`. Default: all. */
	limit?: number | undefined;
	/** The most ids in the `path` of a node: the last ones. Default: all. */
	pathLength?: number | undefined;
}

/** The option names of {@link Outline.backlinks}. */
export const backlinksFields = fieldNames<BacklinksInput>({ limit: true, pathLength: true });

/** A node that a search has found. */
export interface SearchHit {
	/** The node as `get` returns it. */
	node: OutlineNode;
	/** The ids from the top level to the node itself; with `pathLength`, the last ones of them. */
	path: string[];
	/** The quality of the hit: higher is better. Comparable within one result only. */
	score: number;
	/**
	 * With the order `date`: the date by which the hit is placed, as the `datetime` of its `<time>` tag, such as
	 * `2026-12-01` or `2026-12-01T09:30+01:00`. Absent if the node has no date.
	 */
	date?: string;
	/** With `ancestors`: the nodes of `path` without the last one, from the top level down. */
	ancestors?: HitAncestor[];
	/** With `ranges`: the words, phrases and tags of the query in the texts of the node. */
	ranges?: HitRanges;
}

/** A hit with the fields that the options of its search ask for. */
export type SearchHitOf<Input extends SearchInput> = SearchHit &
	(Input extends { ancestors: true } ? { ancestors: HitAncestor[] } : unknown) &
	(Input extends { ranges: true } ? { ranges: HitRanges } : unknown);

/** A node above a hit. */
export interface HitAncestor {
	/** Its id. */
	id: string;
	/** The name as `get` returns it. */
	name: string;
}

/** The parts of a node's texts that a query asks for, in ascending order and without overlaps. */
export interface HitRanges {
	/** Ranges of the text that a user reads in the name, as `toText` of `outlinekit/markup` returns it. */
	name: TextRange[];
	/** Ranges of the note. */
	note: TextRange[];
}

/** A part of a text. */
export interface TextRange {
	/** The offset of its first character, in UTF-16 code units. */
	start: number;
	/** The offset behind its last character. */
	end: number;
}
