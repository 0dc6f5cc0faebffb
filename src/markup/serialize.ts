import type { Inline, InlineOpen, InlineTag } from "./inline.js";
import { pair } from "./pair.js";
import { escapeAttribute, escapeText, normalizeText } from "./text.js";
import { datesInText } from "./time.js";

/**
 * The canonical fragment: the only code that emits HTML. Tags without a partner show as typed. An element within one of
 * its own kind is flattened, except that an `a` or `time` within one shows as typed; so nesting is at most six deep, and
 * parsing a fragment gives the same fragment.
 */
export function serialize(inlines: readonly Inline[], timeZone: string): string {
	const partners = pair(inlines);
	const open = new Set<InlineTag>();
	const shown = new Map<number, "element" | "flattened" | "typed">();
	let html = "";
	let pending = "";

	const flush = () => {
		html += escapeText(normalizeText(pending));
		pending = "";
	};

	for (const [index, inline] of inlines.entries()) {
		const partner = partners[index] ?? -1;
		if (inline.type === "text") {
			const datesCount = inline.dates && !open.has("code") && !open.has("a") && !open.has("time");
			for (const part of datesCount ? datesInText(inline.value, timeZone) : [inline.value]) {
				if (typeof part === "string") pending += part;
				else {
					flush();
					html += `<time datetime="${escapeAttribute(part.datetime)}">${escapeText(part.label)}</time>`;
				}
			}
		} else if (inline.type === "open") {
			const how = partner === -1 ? "typed" : showing(inline, open);
			shown.set(index, how);
			if (how === "typed") pending += inline.source;
			if (how !== "element") continue;
			flush();
			html += openingTag(inline);
			open.add(inline.tag);
		} else {
			const how = shown.get(partner) ?? "typed";
			if (how === "element") {
				flush();
				html += `</${inline.tag}>`;
				open.delete(inline.tag);
			}
			pending += how === "typed" ? inline.source : (inline.suffix ?? "");
		}
	}
	flush();
	return html;
}

function showing(inline: InlineOpen, open: ReadonlySet<InlineTag>): "element" | "flattened" | "typed" {
	const carriesAttribute = inline.tag === "a" || inline.tag === "time";
	if (carriesAttribute && inline.attribute === undefined) return "typed";
	if (!open.has(inline.tag)) return "element";
	return carriesAttribute ? "typed" : "flattened";
}

/** The tag that opens an element of a canonical fragment. */
export function openingTag({ tag, attribute }: Pick<InlineOpen, "tag" | "attribute">): string {
	if (tag === "a") return `<a href="${escapeAttribute(attribute ?? "")}">`;
	if (tag === "time") return `<time datetime="${escapeAttribute(attribute ?? "")}">`;
	return `<${tag}>`;
}
