import type { Settings } from "../../engine/settings.js";
import { sliceEnd } from "../../markup/long-text.js";
import { escapeAttribute, normalizeText } from "../../markup/text.js";
import { contentOf } from "../../node.js";
import { propertiesIn } from "../../properties.js";
import type { ExportedNode, ExportedTree } from "../exported-tree.js";
import type { FormatReader, Written } from "../format-module.js";
import type { LossCount } from "../loss.js";
import { mailDate } from "../moment.js";
import { fitsAttribute, namespace } from "./opml-attributes.js";
import { OpmlReader } from "./opml-reader.js";

/** Characters that XML can't contain, not even as a reference. */
const unfit = /[\x01-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g;
/** White space that an XML parser would change into a space. */
const space = /[\t\n\r]/g;

/** Returns a reader of OPML. */
export function createReader(settings: Settings, lost: LossCount): FormatReader {
	return new OpmlReader(settings, lost);
}

/** Writes a tree as OPML 2.0. Texts are HTML fragments, as in most outliners; notes are plain text. */
export function* written({ nodes }: ExportedTree, lost: LossCount): Written {
	yield '<?xml version="1.0" encoding="UTF-8"?>\n';
	yield `<opml version="2.0" xmlns:outlinekit="${namespace}">\n<head></head>\n<body>\n`;
	let open = 0;
	let pending: ExportedNode | undefined;
	for (const next of nodes) {
		if (pending !== undefined) yield* tagWritten(pending, next.depth > pending.depth, lost);
		for (; open > next.depth; open--) yield "</outline>\n";
		open = next.depth;
		pending = next;
	}
	if (pending !== undefined) yield* tagWritten(pending, false, lost);
	for (; open > 0; open--) yield "</outline>\n";
	yield "</body>\n</opml>\n";
}

function* tagWritten({ node }: ExportedNode, isOpen: boolean, lost: LossCount): Written {
	const { name, note, layoutMode, properties, modifiedAt, completedAt } = contentOf(node);
	const { createdAt, originId } = node.record;
	if (originId !== null) lost.add("mirror");
	yield "<outline";
	yield* attributeWritten("text", name, lost);
	if (note !== null) yield* attributeWritten("_note", note, lost);
	if (properties !== null) yield* propertiesWritten(properties, lost);
	let rest = completedAt === null ? "" : ` _complete="true" outlinekit:completed="${mailDate(completedAt)}"`;
	rest += ` created="${mailDate(createdAt)}" outlinekit:modified="${mailDate(modifiedAt)}"`;
	if (layoutMode !== "bullets") rest += ` outlinekit:layoutMode="${layoutMode}"`;
	yield `${rest}${isOpen ? "" : "/"}>\n`;
}

/** Writes texts as attributes of their own, which other programs read, and all other properties as JSON. */
function* propertiesWritten(text: string, lost: LossCount): Written {
	const others: [string, unknown][] = [];
	for (const [key, value] of Object.entries(propertiesIn(text))) {
		const isText = typeof value === "string" && value !== "" && value === normalizeText(value);
		if (isText && fitsAttribute(key) && value.search(unfit) < 0) {
			yield* attributeWritten(key, value, lost);
		} else others.push([key, value]);
	}
	if (others.length === 0) return;
	const json = JSON.stringify(Object.fromEntries(others));
	yield* attributeWritten("outlinekit:properties", json.replace(unfit, escaped), lost);
}

/** Writes a character as JSON may write any. */
function escaped(character: string): string {
	return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

/** Writes an attribute in slices. */
function* attributeWritten(key: string, value: string, lost: LossCount): Written {
	yield ` ${key}="`;
	for (let start = 0; start < value.length; ) {
		const end = sliceEnd(value, start);
		yield attributeValue(value.slice(start, end), lost);
		start = end;
	}
	yield '"';
}

function attributeValue(value: string, lost: LossCount): string {
	const fit = value.replace(unfit, () => {
		lost.add("character");
		return "\ufffd";
	});
	return escapeAttribute(fit).replace(space, (character) => `&#${character.charCodeAt(0)};`);
}
