import { decodeReferences } from "../markup/html/character-reference.js";
import { tagAt } from "../markup/html/tag.js";
import type { Steps } from "../pace.js";

/** What a name says, by what may be looked for in it. */
export interface NameText {
	/** What a person reads. */
	readonly text: string;
	/** The same with U+FFFC for each stretch of code and each link. */
	readonly prose: string;
	/** The targets of its links. */
	readonly hrefs: readonly string[];
}

const markup = /[<&]/;
const shielding: ReadonlySet<string> = new Set(["code", "a"]);

/** The number of characters that are read in one go, and the length of the longest reference, `&` and `;` among them. */
const piece = 8192;
const longestReference = 33;

/** Whether a canonical fragment is a text as it stands. */
export function isText(name: string): boolean {
	return !markup.test(name);
}

/** Reads a canonical fragment, in slices. Every tag vanishes, so that it neither is a word nor parts one. Linear in time. */
export function* nameText(name: string): Steps<NameText> {
	const hrefs: string[] = [];
	let text = "";
	let prose = "";
	// Joined now and then: to make one text of a million pieces at the end would take long.
	let texts: string[] = [];
	let proses: string[] = [];
	let shields = 0;
	let bracket = -1;
	for (let at = 0, read = 0; at < name.length; ) {
		if (at > read + piece) {
			text += texts.join("");
			prose += proses.join("");
			texts = [];
			proses = [];
			read = at;
			yield;
		}
		if (bracket < at) bracket = nextBracket(name, at);
		const tag = bracket === at ? tagAt(name, at) : undefined;
		if (tag === undefined) {
			if (bracket === at) bracket = nextBracket(name, at + 1);
			const source = name.slice(at, bracket);
			const stretch = source.length > piece ? yield* decodedInPieces(source) : decodeReferences(source);
			texts.push(stretch);
			if (shields === 0) proses.push(stretch);
			at = bracket;
			continue;
		}
		at = tag.end;
		if (!shielding.has(tag.name)) continue;
		if (tag.closing) {
			shields = Math.max(0, shields - 1);
			continue;
		}
		if (shields === 0) proses.push("\ufffc");
		shields += 1;
		const href = tag.attributes.get("href");
		if (href !== undefined) hrefs.push(href.length > piece ? yield* decodedInPieces(href) : decodeReferences(href));
	}
	return { text: text + texts.join(""), prose: prose + proses.join(""), hrefs };
}

/** Where the first bracket from a place on stands, or the name ends. */
function nextBracket(name: string, from: number): number {
	const at = name.indexOf("<", from);
	return at === -1 ? name.length : at;
}

function* decodedInPieces(text: string): Steps<string> {
	let decoded = "";
	for (let start = 0; start < text.length; ) {
		let end = start + piece;
		// A piece ends before a reference that it may not hold all of.
		const reference = end < text.length ? text.slice(end - longestReference, end).lastIndexOf("&") : -1;
		if (reference !== -1) end += reference - longestReference;
		decoded += decodeReferences(text.slice(start, end));
		start = end;
		yield;
	}
	return decoded;
}
