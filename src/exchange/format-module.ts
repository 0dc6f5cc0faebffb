import type { Call } from "../engine/call.js";
import type { Changes } from "../engine/changes.js";
import type { Operation } from "../engine/protocol.js";
import type { Settings } from "../engine/settings.js";
import type { Steps } from "../pace.js";
import type { Destination } from "./destination.js";
import type { ExportedTree } from "./exported-tree.js";
import type { LossCount } from "./loss.js";

/**
 * The marks of another outliner: `logseq` in Markdown, `dynalist` in text. An OPML file says itself that it is
 * of Dynalist.
 *
 * @useDeclaredType
 */
export type ImportDialect = "logseq" | "dynalist";

/** The nodes and keys of a file that has been read and checked. */
export interface ParsedFile {
	/** The number of nodes. */
	readonly nodes: number;
	/** Adds the nodes to the changes of a commit. Runs again for each attempt. */
	insert(call: Call, changes: Changes, destination: Destination): Operation<Insertion>;
}

/** The result of inserting the nodes of a file. */
export interface Insertion {
	readonly rootIds: string[];
	/** The losses: things the outline can't hold. */
	readonly lost: LossCount;
}

/**
 * Reads a file of one format. Every method throws `invalid_argument` with the line if the file is malformed,
 * and `too_large` if it has more nodes than fit into one commit.
 */
export interface FormatReader {
	/** The number of nodes read so far. */
	readonly nodes: number;
	/** Reads the next piece of the text. A piece may end anywhere. */
	write(piece: string): Steps<void>;
	/** Ends the text. */
	end(): Steps<ParsedFile>;
}

/** The text of a tree, in parts of any size. It yields undefined where other work may run. */
export type Written = Generator<string | undefined, void, unknown>;

/** The exports of a format's module. It is loaded on first use, so that a bundler can split it off. */
export interface FormatModule {
	/** Returns a new reader of a file. The reader counts in `lost` the things an outline can't hold. */
	createReader(settings: Settings, lost: LossCount, dialect: ImportDialect | undefined): FormatReader;
	/**
	 * Writes a tree. It counts in `lost` the things the format can't hold.
	 *
	 * @param timeZone - the time zone of the outline; dates with a time are written and later read in it
	 */
	written(tree: ExportedTree, lost: LossCount, timeZone: string): Written;
}
