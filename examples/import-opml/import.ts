import type { ImportOptions, ImportReport, ImportSource, Outline } from "outlinekit";
import { toText } from "outlinekit/markup";

/** The imported and the lost parts of a file. */
export interface OpmlReport extends ImportReport {
	completed: number;
	withNote: number;
	withTag: number;
	withLink: number;
	withProperties: number;
	/** The hosts of the outliners that links still lead to, with how many do. */
	former: Map<string, number>;
}

/** Outliners whose nodes have addresses. Their exports don't say which node has which. */
const outliners = new Set(["workflowy.com", "dynalist.io"]);

/**
 * Imports an OPML file of any size at the bottom of the top level, in pieces. A malformed file changes
 * nothing.
 */
export async function importOpml(
	outline: Outline,
	source: ImportSource,
	options: Pick<ImportOptions, "onProgress"> = {},
): Promise<OpmlReport> {
	const imported = await outline.import(source, { ...options, format: "opml" });
	const report: OpmlReport = {
		...imported,
		completed: 0,
		withNote: 0,
		withTag: 0,
		withLink: 0,
		withProperties: 0,
		former: new Map(),
	};
	for (const rootId of imported.rootIds) {
		for await (const { node } of outline.walk(rootId, { budget: Number.POSITIVE_INFINITY })) {
			const links = Array.from(node.name.matchAll(/<a href="([^"]*)"/g), ([, href]) => href!);
			if (node.completed) report.completed += 1;
			if (node.note !== null) report.withNote += 1;
			if (/(?:^|\s)[#@][\p{L}\d]/u.test(toText(node.name))) report.withTag += 1;
			if (links.length > 0) report.withLink += 1;
			if (Object.keys(node.properties).length > 0) report.withProperties += 1;
			for (const host of links.map(hostOf).filter((each) => outliners.has(each))) {
				report.former.set(host, (report.former.get(host) ?? 0) + 1);
			}
		}
	}
	return report;
}

function hostOf(href: string): string {
	return URL.canParse(href) ? new URL(href).hostname : "";
}
