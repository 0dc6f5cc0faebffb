import type { Settings } from "../../engine/settings.js";
import { plainText, textOfName } from "../../markup/write/to-text.js";
import { contentOf } from "../../node.js";
import type { ExportedTree } from "../exported-tree.js";
import type { FormatReader, ImportDialect, Written } from "../format-module.js";
import type { LossCount } from "../loss.js";
import { TextReader } from "./text-reader.js";

/*
 * Plain text: one line per node, indented by its depth, with the name unchanged. If a line continues a node,
 * or a reader would misread it, it begins with a backslash:
 *
 *	\> a line of the note of the node above
 *	\+ a further line of the name of the node above
 *	\  (a backslash before white space, or alone) a name that begins with white space, or is blank
 *	\\ a name that begins with a backslash
 *
 * Any other backslash has no special meaning.
 */

/** Matches the start of a line that a reader could take for white space, a byte order mark or an escape. */
const needsEscape = /^(?:$|[ \t\ufeff]|\\(?:$|[>+](?: |$)|[ \t\ufeff\\]))/;
/** The maximum number of indented levels, because a file grows with the square of its depth. */
const deepestIndentation = 1000;

/** Returns a reader of plain text. */
export function createReader(settings: Settings, lost: LossCount, dialect?: ImportDialect): FormatReader {
	return new TextReader(settings, lost, dialect);
}

/** Writes a tree as plain text. */
export function* written({ nodes }: ExportedTree, lost: LossCount): Written {
	for (const { node, depth } of nodes) {
		const { name, note, layoutMode, properties, completedAt } = contentOf(node);
		if (name.includes("<")) lost.add("formatting");
		if (layoutMode !== "bullets") lost.add("layoutMode");
		if (completedAt !== null) lost.add("completed");
		if (properties !== null) lost.add("properties");
		if (node.record.originId !== null) lost.add("mirror");
		if (depth > deepestIndentation) lost.add("depth");
		const indentation = "\t".repeat(Math.min(depth, deepestIndentation));
		const [first = "", ...further] = (plainText(name) ?? (yield* textOfName(name))).split("\n");
		yield `${indentation}${needsEscape.test(first) ? "\\" : ""}${first}\n`;
		for (const line of further) yield `${indentation}${escaped("+", line)}\n`;
		for (const line of note?.split("\n") ?? []) yield `${indentation}${escaped(">", line)}\n`;
	}
}

function escaped(marker: string, line: string): string {
	return line === "" ? `\\${marker}` : `\\${marker} ${line}`;
}
