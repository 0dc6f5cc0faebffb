import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { ratioOf, type Table } from "./report.ts";

/** Ratios by table and row. Times would say more about the machine than about the program. */
type Baseline = Record<string, Record<string, number>>;

/** The difference of a ratio that chance may cause. */
const noise = 1.25;

const path = fileURLToPath(new URL("baseline.json", import.meta.url));

/** Stores the ratios of these tables, and keeps the stored ratios of other tables. */
export function saveBaseline(tables: readonly Table[]): void {
	const baseline = { ...readBaseline() };
	for (const table of tables) baseline[table.key] = ratiosOf(table);
	const sorted = Object.fromEntries(Object.entries(baseline).sort(([left], [right]) => (left < right ? -1 : 1)));
	writeFileSync(path, `${JSON.stringify(sorted, null, "\t")}\n`);
}

/** The changes since the baseline was saved, in Markdown. */
export function compareWithBaseline(tables: readonly Table[]): string {
	const baseline = readBaseline();
	const lines = ["| | ratio before | now | |", "|---|---:|---:|---|"];
	for (const table of tables) {
		for (const [name, now] of Object.entries(ratiosOf(table))) {
			const before = baseline[table.key]?.[name];
			if (before === undefined) continue;
			const verdict = now > before * noise ? "more" : now < before / noise ? "less" : "";
			lines.push(`| ${table.title}: ${name} | ${before}x | ${now}x | ${verdict} |`);
		}
	}
	return lines.join("\n");
}

function ratiosOf(table: Table): Record<string, number> {
	const ratios: Record<string, number> = {};
	for (const row of table.rows) {
		const ratio = ratioOf(row);
		if (ratio !== undefined) ratios[row.name] = Number(ratio.toPrecision(3));
	}
	return ratios;
}

function readBaseline(): Baseline {
	return existsSync(path) ? (JSON.parse(readFileSync(path, "utf8")) as Baseline) : {};
}
