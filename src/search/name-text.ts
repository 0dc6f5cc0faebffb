import { decodeReferences } from "../markup/character-reference.js";
import { tagAt } from "../markup/tag.js";

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

/** Reads a canonical fragment. Every tag vanishes, so that it neither is a word nor parts one. Linear in time. */
export function nameText(name: string): NameText {
	if (!markup.test(name)) return { text: name, prose: name, hrefs: [] };
	const hrefs: string[] = [];
	let text = "";
	let prose = "";
	let shields = 0;
	let at = 0;
	while (at < name.length) {
		const bracket = name.indexOf("<", at);
		const tag = bracket === -1 ? undefined : tagAt(name, bracket);
		const end = bracket === -1 ? name.length : tag === undefined ? bracket + 1 : bracket;
		const stretch = decodeReferences(name.slice(at, end));
		text += stretch;
		if (shields === 0) prose += stretch;
		at = tag?.end ?? end;
		if (tag === undefined || !shielding.has(tag.name)) continue;
		if (tag.closing) {
			shields = Math.max(0, shields - 1);
			continue;
		}
		if (shields === 0) prose += "\ufffc";
		shields += 1;
		const href = tag.attributes.get("href");
		if (href !== undefined) hrefs.push(decodeReferences(href));
	}
	return { text, prose, hrefs };
}
