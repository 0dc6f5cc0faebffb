import type { OpmlReport } from "./import.ts";

/** A report as a person reads it. */
export function linesOf(title: string, report: OpmlReport): string[] {
	const { nodes, completed, withNote, withTag, withLink, withProperties, former, lost } = report;
	const lines = [
		`${title}: ${nodes.toLocaleString("en")} nodes came over`,
		`  ${completed} completed, ${withNote} with a note, ${withTag} with tags, ${withLink} with links`,
		...(withProperties > 0 ? [`  ${withProperties} with properties, from attributes of their own`] : []),
	];
	for (const [host, links] of former) {
		lines.push(`  Links to ${host} that still lead there, since the file doesn't say which nodes they mean: ${links}`);
	}
	const kinds = Object.entries(lost);
	lines.push(kinds.length === 0 ? "  Nothing was lost" : "  Lost:");
	for (const [kind, count] of kinds) lines.push(`    ${count} × ${kind}`);
	return lines;
}
