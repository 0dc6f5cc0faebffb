/** A tag that is well-formed in both CommonMark and HTML. */
export interface Tag {
	/** The name in lower case. */
	readonly name: string;
	/** Whether it is `</name>`. */
	readonly closing: boolean;
	/** Whether it is `<name/>`. */
	readonly selfClosing: boolean;
	/** The values by lower-case name, the first of each name. They are as typed, with references. */
	readonly attributes: ReadonlyMap<string, string>;
	/** The offset of its end. */
	readonly end: number;
}

/** A tag; or a comment, declaration, instruction or CDATA section, which has no meaning here. */
export interface Markup {
	/** The offset of its end. */
	readonly end: number;
	/** Undefined if it isn't a tag. */
	readonly tag: Tag | undefined;
}

/** The maximum number of attributes of a tag. A tag with more is text, so that no tag takes long to read. */
const attributeLimit = 10_000;

const opening = /<([A-Za-z][A-Za-z0-9-]*)/y;
const closing = /<\/([A-Za-z][A-Za-z0-9-]*)[ \t\n]*>/y;
const attribute =
	/[ \t\n]+([A-Za-z_:][A-Za-z0-9_.:-]*)(?:[ \t\n]*=[ \t\n]*(?:"([^"]*)"|'([^']*)'|([^ \t\n"'=<>`]+)))?/y;
const ending = /[ \t\n]*(\/?)>/y;
const noAttributes: ReadonlyMap<string, string> = new Map();

/**
 * Returns the tag that begins at an offset; undefined if none does.
 *
 * Calling this at every `<` of a text takes linear time in total. At any offset, at most three tags have
 * begun and not failed yet: one outside quotation marks, one in double and one in single ones. A quotation
 * mark only exchanges these three, and a `<` ends the one outside.
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
 * Returns a reader of the tags, comments, declarations, instructions and CDATA sections of a text. The reader
 * takes the offset of a `<`, and returns undefined if none of these begins there. All calls together take
 * linear time, if no call is for an offset within an earlier result.
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
