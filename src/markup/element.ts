import { decodeReferences } from "./character-reference.js";
import { type Inline, type InlineTag, literal } from "./inline.js";
import { permittedHref } from "./link.js";
import type { MarkupOptions } from "./options.js";
import type { Tag } from "./tag.js";
import { normalizeText } from "./text.js";
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

/** What a tag in a name stands for, on create and update alike; the text that was typed, if for nothing. Spec §2.1. */
export function elementOfTag(tag: Tag, source: string, options: MarkupOptions): Inline {
	const name = inlineTags.get(tag.name);
	if (name === undefined || tag.selfClosing) return literal(source);
	if (tag.closing) return { type: "close", tag: name, source, sealed: false };
	return { type: "open", tag: name, attribute: attributeOf(name, tag, options), source, sealed: false };
}

function attributeOf(name: InlineTag, tag: Tag, options: MarkupOptions): string | undefined {
	const value = (attribute: string) => {
		const typed = tag.attributes.get(attribute);
		return typed === undefined ? undefined : normalizeText(decodeReferences(typed));
	};
	if (name === "a") return permittedHref(value("href") ?? "", options.linkSchemes);
	return name === "time" ? datetimeOfTag(value, options.timeZone) : undefined;
}
