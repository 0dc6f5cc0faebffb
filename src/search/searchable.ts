import type { NodeRecord } from "../storage.js";
import type { AddressReader } from "./address.js";
import { fold } from "./fold.js";
import { nameText } from "./name-text.js";
import { tags, words } from "./tokens.js";

/** The fields of a node that hold what is searched. */
export type Content = Pick<NodeRecord, "name" | "note" | "layoutMode">;

/** How a node bears a tag. */
export interface TagUse {
	/** As it is written in the node, the first time. */
	readonly written: string;
	/** Whether the note bears it, not only the name. */
	readonly inNote: boolean;
}

/** What can be found of a node. */
export interface Searchable {
	/** The words of the name, in their order. */
	readonly name: readonly string[];
	/** The words of the note, in their order. */
	readonly note: readonly string[];
	/** The tags by their folded form. In code and in the labels of links there are none. */
	readonly tags: ReadonlyMap<string, TagUse>;
	/** The short ids of the nodes that it links to. */
	readonly links: ReadonlySet<string>;
}

/** What can be found of nothing. */
export const nothing: Searchable = { name: [], note: [], tags: new Map(), links: new Set() };

/** Reads what can be found of a node. In time linear in its texts. */
export function searchable({ name, note, layoutMode }: Content, addresses: AddressReader): Searchable {
	const { text, prose, hrefs } = nameText(name);
	const namePlain = layoutMode === "code-block" ? "" : prose;
	const notePlain = note ?? "";
	const uses = new Map<string, TagUse>();
	for (const written of tags(namePlain)) {
		const tag = fold(written);
		if (!uses.has(tag)) uses.set(tag, { written, inNote: false });
	}
	for (const written of tags(notePlain)) {
		const tag = fold(written);
		uses.set(tag, { written: uses.get(tag)?.written ?? written, inNote: true });
	}
	const links = [
		...hrefs.map((href) => addresses.inLink(href)),
		...addresses.inText(namePlain),
		...addresses.inText(notePlain),
	];
	return {
		name: words(text),
		note: words(notePlain),
		tags: uses,
		links: new Set(links.filter((shortId) => shortId !== undefined)),
	};
}
