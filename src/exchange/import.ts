import type { Call } from "../engine/call.js";
import { OutlineError, quoted } from "../errors.js";
import { assertBoolean, type Fields } from "../fields.js";
import { joined } from "../history/join.js";
import type { PreparedStep } from "../history/recorded-write.js";
import { htmlModule, markdownModule } from "../operations/name.js";
import { Pace, paced } from "../pace.js";
import { positionArgument } from "../place/priority.js";
import { destinationArgument } from "../reference/reference.js";
import type { Destination } from "./destination.js";
import type { ImportDialect, ParsedFile } from "./format-module.js";
import { type ExchangeFormat, exchangeFormatArgument, formatModules } from "./formats.js";
import { LossCount, type Lost } from "./loss.js";
import { ProgressReporter } from "./progress.js";
import { type ImportSource, textOf } from "./source.js";

/** The result of an import. */
export interface ImportReport {
	/** The number of nodes created. */
	nodes: number;
	/** The ids of the imported nodes that have no imported parent, from top to bottom. */
	rootIds: string[];
	/**
	 * The number of losses by kind; empty if nothing was lost. Kinds of OPML are for example `attribute
	 * x:y`, `element x`, `head title`, `repetition` and `<span>`. The kind of Markdown is `codeLanguage`;
	 * Logseq adds `logbook`, `property` and `repetition`. Kinds of JSON are `id`, `priority`, `key`, `mirror` and
	 * `name`.
	 */
	lost: Lost;
}

/** A file that has been read. */
export interface ReadImport {
	readonly file: ParsedFile;
	/** The losses: things the outline can't hold. */
	readonly lost: LossCount;
}

/**
 * Reads a file to its end, and lets other work run in between. It changes nothing yet.
 *
 * @throws `invalid_argument` for a wrong option, or with the line of the file; `too_large` if the file has
 * more than fits into one commit
 */
export async function readImport(call: Call, source: ImportSource, options: Fields): Promise<ReadImport> {
	const format = exchangeFormatArgument(options.format);
	const dialect = dialectArgument(options.dialect, format);
	const progress = new ProgressReporter(options);
	const { joinUndoStep = false } = options;
	assertBoolean("joinUndoStep", joinUndoStep);
	// Checked now, so that a wrong destination is refused before a long file is read.
	destinationOf(call, options);
	progress.check();
	// The HTML module reads names. OPML may be of Dynalist, whose texts are Markdown.
	const needsMarkdown = format === "opml" || dialect === "dynalist";
	const modules = [htmlModule.load(), needsMarkdown ? markdownModule.load() : undefined];
	const [{ createReader }] = await Promise.all([formatModules[format].load(), ...modules]);
	const lost = new LossCount();
	const reader = createReader(call.settings, lost, dialect);
	const pace = new Pace();
	for await (const piece of textOf(source)) {
		await paced(reader.write(piece), pace, () => progress.check());
		progress.advance(piece.length, reader.nodes);
	}
	const file = await paced(reader.end(), pace, () => progress.check());
	progress.advance(0, file.nodes);
	return { file, lost };
}

/**
 * Returns the operation that writes the nodes of a file.
 *
 * @throws `not_found` for an unknown parent or sibling
 */
export function prepareImport(call: Call, options: Fields, { file, lost }: ReadImport): PreparedStep<ImportReport> {
	const destination = destinationOf(call, options);
	return {
		join: options.joinUndoStep === true ? joined : undefined,
		newIds: () => file.nodes,
		*run(changes) {
			if (file.nodes === 0) return { nodes: 0, rootIds: [], lost: lost.with() };
			const inserted = yield* file.insert(call, changes, destination);
			return { nodes: file.nodes, rootIds: inserted.rootIds, lost: lost.with(inserted.lost) };
		},
	};
}

const formatOfDialect: { readonly [dialect: string]: ExchangeFormat } = { logseq: "markdown", dynalist: "text" };

function dialectArgument(value: unknown, format: ExchangeFormat): ImportDialect | undefined {
	if (value === undefined) return undefined;
	if (typeof value === "string" && formatOfDialect[value] === format) return value as ImportDialect;
	throw new OutlineError(
		"invalid_argument",
		`dialect is ${quoted(value)}. It may be "logseq" for Markdown, and "dynalist" for text.`,
	);
}

function destinationOf(call: Call, { parent, position = "bottom" }: Fields): Destination {
	return {
		parent: destinationArgument(parent, call),
		place: positionArgument(position, call),
	};
}
