import { escapeAttribute } from "../markup/text.js";
import { contentOf } from "../node.js";
import type { Settings } from "../settings.js";
import type { ExportedNode, ExportedTree } from "./exported-tree.js";
import type { FormatReader } from "./format-module.js";
import type { LossCount } from "./loss.js";
import { mailDate } from "./moment.js";
import { namespace } from "./opml-attributes.js";
import { OpmlReader } from "./opml-reader.js";

/** What no XML can hold, not even as a reference. */
const unfit = /[\x01-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g;
/** White space that a reader of XML would make a space. */
const space = /[\t\n\r]/g;

/** Begins to read OPML. */
export function createReader(settings: Settings, lost: LossCount): FormatReader {
	return new OpmlReader(settings, lost);
}

/** A tree as OPML 2.0. Texts are HTML fragments, as most outliners have them; notes are plain text. */
export function* written({ nodes }: ExportedTree, lost: LossCount): Iterable<string> {
	yield '<?xml version="1.0" encoding="UTF-8"?>\n';
	yield `<opml version="2.0" xmlns:outlinekit="${namespace}">\n<head></head>\n<body>\n`;
	let open = 0;
	let pending: ExportedNode | undefined;
	for (const next of nodes) {
		if (pending !== undefined) yield tagOf(pending, next.depth > pending.depth, lost);
		for (; open > next.depth; open--) yield "</outline>\n";
		open = next.depth;
		pending = next;
	}
	if (pending !== undefined) yield tagOf(pending, false, lost);
	for (; open > 0; open--) yield "</outline>\n";
	yield "</body>\n</opml>\n";
}

function tagOf({ node }: ExportedNode, isOpen: boolean, lost: LossCount): string {
	const { name, note, layoutMode, modifiedAt, completedAt } = contentOf(node);
	const { createdAt, originId } = node.record;
	if (originId !== null) lost.add("mirror");
	const attribute = (key: string, value: string) => ` ${key}="${attributeValue(value, lost)}"`;
	let tag = `<outline${attribute("text", name)}`;
	if (note !== null) tag += attribute("_note", note);
	if (completedAt !== null)
		tag += attribute("_complete", "true") + attribute("outlinekit:completed", mailDate(completedAt));
	tag += attribute("created", mailDate(createdAt)) + attribute("outlinekit:modified", mailDate(modifiedAt));
	if (layoutMode !== "bullets") tag += attribute("outlinekit:layoutMode", layoutMode);
	return `${tag}${isOpen ? "" : "/"}>\n`;
}

function attributeValue(value: string, lost: LossCount): string {
	const fit = value.replace(unfit, () => {
		lost.add("character");
		return "\ufffd";
	});
	return escapeAttribute(fit).replace(space, (character) => `&#${character.charCodeAt(0)};`);
}
