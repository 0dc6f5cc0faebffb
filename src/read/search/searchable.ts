import { addTo } from "../../engine/lists.js";
import { datesInText } from "../../markup/html/time.js";
import { hasUrl } from "../../markup/urls.js";
import type { Steps } from "../../pace.js";
import type { NodeRecord } from "../../storage.js";
import type { AddressReader } from "./address.js";
import type { DatesByDay } from "./date-index.js";
import { fold, foldedInPieces } from "./fold.js";
import { isText, nameText } from "./name-text.js";
import { eachTag } from "./tokens.js";

/** The fields of a node that are searched. */
export type Content = Pick<NodeRecord, "name" | "note" | "layoutMode" | "properties">;

/** The use of a tag in a node. */
export interface TagUse {
	/** The tag as written in the node, the first time. */
	readonly written: string;
	/** Whether the note has the tag, and not only the name. */
	readonly inNote: boolean;
}

/** The data by which a search finds a node. */
export interface Searchable {
	/** The text with the words of the name. */
	readonly name: string;
	/** The text with the words of the note. */
	readonly note: string;
	/** The tags by their folded form. Code and the labels of links have no tags. */
	readonly tags: ReadonlyMap<string, TagUse>;
	/** The short ids of the nodes that it links to. */
	readonly links: ReadonlyMap<string, true>;
	/** Its dates. Code and the labels of links have no dates in brackets. */
	readonly dates: DatesByDay;
}

/** Matches a part of all markup, tags, addresses and dates. Most texts have none. */
const special = /[<&#@＃＠[]|:\/\/|www\./i;
const bracketedDate = /\[\d{4}-\d\d-\d\d[ \]]/;
/** The length above which a tag is folded in steps. */
const longTag = 1000;

const none: ReadonlyMap<string, never> = new Map<string, never>();

/** Content without any words. */
export const noContent: Content = { name: "", note: null, layoutMode: "bullets", properties: null };

/** Returns the searchable data of a node if it has words alone, as most have; otherwise undefined. */
export function wordsOnly({ name, note }: Content): Searchable | undefined {
	if (special.test(name) || (note !== null && special.test(note))) return undefined;
	return { name, note: note ?? "", tags: none, links: none, dates: none };
}

/** Whether a node has a link in its name, or a web address in its note. Not if its data is {@link wordsOnly}. */
export function hasLink({ name, note }: Content): boolean {
	return name.includes("<a ") || (note !== null && hasUrl(note));
}

/**
 * Reads the searchable data of a node in steps. Linear in the length of its texts.
 *
 * @param timeZone - the zone of times in brackets
 */
export function* searchable(
	{ name, note, layoutMode }: Content,
	addresses: AddressReader,
	timeZone: string,
): Steps<Searchable> {
	const { text, prose, hrefs, datetimes } = isText(name)
		? { text: name, prose: name, hrefs: [], datetimes: [] }
		: yield* nameText(name);
	const namePlain = layoutMode === "code-block" ? "" : prose;
	const notePlain = note ?? "";
	const tags = new Map<string, TagUse>();
	for (const inNote of [false, true]) {
		const all: string[] = [];
		yield* eachTag(inNote ? notePlain : namePlain, (written) => all.push(written));
		for (const [index, written] of all.entries()) {
			const tag = written.length > longTag ? yield* foldedInPieces(written) : fold(written);
			tags.set(tag, { written: tags.get(tag)?.written ?? written, inNote });
			if (index % 256 === 255) yield;
		}
	}
	const links = new Map<string, true>();
	const addLink = (shortId: string) => links.set(shortId, true);
	for (const [index, href] of hrefs.entries()) {
		const shortId = addresses.inLink(href);
		if (shortId !== undefined) addLink(shortId);
		if (index % 1024 === 1023) yield;
	}
	yield* addresses.eachInText(namePlain, addLink);
	yield* addresses.eachInText(notePlain, addLink);
	const dates = yield* datesByDay(datetimes, [namePlain, notePlain], timeZone);
	return { name: text, note: notePlain, tags, links, dates };
}

/** Adds the dates in brackets, as in `[2026-12-01 09:30]`, to the dates of a name. */
function* datesByDay(datetimes: readonly string[], texts: readonly string[], timeZone: string): Steps<DatesByDay> {
	const found = [...datetimes];
	for (const text of texts) {
		if (!bracketedDate.test(text)) continue;
		for (const part of datesInText(text, timeZone)) {
			if (typeof part !== "string") found.push(part.datetime);
			yield;
		}
	}
	if (found.length === 0) return none;
	const dates = new Map<string, string[]>();
	for (const [index, datetime] of found.entries()) {
		const day = datetime.slice(0, 10);
		addTo(dates, day, datetime);
		if (index % 1024 === 1023) yield;
	}
	return dates;
}
