/** A well-formed tag, as CommonMark and HTML both read it. */
export interface Tag {
	/** In lower case. */
	readonly name: string;
	/** Whether it is `</name>`. */
	readonly closing: boolean;
	/** Whether it is `<name/>`. */
	readonly selfClosing: boolean;
	/** By lower-case name, the first of each; the values as typed, with their character references. */
	readonly attributes: ReadonlyMap<string, string>;
	/** Where it ends. */
	readonly end: number;
}

/** A tag, or a comment, declaration, instruction or CDATA section, which has no meaning here. */
export interface Markup {
	/** Where it ends. */
	readonly end: number;
	/** Undefined if there is no tag. */
	readonly tag: Tag | undefined;
}

/** The most attributes of a tag. A tag with more is read as text, so that no tag takes long to read. */
const attributeLimit = 10_000;

const opening = /<([A-Za-z][A-Za-z0-9-]*)/y;
const closing = /<\/([A-Za-z][A-Za-z0-9-]*)[ \t\n]*>/y;
const attribute =
	/[ \t\n]+([A-Za-z_:][A-Za-z0-9_.:-]*)(?:[ \t\n]*=[ \t\n]*(?:"([^"]*)"|'([^']*)'|([^ \t\n"'=<>`]+)))?/y;
const ending = /[ \t\n]*(\/?)>/y;
const noAttributes: ReadonlyMap<string, string> = new Map();

/**
 * The tag that begins at an offset, if one does.
 *
 * Asking at every `<` of a text takes linear time in all. Of the tags that have begun and not failed yet, one is outside of
 * quotes, one in double and one in single quotes, at most: quotes only exchange these three. And a `<` ends the one outside.
 */
export function tagAt(text: string, start: number): Tag | undefined {
	if (text[start + 1] === "/") {
		const close = matchAt(closing, text, start);
		if (close === null) return undefined;
		const name = close[1]!.toLowerCase();
		return { name, closing: true, selfClosing: false, attributes: noAttributes, end: closing.lastIndex };
	}
	const open = matchAt(opening, text, start);
	if (open === null) return undefined;
	const name = open[1]!.toLowerCase();
	let at = opening.lastIndex;
	if (text[at] === ">") return { name, closing: false, selfClosing: false, attributes: noAttributes, end: at + 1 };
	const attributes = new Map<string, string>();
	let count = 0;
	for (let match = matchAt(attribute, text, at); match !== null; match = matchAt(attribute, text, at)) {
		if (++count > attributeLimit) return undefined;
		const key = match[1]!.toLowerCase();
		if (!attributes.has(key)) attributes.set(key, match[2] ?? match[3] ?? match[4] ?? "");
		at = attribute.lastIndex;
	}
	const end = matchAt(ending, text, at);
	if (end === null) return undefined;
	return { name, closing: false, selfClosing: end[1] !== "", attributes, end: ending.lastIndex };
}

/**
 * Reads the tags, comments, declarations, instructions and CDATA sections of a text: the one that begins at an offset of a
 * `<`, if one does. All answers together take time linear in the text, as long as no two are asked for within one of them.
 */
export function createMarkupReader(text: string): (start: number) => Markup | undefined {
	const lastOf = new Map<string, number>();

	function upTo(terminator: string, from: number): Markup | undefined {
		const last = lastOf.get(terminator) ?? text.lastIndexOf(terminator);
		lastOf.set(terminator, last);
		return last < from ? undefined : { end: text.indexOf(terminator, from) + terminator.length, tag: undefined };
	}

	return (start) => {
		const next = text[start + 1];
		if (next === "?") return upTo("?>", start + 2);
		if (next !== "!") {
			const tag = tagAt(text, start);
			return tag && { end: tag.end, tag };
		}
		if (text.startsWith("<!-->", start)) return { end: start + 5, tag: undefined };
		if (text.startsWith("<!--->", start)) return { end: start + 6, tag: undefined };
		if (text.startsWith("<!--", start)) return upTo("-->", start + 4);
		if (text.startsWith("<![CDATA[", start)) return upTo("]]>", start + 9);
		return /[A-Za-z]/.test(text.charAt(start + 2)) ? upTo(">", start + 3) : undefined;
	};
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
	pattern.lastIndex = at;
	return pattern.exec(text);
}
