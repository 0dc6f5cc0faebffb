import { decodeReferences } from "../../markup/html/character-reference.js";
import { tagAt } from "../../markup/html/tag.js";
import type { Steps } from "../../pace.js";

/** The parts of a name that a search examines. */
export interface NameText {
	/** The text that a user reads. */
	readonly text: string;
	/** The text, with U+FFFC in place of each character of code spans and of links. */
	readonly prose: string;
	/** The targets of its links. */
	readonly hrefs: readonly string[];
	/** The values of its dates. */
	readonly datetimes: readonly string[];
}

const markup = /[<&]/;
const shielding: ReadonlySet<string> = new Set(["code", "a"]);

/** The number of characters read in a step, and the length of the longest character reference. */
const piece = 8192;
const longestReference = 33;

/** Whether a canonical fragment is a plain text. */
export function isText(name: string): boolean {
	return !markup.test(name);
}

/**
 * Reads a canonical fragment in steps. Tags are removed without a trace, so that they neither are words nor
 * split words. Linear in time.
 */
export function* nameText(name: string): Steps<NameText> {
	const hrefs: string[] = [];
	const datetimes: string[] = [];
	let text = "";
	let prose = "";
	// The parts are joined from time to time, because joining a million parts at the end takes long.
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
			proses.push(shields === 0 ? stretch : "\ufffc".repeat(stretch.length));
			at = bracket;
			continue;
		}
		at = tag.end;
		const datetime = tag.attributes.get("datetime");
		if (datetime !== undefined) datetimes.push(datetime);
		if (!shielding.has(tag.name)) continue;
		if (tag.closing) {
			shields = Math.max(0, shields - 1);
			continue;
		}
		shields += 1;
		const href = tag.attributes.get("href");
		if (href !== undefined) hrefs.push(href.length > piece ? yield* decodedInPieces(href) : decodeReferences(href));
	}
	return { text: text + texts.join(""), prose: prose + proses.join(""), hrefs, datetimes };
}

/** Returns the offset of the next `<`, or the end of the name. */
function nextBracket(name: string, from: number): number {
	const at = name.indexOf("<", from);
	return at === -1 ? name.length : at;
}

function* decodedInPieces(text: string): Steps<string> {
	let decoded = "";
	for (let start = 0; start < text.length; ) {
		let end = start + piece;
		// If a reference may not fit into the piece, the piece ends before it.
		const reference = end < text.length ? text.slice(end - longestReference, end).lastIndexOf("&") : -1;
		if (reference !== -1) end += reference - longestReference;
		decoded += decodeReferences(text.slice(start, end));
		start = end;
		yield;
	}
	return decoded;
}
