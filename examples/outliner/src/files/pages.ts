import { type ImportReport, type Lost, Outline, type OutlineNode, type Properties } from "outlinekit";
import { toText } from "outlinekit/markup";
import { createMemoryStorage } from "outlinekit/memory";
import { isLogseq } from "../clipboard/dialect.js";
import { escaped } from "../text/fragment.js";
import { addressOf, pageAddress } from "../workspace/place.js";
import type { Workspace } from "../workspace/workspace.js";
import { formatOf } from "./formats.js";
import { type PageText, pageText } from "./front-matter.js";
import { type ImportControl, replacingBlankLine } from "./importing.js";
import { dateFragment, dayOfPage, type PageLinks, withPageLinks } from "./page-links.js";

/** The number of nodes whose names change in one commit. */
const namesAtOnce = 1000;

/** The result of the import of a page. */
export interface PageReport {
	readonly file: File;
	readonly nodes: number;
	readonly lost: Lost;
	/** The number of links to pages and blocks that aren't among the files. */
	readonly deadLinks: number;
	/** The reason why nothing was imported of it. */
	readonly error?: unknown;
}

/** A page that has been read. */
interface Page {
	readonly file: File;
	/** The names by which links lead to it. */
	readonly names: readonly string[];
	/** The day below which it goes: it is a journal. */
	readonly day: string | undefined;
	/** The id of its node; undefined if its nodes come alone. */
	readonly id: string | undefined;
	readonly rootIds: readonly string[];
	readonly nodes: number;
	readonly lost: Lost;
	deadLinks: number;
}

/** Whether a Markdown file has to be read as a page: it is of Logseq, or has properties. */
export async function isPage(file: File): Promise<boolean> {
	if ((await formatOf(file)) !== "markdown") return false;
	const beginning = await file.slice(0, 65_536).text();
	const { properties, text } = pageText(beginning);
	return Object.keys(properties).length > 0 || isLogseq(text.slice(0, text.lastIndexOf("\n")));
}

/**
 * Imports Markdown files together: each below a node with the name of the file, and a journal below its day.
 * Links to pages and blocks of the files lead to their nodes. A file that can't be read stops no other file.
 */
export async function importPages(
	workspace: Workspace,
	files: readonly File[],
	{ signal, onProgress }: ImportControl,
): Promise<{ readonly reports: readonly PageReport[]; readonly first: string | undefined }> {
	const { outline } = workspace;
	// Here the pages get their links, so that they come into the outline as a whole.
	const draft = new Outline({ storage: createMemoryStorage(), appUrl: pageAddress(), history: { steps: 0 } });
	const pages: Page[] = [];
	const failures: PageReport[] = [];
	for (const [index, file] of files.entries()) {
		try {
			const report = (nodes: number) => onProgress((index + 0.5) / files.length, nodes);
			pages.push(await readPage(draft, file, files.length > 1, signal, report));
		} catch (error) {
			if (signal.aborted) throw error;
			failures.push({ file, nodes: 0, lost: {}, deadLinks: 0, error });
		}
	}
	await linkPages(draft, pages);
	const nodesOf = async (ids: readonly string[]) => (await Promise.all(ids.map((id) => subtree(draft, id)))).flat();
	const put = async (
		nodes: readonly OutlineNode[],
		parent: string | null,
		joinUndoStep = false,
	): Promise<ImportReport> =>
		outline.import(draft.exportAs("json", { nodes }), {
			format: "json",
			parent,
			position: "bottom",
			joinUndoStep,
			signal,
		});
	const main = await nodesOf(pages.flatMap(({ day, rootIds }) => (day === undefined ? rootIds : [])));
	const parent = workspace.root?.id ?? null;
	const report =
		main.length === 0 ? undefined : await replacingBlankLine(workspace, (joins) => put(main, parent, joins));
	for (const { day, id, rootIds } of pages) {
		if (day === undefined || id === undefined) continue;
		const [page, ...nodes] = await nodesOf(rootIds);
		if (nodes.length > 0) await put(nodes, day);
		const { properties } = page!;
		if (Object.keys(properties).length > 0) await outline.update((await outline.ensure(day)).id, { properties });
	}
	const done = pages.map(({ file, nodes, lost, deadLinks }) => ({ file, nodes, lost, deadLinks }));
	return { reports: [...done, ...failures], first: report?.rootIds[0] };
}

async function readPage(
	draft: Outline,
	file: File,
	isOneOfSeveral: boolean,
	signal: AbortSignal,
	onProgress: (nodes: number) => void,
): Promise<Page> {
	const { properties, text } = pageText(await file.text());
	signal.throwIfAborted();
	const names = namesOf(file, properties);
	const day = dayOfPage(names[0]!);
	const hasNode = isOneOfSeveral || Object.keys(properties).length > 0;
	const id = hasNode ? (await createPage(draft, names[0]!, properties)).id : undefined;
	try {
		const { nodes, lost, rootIds } = await draft.import(text, {
			format: "markdown",
			dialect: isLogseq(text) ? "logseq" : undefined,
			parent: id ?? null,
			signal,
			onProgress: (progress) => onProgress(progress.nodes),
		});
		const isJournal = id !== undefined && day !== undefined;
		const own = id === undefined || isJournal ? 0 : 1;
		return {
			file,
			names,
			day: isJournal ? day : undefined,
			id,
			rootIds: id === undefined ? rootIds : [id],
			nodes: nodes + own,
			lost,
			deadLinks: 0,
		};
	} catch (error) {
		if (id !== undefined) await draft.delete(id);
		throw error;
	}
}

function createPage(draft: Outline, name: string, properties: PageText["properties"]): Promise<OutlineNode> {
	return draft.create({ name, format: "text", properties, position: "bottom" });
}

/** The name of a page, and its aliases. Logseq writes characters that file names can't have in other ways. */
function namesOf({ name }: File, { title, alias, aliases }: Properties): string[] {
	const base = name.replace(/\.\w+$/, "").replaceAll("___", "/");
	let decoded = base;
	try {
		decoded = decodeURIComponent(base);
	} catch {
		// The sign is a part of the name.
	}
	const others = [alias, aliases].flatMap((value) =>
		typeof value === "string" ? value.split(",") : Array.isArray(value) ? value : [],
	);
	const own = typeof title === "string" && title.trim() !== "" ? [title.trim(), decoded] : [decoded];
	return [...own, ...others.map((each) => String(each).trim())];
}

/** Makes links of the references to pages and blocks. Counts the ones that lead nowhere. */
async function linkPages(draft: Outline, pages: readonly Page[]): Promise<void> {
	const ids = new Map<string, string>();
	const blocks = new Map<string, OutlineNode>();
	for (const { names, id, day } of pages.toReversed()) {
		if (id !== undefined && day === undefined) for (const name of names) ids.set(keyOf(name), id);
	}
	for await (const { node } of draft.walk(null, { budget: Number.POSITIVE_INFINITY })) {
		if (typeof node.properties.id === "string") blocks.set(node.properties.id.toLowerCase(), node);
	}
	const linkTo = (id: string, label: string) => `<a href="${addressOf(id)}">${escaped(label)}</a>`;
	const links: PageLinks = {
		page: (name, label) => {
			const day = dayOfPage(name);
			if (day !== undefined) return dateFragment(day);
			const id = ids.get(keyOf(name)) ?? ids.get(keyOf(name.split("#")[0]!));
			return id && linkTo(id, label || name.trim());
		},
		block: (id, label) => {
			const node = blocks.get(id.toLowerCase());
			return node && linkTo(node.id, label || toText(node.name) || "Untitled");
		},
	};
	for (const page of pages) {
		let updates: { type: "update"; ref: string; name: string }[] = [];
		const write = async () => {
			if (updates.length > 0) await draft.batch(updates);
			updates = [];
		};
		for (const root of page.rootIds) {
			for (const node of await subtree(draft, root)) {
				if (node.id === page.id || node.layoutMode === "code-block") continue;
				const linked = withPageLinks(node.name, links);
				page.deadLinks += linked.missing;
				if (linked.name !== node.name) updates.push({ type: "update", ref: node.id, name: linked.name });
				if (updates.length >= namesAtOnce) await write();
			}
		}
		await write();
	}
}

/** A name as links compare it. */
function keyOf(name: string): string {
	return name.trim().toLowerCase();
}

async function subtree(draft: Outline, id: string): Promise<OutlineNode[]> {
	const nodes: OutlineNode[] = [];
	for await (const { node } of draft.walk(id, { budget: Number.POSITIVE_INFINITY })) nodes.push(node);
	return nodes;
}
