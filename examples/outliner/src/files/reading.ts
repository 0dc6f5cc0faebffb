import type { Workspace } from "../workspace/workspace.js";
import { deadLinksBelow } from "./dead-links.js";
import { formatOf } from "./formats.js";
import type { Outcome } from "./import-report.js";
import { type ImportControl, importFile } from "./importing.js";
import { importPages, isPage } from "./pages.js";
import { importBelow, replaceOutline } from "./restoring.js";

/** The target of a file: the end of the visible place, a new node there, or the place of everything. */
export type Destination = "end" | "below" | "everything";

/** The files that are imported together: the Markdown files, which may be pages with links to each other. */
export async function groupsOf(files: readonly File[]): Promise<File[][]> {
	const groups: File[][] = [];
	let pages: File[] | undefined;
	for (const file of files) {
		const isMarkdown = (await formatOf(file)) === "markdown";
		if (isMarkdown && pages !== undefined) pages.push(file);
		else groups.push([file]);
		if (isMarkdown) pages ??= groups.at(-1)!;
	}
	return groups;
}

/** Imports files that belong together. */
export async function readGroup(
	workspace: Workspace,
	files: readonly File[],
	destination: Destination,
	control: ImportControl,
): Promise<{ readonly outcomes: readonly Outcome[]; readonly first: string | undefined }> {
	const [file] = files;
	if (files.length > 1 || (await isPage(file!))) {
		const { reports, first } = await importPages(workspace, files, control);
		return {
			first,
			outcomes: reports.map(({ file, nodes, lost, deadLinks, error }) =>
				error === undefined ? { fileName: file.name, nodes, lost, deadLinks } : failed(file, messageOf(error)),
			),
		};
	}
	const read = { end: importFile, below: importBelow, everything: replaceOutline }[destination];
	const { nodes, lost, rootIds } = await read(workspace, file!, control);
	// A copy of an outline has its links as they were. Another tab may already have deleted imported nodes.
	const isCopy = (await formatOf(file!)) === "json";
	const deadLinks = isCopy ? 0 : await deadLinksBelow(workspace.outline, rootIds).catch(() => 0);
	return { outcomes: [{ fileName: file!.name, nodes, lost, deadLinks }], first: rootIds[0] };
}

/** The outcome of a file of which nothing was imported. */
export function failed({ name }: File, text: string, isError = true): Outcome {
	return { fileName: name, nodes: 0, lost: {}, deadLinks: 0, failure: { text, isError } };
}

/** The message of an error. */
export function messageOf(error: unknown): string {
	return error instanceof Error ? error.message : String(error);
}
