import { type ExchangeFormat, type ImportDialect, Outline } from "outlinekit";
import { createMemoryStorage } from "outlinekit/memory";
import { type CopiedNode, copiesOf, walked } from "./copied-node.js";
import { markedText } from "./dialect.js";
import { withCells, withRowsOfTables } from "./markdown-table.js";
import { withEntriesOfLists } from "./plain-list.js";

/** The start of a line of Markdown that is more than a paragraph. */
const markdown = /^[ \t]*(?:[-*+][ \t]|\d{1,9}[.)][ \t]|#{1,6}[ \t]|>|```|~~~)/m;

/**
 * The nodes of a text of several lines. It is an OPML file, of Logseq or Dynalist, or Markdown; otherwise
 * each line is a node, by its indent.
 */
export async function nodesOfText(text: string): Promise<CopiedNode[]> {
	if (isOpml(text)) {
		try {
			return await read(text, "opml");
		} catch {
			// It only looks like a file: its lines are what it is.
			return read(text, "text");
		}
	}
	const marked = markedText(text);
	if (marked !== undefined) return read(marked.text, marked.format, marked.dialect);
	const listed = withEntriesOfLists(text);
	const rows = withRowsOfTables(listed);
	return rows !== listed || markdown.test(listed) ? read(rows, "markdown") : read(withCells(listed), "text");
}

/** Whether a text is an OPML file, by its beginning. */
export function isOpml(text: string): boolean {
	return /^\s*<(?:\?xml|!--|opml)/i.test(text) && /<opml[\s>]/i.test(text);
}

/** Reads a text into an outline of its own, so that its nodes can go anywhere along with other changes. */
async function read(text: string, format: ExchangeFormat, dialect?: ImportDialect): Promise<CopiedNode[]> {
	const outline = new Outline({ storage: createMemoryStorage() });
	try {
		await outline.import(text, { format, dialect });
		const nodes = await walked(outline, [null]);
		// As Logseq keeps it.
		const folded = new Set(nodes.flatMap(({ node }) => (node.properties.collapsed === true ? [node.id] : [])));
		return copiesOf(nodes, (id) => !folded.has(id));
	} finally {
		await outline.close();
	}
}
