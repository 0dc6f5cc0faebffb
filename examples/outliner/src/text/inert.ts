/** The attribute that keeps the style of an element of a foreign page. */
export const keptStyle = "data-foreign-style";

/** The start of a tag, or of a comment. */
const tagStart = /<!--|<([a-z][^\s/>]*)/gi;
const attribute = /[\s/]*([^\s/>=]+)(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s>"'][^\s>]*)?)?/y;
const tagEnd = /[\s/]*>/y;
/** The ends of elements whose contents aren't read as tags. */
const raw = new Map(
	["script", "style", "textarea", "title", "xmp", "iframe", "noembed", "noframes"].map((name) => [
		name,
		new RegExp(`</${name}\\b[^>]*>?`, "gi"),
	]),
);

/**
 * Returns HTML without its style sheets and event handlers, and with the styles of elements in another attribute.
 * Browsers apply none of them to a hidden page. But if the policy of the outliner's page forbids them, browsers
 * report each to the console.
 */
export function inert(html: string): string {
	const parts: string[] = [];
	let done = 0;
	const replace = (from: number, to: number, text: string) => {
		parts.push(html.slice(done, from), text);
		done = to;
	};
	for (let tag = next(tagStart, html, 0); tag !== null; tag = next(tagStart, html, tagStart.lastIndex)) {
		const name = tag[1];
		if (name === undefined) {
			const end = html.indexOf("-->", tag.index + 2);
			// A comment without an end takes up all that follows.
			if (end < 0) break;
			tagStart.lastIndex = end + 3;
			continue;
		}
		const end = /^style$/i.test(name)
			? endOfTag(html, tagStart.lastIndex, () => {})
			: endOfTag(html, tagStart.lastIndex, replace);
		if (end < 0) break;
		tagStart.lastIndex = end;
		const close = raw.get(name.toLowerCase());
		if (close === undefined) continue;
		const closing = next(close, html, end);
		if (closing === null) break;
		tagStart.lastIndex = close.lastIndex;
		if (/^style$/i.test(name)) replace(tag.index, close.lastIndex, "");
	}
	return parts.join("") + html.slice(done);
}

/** Returns the end of a tag; -1 if it has none, so that it is no tag. Replaces the names of its attributes. */
function endOfTag(html: string, start: number, replace: (from: number, to: number, text: string) => void): number {
	let at = start;
	for (let found = next(attribute, html, at); found !== null; found = next(attribute, html, at)) {
		const name = found[1]!;
		const from = at + found[0].indexOf(name);
		at += found[0].length;
		if (/^style$/i.test(name)) replace(from, from + name.length, keptStyle);
		else if (/^(?:on|http-equiv|srcdoc)/i.test(name)) replace(from, from + name.length, "data-foreign");
	}
	return next(tagEnd, html, at) === null ? -1 : tagEnd.lastIndex;
}

function next(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
	pattern.lastIndex = at;
	return pattern.exec(text);
}
