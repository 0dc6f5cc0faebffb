import type { Outline } from "outlinekit";
import { nodes } from "../text/count.js";
import { codeOf } from "../text/error-code.js";
import { ancestorsOf } from "./ancestors.js";
import { asTyped, whyNothing } from "./query.js";
import { nodeOrNull, searchesKey } from "./saved.js";

const noIds: ReadonlySet<string> = new Set();

/** The nodes that a search has found. */
interface Found {
	readonly hits: ReadonlySet<string>;
	readonly above: ReadonlySet<string>;
}

/** A query whose hits show in their places, with the nodes above them. */
export class Filter {
	readonly query: string;
	/** The number of hits in words, or why there are none. */
	readonly status: string;
	/** Null without a search: then everything shows. */
	readonly #found: Found | null;
	/** Nodes that show although they are no hits: newer ones, and hits of the search before. */
	readonly #kept: ReadonlySet<string>;

	/** A filter without a query, which shows everything. */
	static readonly none = new Filter("", "", null, noIds);

	private constructor(query: string, status: string, found: Found | null, kept: ReadonlySet<string>) {
		this.query = query;
		this.status = status;
		this.#found = found;
		this.#kept = kept;
	}

	/** The nodes that the query finds. */
	get hits(): ReadonlySet<string> {
		return this.#found?.hits ?? noIds;
	}

	/** The nodes above the hits, which show unfolded. Undefined if everything shows. */
	get above(): ReadonlySet<string> | undefined {
		return this.#found?.above;
	}

	/** The same with another query, for which it doesn't have the hits yet. */
	asking(query: string): Filter {
		return new Filter(query, this.status, this.#found, noIds);
	}

	/** The same with some more nodes. */
	with(ids: Iterable<string>): Filter {
		const kept = new Set([...this.#kept, ...ids]);
		return kept.size === this.#kept.size ? this : new Filter(this.query, this.status, this.#found, kept);
	}

	/**
	 * Finds the hits of the query. Returns this filter if they are the same as before. Saved searches are no
	 * hits, unless one looks among them: their names would be, since these are often the queries. A query that
	 * can't be read finds the same as without its last word, which may still be typed.
	 *
	 * @param within - the id of the node below which to look; `null` for the whole outline
	 */
	async found(outline: Outline, within: string | null): Promise<Filter> {
		if (this.query.trim() === "") return new Filter(this.query, "", null, noIds);
		try {
			const searches = await savedSearchesOutside(outline, within);
			const all = await outline.search(asTyped(this.query), { within, limit: Number.POSITIVE_INFINITY });
			const found = all.filter(({ path }) => searches === null || !path.includes(searches));
			const hits = new Set(found.map(({ node }) => node.id));
			const above = new Set(found.flatMap(({ path }) => path.slice(0, -1)));
			const status = hits.size === 0 ? whyNothing(this.query) : nodes(hits.size);
			const known = this.#found;
			const isSame = known !== null && areEqual(hits, known.hits) && areEqual(above, known.above);
			if (isSame && status === this.status) return this;
			return new Filter(this.query, status, isSame ? known : { hits, above }, noIds);
		} catch (error) {
			if (codeOf(error) !== "invalid_argument") throw error;
			const shorter = await this.asking(this.query.trimEnd().replace(/\S+$/, "")).found(outline, within);
			return new Filter(this.query, (error as Error).message, shorter.#found, noIds);
		}
	}

	/**
	 * Whether it is known to show the same nodes as another. With each letter of a word, a query often finds the same
	 * nodes again.
	 */
	showsLike(other: Filter | null): boolean {
		return other !== null && this.#found !== null && this.#found === other.#found && this.#kept === other.#kept;
	}

	/** Whether a node shows. */
	shows(id: string): boolean {
		return this.#found === null || this.hits.has(id) || this.#found.above.has(id) || this.#kept.has(id);
	}
}

function areEqual(left: ReadonlySet<string>, right: ReadonlySet<string>): boolean {
	return left.size === right.size && [...left].every((id) => right.has(id));
}

/** The id of the node with the saved searches; null if there is none, or if it is the place or above it. */
async function savedSearchesOutside(outline: Outline, place: string | null): Promise<string | null> {
	const home = await nodeOrNull(outline, searchesKey);
	if (home === null || place === null) return home?.id ?? null;
	const above = await ancestorsOf(outline, place);
	return place === home.id || above.some(({ id }) => id === home.id) ? null : home.id;
}
