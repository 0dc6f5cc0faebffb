import type { Call } from "../engine/call.js";
import type { Changes } from "../engine/changes.js";
import type { Reading } from "../engine/protocol.js";
import type { Settings } from "../engine/settings.js";
import type { Steps } from "../pace.js";
import type { ExportedTree } from "./exported-tree.js";
import type { LossCount } from "./loss.js";
import type { Destination } from "./roots.js";

/** What a file held, read and checked. */
export interface Arrival {
	/** How many nodes there are. */
	readonly nodes: number;
	/** Writes them. Run again for each attempt. */
	settle(call: Call, changes: Changes, destination: Destination): Reading<Settled>;
}

/** What became of the nodes of a file. */
export interface Settled {
	readonly rootIds: string[];
	/** What the outline had no place for. */
	readonly lost: LossCount;
}

/**
 * Reads a file of one format. Everything throws `invalid_argument` with the line for a malformed one, and `too_large` for more
 * nodes than fit into one commit.
 */
export interface FormatReader {
	/** How many nodes have been read. */
	readonly nodes: number;
	/** Takes the next piece of the text, which may end anywhere. */
	write(piece: string): Steps<void>;
	/** The text is at its end. */
	end(): Steps<Arrival>;
}

/** The text of a tree, in parts of any size; undefined where other work may have its turn. */
export type Written = Generator<string | undefined, void, unknown>;

/** What the module of a format exports. Each is loaded on first use, so that a bundle carries it apart. */
export interface FormatModule {
	/** Begins to read a file; what the outline has no place for is counted in `lost`. */
	createReader(settings: Settings, lost: LossCount): FormatReader;
	/**
	 * Writes a tree; what the format has no place for is counted in `lost`.
	 *
	 * @param timeZone - the zone of the outline, in which dates with a time are written and read
	 */
	written(tree: ExportedTree, lost: LossCount, timeZone: string): Written;
}
