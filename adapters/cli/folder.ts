import { readdir, readFile } from "node:fs/promises";
import { extname, join } from "node:path";
import { type ImportDialect, Outline, OutlineError, type OutlineNode } from "outlinekit";
import { createMemoryStorage } from "outlinekit/memory";
import { formatOf } from "./formats.ts";

/** A property of a page of Logseq, before its first block. */
const beginsWithProperty = /^\ufeff?[^\s:-][^\s:]*::/;

const order = new Intl.Collator("en", { numeric: true });

/** The Markdown files of a folder, as an outline that is a draft of the import. */
export interface FolderDraft {
	readonly draft: Outline;
	/** The ids of the nodes whose children are to be imported: by the day of a journal, and all others. */
	readonly days: ReadonlyMap<string, string>;
	readonly rest: string;
	/** The number of losses by kind. */
	readonly lost: Readonly<Record<string, number>>;
}

/**
 * Reads the Markdown files of a folder and of the folders in it. Each becomes a node with its name, and what the
 * file has is below it. A file with the name of a day goes below that day.
 */
export async function readFolder(
	folder: string,
	dialect: ImportDialect | undefined,
	signal: AbortSignal,
): Promise<FolderDraft> {
	const draft = new Outline({ storage: createMemoryStorage(), history: { steps: 0 } });
	const created = async (name: string, parent: string | null) =>
		(await draft.create({ name, format: "text", parent, position: "bottom" })).id;
	const days = new Map<string, string>();
	const lost: Record<string, number> = {};
	const rest = await created("", null);

	async function readInto(parent: string, folder: string): Promise<void> {
		const entries = await readdir(folder, { withFileTypes: true });
		for (const entry of entries.sort((left, right) => order.compare(left.name, right.name))) {
			const path = join(folder, entry.name);
			if (entry.name.startsWith(".")) continue;
			if (entry.isDirectory()) await readSubfolder(parent, entry.name, path);
			else if (formatOf(path) === "markdown") await readPage(parent, entry.name, path);
		}
	}

	async function readSubfolder(parent: string, name: string, path: string): Promise<void> {
		const id = await created(name, parent);
		await readInto(id, path);
		if ((await draft.list(id)).nodes.length === 0) await draft.delete(id);
	}

	async function readPage(parent: string, fileName: string, path: string): Promise<void> {
		const name = nameOf(fileName, dialect);
		const day = dayIn(name);
		const id = (day && days.get(day)) ?? (await created(name, day === undefined ? parent : null));
		if (day !== undefined) days.set(day, id);
		const text = await readFile(path, { signal });
		const report = await draft.import(text, { format: "markdown", dialect, parent: id, signal }).catch((error) => {
			throw error instanceof OutlineError ? new OutlineError(error.code, `${path}: ${error.message}`) : error;
		});
		for (const [kind, count] of Object.entries(report.lost)) lost[kind] = (lost[kind] ?? 0) + count;
		const [root] = report.rootIds;
		if (dialect !== "logseq" || day !== undefined || root === undefined) return;
		if (!beginsWithProperty.test(text.toString("utf8", 0, 200))) return;
		// The import itself has made a node of the page, with its properties.
		if ((await draft.get(root)).name === "") await draft.update(root, { name, format: "text" });
		await draft.move(root, { parent, position: "bottom" });
		await draft.delete(id);
	}

	await readInto(rest, folder);
	return { draft, days, rest, lost };
}

/** Returns all nodes below a node of a draft. */
export async function nodesBelow(draft: Outline, id: string): Promise<OutlineNode[]> {
	const nodes: OutlineNode[] = [];
	for await (const { node } of draft.walk(id, { budget: Number.POSITIVE_INFINITY }))
		if (node.id !== id) nodes.push(node);
	return nodes;
}

/** The name of the page in a file. Logseq writes characters that file names can't have in other ways. */
function nameOf(fileName: string, dialect: ImportDialect | undefined): string {
	const name = fileName.slice(0, -extname(fileName).length);
	if (dialect !== "logseq") return name;
	try {
		return decodeURIComponent(name.replaceAll("___", "/"));
	} catch {
		// The sign is a part of the name.
		return name;
	}
}

/** The calendar key of a name such as `2026-12-01` or `2026_12_01`. */
function dayIn(name: string): string | undefined {
	const day = name.replaceAll("_", "-");
	// The calendar begins with the year 1.
	if (!/^(?!0000)\d{4}-\d\d-\d\d$/.test(day)) return undefined;
	return Number.isNaN(Date.parse(day)) || new Date(day).toISOString().slice(0, 10) !== day ? undefined : day;
}
