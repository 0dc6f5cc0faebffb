import { once } from "node:events";
import { createReadStream, type ReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import type {
	ExchangeFormat,
	ExchangeProgress,
	ImportDialect,
	ImportOptions,
	ImportReport,
	OutlineNode,
} from "outlinekit";
import type { Call } from "../call.ts";
import type { Command } from "../command.ts";
import { exitCodes, Failure, usage } from "../failure.ts";
import { formatOf, formatOption, unknownFormat } from "../formats.ts";
import { piecesOf, withoutBlank } from "../input.ts";
import { counted } from "../output.ts";
import type { OpenOutline } from "../place/open.ts";
import { outlineOptions } from "../shared-options.ts";

export const importCommand: Command = {
	name: "import",
	summary: "Add the nodes of a file, all or none, or of a folder of Markdown files",
	arguments: ["<file>"],
	options: {
		format: formatOption,
		dialect: { value: "name", help: "read the marks of logseq (Markdown) or dynalist (text)" },
		to: { value: "node", help: "the parent; default: the top level" },
		top: { help: "put them first; default: last" },
		...outlineOptions,
	},
	details:
		"With - as the file, it reads the standard input; give --format then. Of a folder, each Markdown file and each\nfolder becomes a node with its name. A file such as 2026-12-01.md goes below that day.",
	async run(call) {
		const { words, options, signal, stdin } = call;
		const path = words[0]!;
		if (path !== "-" && (await isFolder(path))) return importFolder(call, path);
		const format = (options.text("format") ?? formatOf(path)) as ExchangeFormat | undefined;
		if (format === undefined) throw unknownFormat(path);
		const file = path === "-" ? undefined : createReadStream(path);
		const source = file ?? stdin;
		// The import reports an error of the source. It may not read yet, or not any more.
		source.on("error", () => {});
		try {
			// Read before the outline is opened: a missing or empty file must not leave a new outline behind.
			if (file !== undefined) await opened(file, path);
			const pieces = await withoutBlank(piecesOf(source, signal));
			if (pieces === undefined) throw usage(file === undefined ? "The text is empty." : `${path} is empty.`);
			await importPieces(call, format, pieces);
		} finally {
			// An open input would keep the program waiting.
			source.destroy();
		}
	},
};

async function importPieces(call: Call, format: ExchangeFormat, pieces: AsyncIterable<Uint8Array>): Promise<void> {
	const opened = await call.open({ creates: true });
	const report = await opened.outline.import(pieces, { ...importOptions(call), format, dialect: dialectOf(call) });
	if (isTooLarge(opened, report)) tellTooLarge(call);
	await opened.push();
	await printReport(call, report);
}

async function importFolder(call: Call, path: string): Promise<void> {
	const format = call.options.text("format") ?? "markdown";
	if (format !== "markdown")
		throw usage(`${path} is a folder, of which only Markdown files are read, and not ${format}.`);
	const { nodesBelow, readFolder } = await import("../folder.ts");
	const { draft, days, rest, lost } = await readFolder(path, dialectOf(call), call.signal);
	const pages = await nodesBelow(draft, rest);
	if (pages.length === 0 && days.size === 0) throw usage(`${path} has no Markdown file.`);
	const opened = await call.open({ creates: true });
	const { outline, push } = opened;
	const options = importOptions(call);
	const reports: ImportReport[] = [];
	let tooLarge = false;
	const put = async (nodes: readonly OutlineNode[], place: Pick<ImportOptions, "parent" | "position">) => {
		const joinUndoStep = reports.length > 0;
		if (nodes.length === 0) return;
		const file = draft.exportAs("json", { nodes });
		const report = await outline.import(file, { ...options, ...place, format: "json", joinUndoStep });
		reports.push(report);
		tooLarge ||= isTooLarge(opened, report);
	};
	await put(pages, {});
	for (const [day, id] of days) await put(await nodesBelow(draft, id), { parent: day, position: "bottom" });
	if (tooLarge) tellTooLarge(call);
	await push();
	const nodes = reports.reduce((sum, report) => sum + report.nodes, 0);
	await printReport(call, { nodes, rootIds: reports.flatMap(({ rootIds }) => rootIds), lost: { ...lost } });
}

function importOptions({ options, output, signal }: Call) {
	return {
		parent: options.text("to") ?? null,
		position: options.flag("top") ? "top" : "bottom",
		signal,
		onProgress: ({ nodes }: ExchangeProgress) => output.progress(`${nodes} nodes`),
	} as const;
}

/** Whether an import was too large for the history that is stored with the outline: then it has no step. */
function isTooLarge({ outline, place }: OpenOutline, { nodes }: ImportReport): boolean {
	return place.kind !== "server" && nodes > 0 && outline.history.undo === 0;
}

function tellTooLarge({ output }: Call): void {
	output.note("The import is too large for the stored history: no undo takes it back, nor any change before it.");
}

function dialectOf({ options }: Call): ImportDialect | undefined {
	return options.text("dialect") as ImportDialect | undefined;
}

async function printReport({ output }: Call, report: ImportReport): Promise<void> {
	const lost = Object.entries(report.lost).map(([kind, count]) => `${kind} ${count}`);
	const text = `Imported: ${counted(report.nodes, "node")}.${lost.length === 0 ? "" : ` Not taken over: ${lost.join(", ")}.`}`;
	await output.result(report, text);
}

async function isFolder(path: string): Promise<boolean> {
	return stat(path).then(
		(found) => found.isDirectory(),
		() => false,
	);
}

/** Resolves when a file is open. @throws Failure */
async function opened(file: ReadStream, path: string): Promise<void> {
	await once(file, "open").catch((error: NodeJS.ErrnoException) => {
		if (error.code !== "ENOENT") throw error;
		throw new Failure("not_found", `There is no file ${path}.`, exitCodes.missing);
	});
}
