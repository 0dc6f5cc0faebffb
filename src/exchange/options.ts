import { fieldNames } from "../fields.js";
import type { OutlineNode } from "../node.js";
import type { Position } from "../place/priority.js";
import type { ReferenceText } from "../reference/reference.js";
import type { Key } from "../storage.js";
import type { ImportDialect } from "./format-module.js";
import type { ExchangeFormat } from "./formats.js";
import type { ProgressOptions } from "./progress.js";

/** The options of {@link Outline.exportAs}. */
export interface ExportOptions extends ProgressOptions {
	/** A reference to the node that is exported with its subtree. Default, or `null`: the whole outline. */
	root?: ReferenceText | null | undefined;
	/**
	 * The nodes that are exported, instead of nodes of the outline. For example, `before` of the nodes that a
	 * commit deleted: `import` puts them back from the file. A node whose parent isn't among them becomes
	 * outermost.
	 */
	nodes?: readonly OutlineNode[] | undefined;
	/** The keys of `nodes`, for JSON: their shortcuts, the inbox, and entries of the calendar. */
	keys?: readonly Pick<Key, "key" | "nodeId">[] | undefined;
}

/** The options of {@link Outline.import}. */
export interface ImportOptions extends ProgressOptions {
	/** The format of the source. */
	format: ExchangeFormat;
	/**
	 * The outliner that wrote the source, whose marks are read then. Default: none.
	 *
	 * `logseq`, for Markdown: a mark such as `TODO`, `DONE` or `NOW` makes an item a to-do. Lines such as
	 * `due:: 2026-12-01` and `SCHEDULED: <2026-12-01>` are properties. Further lines of a block are its note. If a
	 * file begins with properties of the page, the page becomes a node with them, and its blocks are below it.
	 * The property `title` is the name of this node; without one, the name is blank.
	 *
	 * `dynalist`, for text: each line is Markdown of Dynalist, with `__italics__` and `!(2026-12-01)`.
	 */
	dialect?: ImportDialect | undefined;
	/**
	 * A reference to the parent of the imported nodes; `null` for the top level. Default: the parent of the
	 * sibling that `position` names; otherwise the top level. Inbox and calendar nodes are created on demand.
	 */
	parent?: ReferenceText | null | undefined;
	/** The position among siblings. Default `bottom`. */
	position?: Position | undefined;
	/**
	 * Whether the import joins the newest undo step, if no other change and no undo came in between. For example, one
	 * undo then takes back the import and the deletion before it, whose place it has taken. Default `false`.
	 */
	joinUndoStep?: boolean | undefined;
}

/** The option names of exports and of imports. */
export const exportFields = fieldNames<ExportOptions>({
	root: true,
	nodes: true,
	keys: true,
	onProgress: true,
	signal: true,
});
export const importFields = fieldNames<ImportOptions>({
	format: true,
	dialect: true,
	parent: true,
	position: true,
	joinUndoStep: true,
	onProgress: true,
	signal: true,
});
