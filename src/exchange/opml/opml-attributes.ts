import type { Settings } from "../../engine/settings.js";
import { OutlineError } from "../../errors.js";
import { isLayoutMode, type LayoutMode } from "../../layout-mode.js";
import { permittedHref } from "../../markup/html/link.js";
import { escapeAttribute, escapeText, normalizeText } from "../../markup/text.js";
import type { DraftNode } from "../../operations/draft.js";
import { plainName, readFragment, readNote } from "../../operations/name.js";
import type { Steps } from "../../pace.js";
import { assertPropertiesFit, changedProperties, propertiesArgument } from "../../properties.js";
import { dynalistName } from "../dynalist.js";
import type { LossCount } from "../loss.js";
import { momentOf } from "../moment.js";
import { isHtml, textWithTargets, withoutFormatting } from "./opml-html.js";

/** The namespace of our own attributes. A file that declares it was exported by outlinekit. */
export const namespace = "urn:outlinekit";

/** The options for reading the outlines of a file. */
export interface OpmlDialect {
	readonly settings: Settings;
	readonly lost: LossCount;
	/** Whether outlinekit exported the file. Then names are canonical fragments, and notes are plain text. */
	readonly isOwn: boolean;
	/** Whether Dynalist wrote the file. Then names are Markdown. */
	readonly isDynalist: boolean;
}

/** The attributes that outliners give a meaning, beside those with a namespace. */
const understood: ReadonlySet<string> = new Set([
	...["text", "_note", "note", "created", "_created"],
	...["modified", "_modified", "updated", "_updated", "heading", "_heading", "checkbox", "_checkbox", "_task", "task"],
	...["_complete", "complete", "completed", "_completed", "_status", "_checked", "checked"],
]);

/** The attributes with a URL, in the order in which the name links to one. */
const urls: readonly string[] = ["url", "htmlUrl", "xmlUrl"];

/** Whether a property can be an attribute with its key as the name. XML reserves names that begin with `xml`. */
export function fitsAttribute(key: string): boolean {
	return /^(?!xml(?!Url$))[a-z_][\w.-]{0,63}$/i.test(key) && !understood.has(key) && key !== "__proto__";
}

/** The most characters of a character in JSON. */
const escapedLength = 6;

const yes = new Set(["true", "yes", "1", "x", "checked", "done"]);
const no = new Set(["false", "no", "0", "", "unchecked", "indeterminate"]);
const headings: readonly LayoutMode[] = ["h1", "h2", "h3"];

/**
 * Returns a node from the attributes of an `outline` element, in the dialects of many outliners. Attributes
 * that aren't understood are counted by name.
 */
export function* draftOf(
	given: Readonly<Record<string, string>>,
	depth: number,
	dialect: OpmlDialect,
): Steps<DraftNode> {
	const { settings, lost } = dialect;
	const attributes = new Attributes(given, lost);
	const name = yield* nameOf(attributes, dialect);
	const typed = attributes.read(["_note", "note"], (value) => value);
	const note = typed === undefined ? null : yield* readNote(yield* noteOf(typed, dialect), settings);
	const completion = completionOf(attributes);
	const layoutMode = layoutModeOf(attributes);
	const createdAt = attributes.read(["created", "_created"], momentOf);
	const modifiedAt = attributes.read(["outlinekit:modified", "modified", "_modified", "updated", "_updated"], momentOf);
	const properties = propertiesOf(attributes, dialect);
	attributes.countOthers();
	return { depth, name, note, layoutMode, properties, ...completion, createdAt, modifiedAt };
}

/** The attributes of an element. Each counts as lost unless it is read. */
class Attributes {
	readonly #given: Map<string, string>;
	readonly #lost: LossCount;

	constructor(given: Readonly<Record<string, string>>, lost: LossCount) {
		this.#given = new Map(Object.entries(given));
		this.#lost = lost;
	}

	/** Returns the meaning of the first of these attributes that exists; undefined without a meaning. */
	read<T>(names: readonly string[], meaning: (value: string) => T | undefined): T | undefined {
		const name = names.find((each) => this.#given.has(each));
		const value = name === undefined ? undefined : meaning(this.#given.get(name)!);
		if (name !== undefined && value !== undefined) this.#given.delete(name);
		return value;
	}

	/** Returns the names of the attributes that haven't been read. */
	get others(): string[] {
		return [...this.#given.keys()];
	}

	/** Counts the attributes that haven't been read, except empty ones. */
	countOthers(): void {
		for (const [name, value] of this.#given) if (value !== "") this.#lost.add(`attribute ${name}`);
	}
}

/** Reads the type of a link. The name has the link, so the type says nothing more. */
const linkType = (type: string) => (type === "link" ? type : undefined);

/**
 * Returns the name, which is HTML in most dialects. If the element has a URL, the name becomes a link, unless it
 * has links already. A feed and an element that outlinekit exported have their URLs as properties instead.
 */
function* nameOf(attributes: Attributes, dialect: OpmlDialect): Steps<string> {
	const { settings, isOwn } = dialect;
	const text = attributes.read(["text", "title"], (value) => value) ?? "";
	const name = yield* nameOfText(text, dialect);
	if (isOwn) return name;
	if (attributes.others.includes("xmlUrl")) return name;
	attributes.read(["title"], (title) => (title === text ? title : undefined));
	if (name.includes("<a ")) {
		const isThere = (url: string) => (name.includes(`<a href="${escapeAttribute(url)}">`) ? url : undefined);
		if (attributes.read(["url"], isThere) !== undefined) attributes.read(["type"], linkType);
		return name;
	}
	const href = attributes.read(urls, (value) => permittedHref(value, settings.linkSchemes));
	if (href === undefined) return name;
	attributes.read(["type"], linkType);
	return yield* readFragment(
		`<a href="${escapeAttribute(href)}">${name === "" ? escapeText(href) : name}</a>`,
		settings,
	);
}

function* nameOfText(text: string, { settings, lost, isOwn, isDynalist }: OpmlDialect): Steps<string> {
	if (isDynalist) return yield* dynalistName(text, settings, lost);
	const plain = plainName(text, settings, "html");
	return plain ?? (yield* readFragment(isOwn ? text : yield* withoutFormatting(text, lost), settings));
}

function* noteOf(text: string, { settings, lost, isOwn }: OpmlDialect): Steps<string | null> {
	if (text === "" && !isOwn) return null;
	if (isOwn || !isHtml(text)) return text;
	return yield* textWithTargets(yield* readFragment(yield* withoutFormatting(text, lost), settings), lost);
}

/** Returns whether the node is completed. Some dialects state only the time of completion. */
function completionOf(attributes: Attributes): Pick<DraftNode, "completed" | "completedAt"> {
	const names = ["_complete", "complete", "completed", "_completed", "_status", "_checked", "checked"];
	const said = attributes.read(names, (value) => {
		const word = value.trim().toLowerCase();
		return yes.has(word) ? true : no.has(word) ? false : momentOf(value);
	});
	const completedAt = attributes.read(["outlinekit:completed"], momentOf);
	if (typeof said === "number") return { completed: true, completedAt: said };
	return { completed: said === true, completedAt };
}

/**
 * Returns the properties: the other attributes, as texts, and the JSON that an export has written. They include
 * URLs that the name doesn't link to. Attributes for which a node has no more room count as lost.
 */
function propertiesOf(attributes: Attributes, { settings, isOwn }: OpmlDialect): string | null {
	const { limits, linkSchemes } = settings;
	const written = attributes.read(["outlinekit:properties"], (json) => propertiesOfJson(json, limits.properties));
	const texts = new Map<string, string>();
	// Without any before it, the first property has no comma.
	let room = limits.properties - (written?.length ?? 1);
	for (const name of attributes.others) {
		if (!fitsAttribute(name)) continue;
		attributes.read([name], (value) => {
			// In an export of outlinekit, a property may be any text.
			if (!isOwn && urls.includes(name) && permittedHref(value, linkSchemes) === undefined) return undefined;
			const text = normalizeText(value);
			const length = JSON.stringify([name, text]).length - 1;
			if (text === "" || length > room) return undefined;
			room -= length;
			texts.set(name, text);
			return text;
		});
	}
	return changedProperties(written ?? null, propertiesArgument(Object.fromEntries(texts))!, limits.properties);
}

/** Returns the text of properties; undefined if they can't be read, or are too long. */
function propertiesOfJson(json: string, limit: number): string | undefined {
	try {
		// A long text would take too long to parse. An export may have escaped each character.
		assertPropertiesFit(json.length, limit * escapedLength);
		return changedProperties(null, propertiesArgument(JSON.parse(json))!, limit) ?? undefined;
	} catch (error) {
		if (error instanceof OutlineError || error instanceof SyntaxError) return undefined;
		throw error;
	}
}

function layoutModeOf(attributes: Attributes): LayoutMode {
	const own = attributes.read(["outlinekit:layoutMode"], (value) => (isLayoutMode(value) ? value : undefined));
	const heading = attributes.read(["heading", "_heading"], (value) => headings[Number(value.replace(/^h/i, "")) - 1]);
	const isTask = attributes.read(["checkbox", "_checkbox", "_task", "task"], (value) => {
		const word = value.trim().toLowerCase();
		return yes.has(word) ? true : no.has(word) ? false : undefined;
	});
	return own ?? heading ?? (isTask ? "todo" : "bullets");
}
