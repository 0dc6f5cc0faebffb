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

/** Reads the markup that begins at an offset of one text. */
export interface TagReader {
	/** The tag that begins there, if one does. */
	tag(start: number): Tag | undefined;
	/** Where the tag, comment, declaration, instruction or CDATA section that begins there ends; -1 if none does. */
	markupEnd(start: number): number;
}

/**
 * A reader of the tags in a text, each asked for at an offset of a `<`. However many offsets are asked for, all answers
 * together take time linear in the text: two tags that begin at different places and don't end are known to go the same
 * way from the first attribute they share, and a quoted value is passed over at most twice, once for each kind of quote.
 */
export function createTagReader(text: string): TagReader {
	const dead = new Set<number>();

	function tag(start: number): Tag | undefined {
		const close = matchAt(closing, text, start);
		if (close !== null) {
			const name = (close[1] ?? "").toLowerCase();
			return { name, closing: true, selfClosing: false, attributes: new Map(), end: closing.lastIndex };
		}
		const open = matchAt(opening, text, start);
		if (open === null) return undefined;
		const attributes = new Map<string, string>();
		const visited: number[] = [];
		let at = opening.lastIndex;
		while (!dead.has(at)) {
			visited.push(at);
			const match = matchAt(attribute, text, at);
			if (match === null) break;
			const key = (match[1] ?? "").toLowerCase();
			if (!attributes.has(key)) attributes.set(key, match[2] ?? match[3] ?? match[4] ?? "");
			at = attribute.lastIndex;
		}
		const end = dead.has(at) ? null : matchAt(ending, text, at);
		if (end === null) {
			for (const boundary of visited) dead.add(boundary);
			return undefined;
		}
		const name = (open[1] ?? "").toLowerCase();
		return { name, closing: false, selfClosing: end[1] !== "", attributes, end: ending.lastIndex };
	}

	/** `indexOf`, but at once where there is nothing to be found, however often it is asked. */
	const lastOf = new Map<string, number>();
	function endOf(terminator: string, from: number): number {
		const last = lastOf.get(terminator) ?? text.lastIndexOf(terminator);
		lastOf.set(terminator, last);
		return last < from ? -1 : text.indexOf(terminator, from) + terminator.length;
	}

	function markupEnd(start: number): number {
		if (text.startsWith("<!-->", start)) return start + 5;
		if (text.startsWith("<!--->", start)) return start + 6;
		if (text.startsWith("<!--", start)) return endOf("-->", start + 4);
		if (text.startsWith("<![CDATA[", start)) return endOf("]]>", start + 9);
		if (text.startsWith("<?", start)) return endOf("?>", start + 2);
		if (/^<![A-Za-z]/.test(text.slice(start, start + 3))) return endOf(">", start + 3);
		return tag(start)?.end ?? -1;
	}

	return { tag, markupEnd };
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
	pattern.lastIndex = at;
	return pattern.exec(text);
}
