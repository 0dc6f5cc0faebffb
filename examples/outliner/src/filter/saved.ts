import type { BatchOperation, Outline, OutlineNode } from "outlinekit";
import { toText } from "outlinekit/markup";
import { codeOf } from "../text/error-code.js";
import { asTyped } from "./query.js";

/** The shortcut of the node whose children are the saved searches. */
export const searchesKey = "searches";

/** A query with a name: a node with the property `query`, and `within` if it looks below one node only. */
export interface SavedSearch {
	readonly id: string;
	readonly name: string;
	readonly query: string;
	/** The id of the node below which it looks; null for the whole outline. */
	readonly within: string | null;
	/** Whether the node below which it looks is deleted. */
	readonly isLost: boolean;
}

/** The saved searches in their order, and the node that they are below; null before the first one. */
export interface SavedSearches {
	readonly home: OutlineNode | null;
	readonly searches: readonly SavedSearch[];
}

/** The node of a reference; null if there is none. */
export async function nodeOrNull(outline: Pick<Outline, "get">, reference: string): Promise<OutlineNode | null> {
	try {
		return await outline.get(reference);
	} catch (error) {
		if (codeOf(error) !== "not_found") throw error;
		return null;
	}
}

/** Reads the saved searches. */
export async function savedSearches(outline: Pick<Outline, "get" | "list">): Promise<SavedSearches> {
	const home = await nodeOrNull(outline, searchesKey);
	if (home === null) return { home, searches: [] };
	const { nodes } = await outline.list(home.id);
	const searches = nodes.map(async ({ id, name, properties }): Promise<SavedSearch[]> => {
		const { query, within = null } = properties;
		if (typeof query !== "string") return [];
		const isLost = typeof within === "string" && (await nodeOrNull(outline, within)) === null;
		return [
			{ id, name: toText(name).trim() || query, query, within: typeof within === "string" ? within : null, isLost },
		];
	});
	return { home, searches: (await Promise.all(searches)).flat() };
}

/**
 * Saves a query under a name, or replaces the query that has this name. Undo takes one step.
 *
 * @param within - the id of the node below which it looks; null for the whole outline
 * @throws `invalid_argument` for a query that can't be read
 */
export async function saveSearch(outline: Outline, name: string, query: string, within: string | null): Promise<void> {
	await outline.search(asTyped(query), { within, limit: 1 });
	const { home, searches } = await savedSearches(outline);
	const same = searches.find((each) => each.name === name);
	if (same !== undefined) {
		await outline.update(same.id, { properties: { query, within } });
		return;
	}
	const operations: BatchOperation[] = [];
	if (home === null) {
		operations.push(
			{ type: "create", as: "home", parent: null, position: "bottom", name: "Saved searches", format: "text" },
			{ type: "setShortcut", key: searchesKey, ref: { as: "home" } },
		);
	}
	operations.push({
		type: "create",
		parent: home?.id ?? { as: "home" },
		position: "bottom",
		name,
		format: "text",
		properties: { query, ...(within !== null && { within }) },
	});
	await outline.batch(operations);
}
