import type { Outline } from "outlinekit";
import { nodes } from "../text/count.js";
import { ancestorsOf } from "./ancestors.js";
import { asTyped, whyNothing } from "./query.js";
import { nodeOrNull, searchesKey } from "./saved.js";

const noIds: ReadonlySet<string> = new Set();

/** A query whose hits show in their places, with the nodes above them. */
export class Filter {
	readonly query: string;
	/** The number of hits in words, or why there are none. */
	readonly status: string;
	readonly hits: ReadonlySet<string>;
	/** The nodes above the hits. They show unfolded. */
	readonly above: ReadonlySet<string>;
	/** Nodes that show although they are no hits, because they are newer than the search. */
	readonly #written: ReadonlySet<string>;

	/** A filter without a query, which shows everything. */
	static readonly none = new Filter("", "", noIds, noIds, noIds);

	private constructor(
		query: string,
		status: string,
		hits: ReadonlySet<string>,
		above: ReadonlySet<string>,
		written: ReadonlySet<string>,
	) {
		this.query = query;
		this.status = status;
		this.hits = hits;
		this.above = above;
		this.#written = written;
	}

	/** The same with another query, for which it doesn't have the hits yet. */
	asking(query: string): Filter {
		return new Filter(query, this.status, this.hits, this.above, noIds);
	}

	/** The same with some more nodes. */
	with(ids: Iterable<string>): Filter {
		return new Filter(this.query, this.status, this.hits, this.above, new Set([...this.#written, ...ids]));
	}

	/**
	 * Finds the hits of the query. Saved searches are no hits, unless one looks among them: their names would
	 * be, since these are often the queries.
	 *
	 * @param within - the id of the node below which to look; `null` for the whole outline
	 */
	async found(outline: Outline, within: string | null): Promise<Filter> {
		if (this.query.trim() === "") return new Filter(this.query, "", noIds, noIds, noIds);
		try {
			const searches = await savedSearchesOutside(outline, within);
			const all = await outline.search(asTyped(this.query), { within, limit: Number.POSITIVE_INFINITY });
			const found = all.filter(({ path }) => searches === null || !path.includes(searches));
			const hits = new Set(found.map(({ node }) => node.id));
			const above = new Set(found.flatMap(({ path }) => path.slice(0, -1)));
			const status = hits.size === 0 ? whyNothing(this.query) : nodes(hits.size);
			return new Filter(this.query, status, kept(this.hits, hits), kept(this.above, above), noIds);
		} catch (error) {
			if ((error as { code?: unknown }).code !== "invalid_argument") throw error;
			return new Filter(this.query, (error as Error).message, noIds, noIds, noIds);
		}
	}

	/**
	 * Whether it is known to show the same nodes as another. With each letter of a word, a query often finds the same
	 * nodes again.
	 */
	showsLike(other: Filter | null): boolean {
		if (other === null || this.query.trim() === "" || other.query.trim() === "") return false;
		return this.hits === other.hits && this.above === other.above && this.#written === other.#written;
	}

	/** Whether a node shows. */
	shows(id: string): boolean {
		return this.query.trim() === "" || this.hits.has(id) || this.above.has(id) || this.#written.has(id);
	}
}

/** The earlier ids if the later ones are the same. */
function kept(before: ReadonlySet<string>, now: ReadonlySet<string>): ReadonlySet<string> {
	return before.size === now.size && [...now].every((id) => before.has(id)) ? before : now;
}

/** The id of the node with the saved searches; null if there is none, or if it is the place or above it. */
async function savedSearchesOutside(outline: Outline, place: string | null): Promise<string | null> {
	const home = await nodeOrNull(outline, searchesKey);
	if (home === null || place === null) return home?.id ?? null;
	const above = await ancestorsOf(outline, place);
	return place === home.id || above.some(({ id }) => id === home.id) ? null : home.id;
}
