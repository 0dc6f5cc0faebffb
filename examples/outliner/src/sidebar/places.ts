import type { Outline, OutlineNode } from "outlinekit";
import { nodeOrNull, type SavedSearch, savedSearches, searchesKey } from "../filter/saved.js";
import { shownText } from "../text/fragment.js";

/** A node to go to. */
export interface NamedPlace {
	readonly id: string;
	readonly name: string;
	/** The key of a shortcut. */
	readonly shortcut?: string;
}

/** All that the sidebar leads to. */
export interface SidebarPlaces {
	/** The ids of the nodes of today and of the inbox; null before these exist. */
	readonly today: string | null;
	readonly inbox: string | null;
	readonly shortcuts: readonly NamedPlace[];
	readonly searches: readonly SavedSearch[];
	/** The id of the node with the saved searches; null before the first one. */
	readonly searchesHome: string | null;
	/** The nodes that the user has gone into, but for the ones above. */
	readonly recent: readonly NamedPlace[];
	/** The ids of the nodes whose changes may change the sidebar, deleted ones too. */
	readonly watched: ReadonlySet<string>;
}

/** The most recent places that show. */
const mostRecent = 5;

/**
 * Reads the places of the sidebar.
 *
 * @param visited - the ids of the nodes that the user has gone into, the last one first
 */
export async function sidebarPlaces(outline: Outline, visited: readonly string[]): Promise<SidebarPlaces> {
	const keys = (await outline.targets()).flatMap(({ type, key }) => (type === "shortcut" ? [key] : []));
	const [today, inbox, saved, ...shortcutNodes] = await Promise.all([
		nodeOrNull(outline, "today"),
		nodeOrNull(outline, "inbox"),
		savedSearches(outline),
		...keys.map((key) => nodeOrNull(outline, key)),
	]);
	const shortcuts = shortcutNodes.flatMap((node, index) => {
		const shortcut = keys[index]!;
		return node === null || shortcut === searchesKey ? [] : [{ ...named(node), shortcut }];
	});
	const above = new Set([today, inbox, saved.home, ...shortcuts].flatMap((node) => (node === null ? [] : [node.id])));
	const others = visited.filter((id) => !above.has(id));
	const recent = (await Promise.all(others.map((id) => nodeOrNull(outline, id))))
		.flatMap((node) => (node === null ? [] : [named(node)]))
		.slice(0, mostRecent);
	return {
		today: today?.id ?? null,
		inbox: inbox?.id ?? null,
		shortcuts,
		searches: saved.searches,
		searchesHome: saved.home?.id ?? null,
		recent,
		watched: new Set([
			...above,
			...others,
			...saved.searches.flatMap(({ id, within }) => (within === null ? [id] : [id, within])),
		]),
	};
}

function named({ id, name }: OutlineNode): NamedPlace {
	return { id, name: shownText(name).trim() || "Untitled" };
}
