import type { Call } from "../engine/call.js";
import type { Fields } from "../fields.js";
import { htmlModule } from "../operations/name.js";
import type { Prepared } from "../operations/prepared.js";
import { Pace, paced } from "../pace.js";
import { type Position, positionArgument } from "../place/priority.js";
import type { ReferenceText } from "../reference/reference.js";
import { parentReference } from "../reference/reference.js";
import type { Arrival } from "./format-module.js";
import { type ExchangeFormat, exchangeFormatArgument, formatModules } from "./formats.js";
import { LossCount, type Lost } from "./loss.js";
import { type ProgressOptions, ProgressReporter } from "./progress.js";
import type { Destination } from "./roots.js";
import { type ImportSource, textOf } from "./source.js";

/** What {@link Outline.import} takes. */
export interface ImportOptions extends ProgressOptions {
	/** What the source is written in. */
	format: ExchangeFormat;
	/**
	 * Any reference; `null` for the top level. Left out, it is the top level, or the parent of the sibling that `position`
	 * names. Inbox and calendar nodes are made on demand.
	 */
	parent?: ReferenceText | null | undefined;
	/** Default `bottom`. */
	position?: Position | undefined;
}

/** What an import has done. */
export interface ImportReport {
	/** How many nodes were made. */
	nodes: number;
	/** The ids of the outermost of them, from top to bottom. */
	rootIds: string[];
	/**
	 * What was not carried over, counted by kind, such as `attribute category`, `element x`, `head title` or `<span>` of OPML;
	 * `id`, `priority`, `key`, `mirror` and `name` of JSON. Empty if everything was.
	 */
	lost: Lost;
}

/** A file that has been read. */
export interface ReadImport {
	readonly arrival: Arrival;
	/** What the outline has no place for. */
	readonly lost: LossCount;
}

/**
 * Reads a file to its end, and lets others have their turn again and again; nothing is changed yet.
 *
 * @throws `invalid_argument` for the options, or with the line of the file; `too_large` for more than fits into one commit
 */
export async function readImport(call: Call, source: ImportSource, options: Fields): Promise<ReadImport> {
	const format = exchangeFormatArgument(options.format);
	const progress = new ProgressReporter(options);
	// Looked at now, so that a wrong one is refused before a long file is read.
	destinationOf(call, options);
	progress.check();
	// Each name of the file is read as HTML.
	const [{ createReader }] = await Promise.all([formatModules[format].load(), htmlModule.load()]);
	const lost = new LossCount();
	const reader = createReader(call.settings, lost);
	const pace = new Pace();
	for await (const piece of textOf(source)) {
		await paced(reader.write(piece), pace, () => progress.check());
		progress.advance(piece.length, reader.nodes);
	}
	const arrival = await paced(reader.end(), pace, () => progress.check());
	progress.advance(0, arrival.nodes);
	return { arrival, lost };
}

/** Writes what was read, as one operation. @throws `not_found` for an unknown parent or sibling */
export function prepareImport(call: Call, options: Fields, { arrival, lost }: ReadImport): Prepared<ImportReport> {
	const destination = destinationOf(call, options);
	return {
		newIds: () => arrival.nodes,
		*run(changes) {
			if (arrival.nodes === 0) return { nodes: 0, rootIds: [], lost: lost.with() };
			const settled = yield* arrival.settle(call, changes, destination);
			return { nodes: arrival.nodes, rootIds: settled.rootIds, lost: lost.with(settled.lost) };
		},
	};
}

function destinationOf(call: Call, { parent, position = "bottom" }: Fields): Destination {
	return {
		parent: parent === undefined ? undefined : parentReference(parent, call),
		place: positionArgument(position, call),
	};
}
