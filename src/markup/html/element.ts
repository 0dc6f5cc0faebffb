import { type Inline, type InlineTag, literal } from "../inline.js";
import type { MarkupOptions } from "../options.js";
import { normalizeText } from "../text.js";
import { decodeReferences } from "./character-reference.js";
import { permittedHref } from "./link.js";
import type { Tag } from "./tag.js";
import { datetimeOfTag } from "./time.js";

const inlineTags: ReadonlyMap<string, InlineTag> = new Map([
	["b", "b"],
	["strong", "b"],
	["i", "i"],
	["em", "i"],
	["s", "s"],
	["del", "s"],
	["strike", "s"],
	["code", "code"],
	["a", "a"],
	["time", "time"],
]);

/** The inlines of tags without attributes, by source. Shared, because long texts may consist of them. */
const bareTags = new Map<string, Inline>();
/** The length of the longest one, `</strong>`. */
const longestBare = 9;

/** Returns the inline of a tag, for create and update alike. Unknown tags stay as typed. Spec §2.1. */
export function elementOfTag(tag: Tag, source: string, options: MarkupOptions): Inline {
	const name = inlineTags.get(tag.name);
	if (name === undefined || tag.selfClosing) return literal(source);
	const known = bareTags.get(source);
	if (known !== undefined) return known;
	const inline: Inline = tag.closing
		? { type: "close", tag: name, source, sealed: false }
		: { type: "open", tag: name, attribute: attributeOf(name, tag, options), source, sealed: false };
	if (tag.attributes.size === 0 && source.length <= longestBare) bareTags.set(source, inline);
	return inline;
}

function attributeOf(name: InlineTag, tag: Tag, options: MarkupOptions): string | undefined {
	const value = (attribute: string) => {
		const typed = tag.attributes.get(attribute);
		return typed === undefined ? undefined : normalizeText(decodeReferences(typed));
	};
	if (name === "a") return permittedHref(value("href") ?? "", options.linkSchemes);
	return name === "time" ? datetimeOfTag(value, options.timeZone) : undefined;
}
