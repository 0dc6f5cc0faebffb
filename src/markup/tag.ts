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

const opening = /<([A-Za-z][A-Za-z0-9-]*)/y;
const closing = /<\/([A-Za-z][A-Za-z0-9-]*)[ \t\n]*>/y;
const attribute =
	/[ \t\n]+([A-Za-z_:][A-Za-z0-9_.:-]*)(?:[ \t\n]*=[ \t\n]*(?:"([^"]*)"|'([^']*)'|([^ \t\n"'=<>`]+)))?/y;
const ending = /[ \t\n]*(\/?)>/y;

/**
 * The tag that begins at an offset, if one does.
 *
 * Asking at every `<` of a text takes linear time in all. Of the tags that have begun and not failed yet, one is outside of
 * quotes, one in double and one in single quotes, at most: quotes only exchange these three. And a `<` ends the one outside.
 */
export function tagAt(text: string, start: number): Tag | undefined {
	const close = matchAt(closing, text, start);
	if (close !== null) {
		const name = (close[1] ?? "").toLowerCase();
		return { name, closing: true, selfClosing: false, attributes: new Map(), end: closing.lastIndex };
	}
	const open = matchAt(opening, text, start);
	if (open === null) return undefined;
	const attributes = new Map<string, string>();
	let at = opening.lastIndex;
	for (let match = matchAt(attribute, text, at); match !== null; match = matchAt(attribute, text, at)) {
		const key = (match[1] ?? "").toLowerCase();
		if (!attributes.has(key)) attributes.set(key, match[2] ?? match[3] ?? match[4] ?? "");
		at = attribute.lastIndex;
	}
	const end = matchAt(ending, text, at);
	if (end === null) return undefined;
	const name = (open[1] ?? "").toLowerCase();
	return { name, closing: false, selfClosing: end[1] !== "", attributes, end: ending.lastIndex };
}

/**
 * Where the tag, comment, declaration, instruction or CDATA section that begins at an offset of a `<` ends; -1 if none
 * begins there. All answers together take time linear in the text, as long as no two are asked for within one of them.
 */
export function createMarkupReader(text: string): (start: number) => number {
	const lastOf = new Map<string, number>();

	function endOf(terminator: string, from: number): number {
		const last = lastOf.get(terminator) ?? text.lastIndexOf(terminator);
		lastOf.set(terminator, last);
		return last < from ? -1 : text.indexOf(terminator, from) + terminator.length;
	}

	return (start) => {
		if (text.startsWith("<!-->", start)) return start + 5;
		if (text.startsWith("<!--->", start)) return start + 6;
		if (text.startsWith("<!--", start)) return endOf("-->", start + 4);
		if (text.startsWith("<![CDATA[", start)) return endOf("]]>", start + 9);
		if (text.startsWith("<?", start)) return endOf("?>", start + 2);
		if (/^<![A-Za-z]/.test(text.slice(start, start + 3))) return endOf(">", start + 3);
		return tagAt(text, start)?.end ?? -1;
	};
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
	pattern.lastIndex = at;
	return pattern.exec(text);
}
