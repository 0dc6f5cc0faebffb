import { createMarkupReader } from "../../markup/html/tag.js";
import { textOfName } from "../../markup/write/to-text.js";
import type { Steps } from "../../pace.js";
import type { LossCount } from "../loss.js";

/** The number of tags read in a step. */
const tagsInStep = 1024;

/** Elements of other outliners and editors that only format or label their text. */
const formatting = new Set("big center div font ins label mark mention p small span sub sup tag u".split(" "));

const link = /<a href="([^"]*)">(.*?)<\/a>/gs;

/** Whether a text has tags or character references, which means that it was written as HTML. */
export function isHtml(text: string): boolean {
	return /<\/?[A-Za-z]|&(?:#\d{1,7}|#[xX][0-9A-Fa-f]{1,6}|[A-Za-z][A-Za-z0-9]{0,30});/.test(text);
}

/**
 * Removes the elements that a name can't hold, keeps the text in them, and counts each by its tag. A `<br>`
 * becomes a line ending. Unknown tags stay, because names show them as typed.
 */
export function* withoutFormatting(html: string, lost: LossCount): Steps<string> {
	if (!html.includes("<")) return html;
	const lower = html.toLowerCase();
	const markupAt = createMarkupReader(html);
	/** Whether each element is closed anywhere. A tag that is never closed may be text. */
	const closed = new Map<string, boolean>();
	const parts: string[] = [];
	let start = 0;
	let count = 0;
	for (let at = html.indexOf("<"); at !== -1; at = html.indexOf("<", at)) {
		if (++count % tagsInStep === 0) yield;
		const markup = markupAt(at);
		if (markup === undefined) {
			at += 1;
			continue;
		}
		const { end, tag } = markup;
		const name = tag?.name ?? "";
		if (formatting.has(name) && !closed.has(name)) closed.set(name, lower.includes(`</${name}>`));
		if (name === "br" || closed.get(name)) {
			if (name !== "br" && !tag!.closing) lost.add(`<${name}>`);
			parts.push(html.slice(start, at), name === "br" ? "\n" : "");
			start = end;
		}
		at = end;
	}
	return parts.join("") + html.slice(start);
}

/** Returns the text that a canonical fragment shows. Each link is followed by its URL in parentheses. */
export function* textWithTargets(fragment: string, lost: LossCount): Steps<string> {
	if (/<(?:b|i|s|code)>/.test(fragment)) lost.add("note formatting");
	const parts: string[] = [];
	let start = 0;
	for (const { 0: source, 1: target = "", 2: label = "", index } of fragment.matchAll(link)) {
		const shown = label === target ? label : `${label} (${target.replaceAll("&quot;", '"')})`;
		parts.push(fragment.slice(start, index), shown);
		start = index + source.length;
		if (parts.length % tagsInStep === 0) yield;
	}
	return yield* textOfName(parts.join("") + fragment.slice(start));
}
