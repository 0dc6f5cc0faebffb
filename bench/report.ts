import { median } from "./measure.ts";

/** The limit of a ratio: at most this, or with `atLeast` at least. */
export interface Goal {
	readonly ratio: number;
	readonly atLeast?: boolean;
}

/** One line of a table. */
export interface Row {
	readonly name: string;
	/**
	 * The figures of the runs, in the table's unit or the unit in the name; without a ratio there is one list
	 * alone.
	 */
	readonly ours: readonly number[];
	/** The figures of the same runs for the other side: each ratio is of one run. */
	readonly base?: readonly number[];
	readonly goal?: Goal;
	/** Where there is nothing to hold a figure beside: it may be at most this. */
	readonly limit?: number;
}

export interface Table {
	/** A short, stable key for the stored ratios. */
	readonly key: string;
	readonly title: string;
	/** The titles of the two columns of figures. */
	readonly ours: string;
	readonly base: string;
	readonly unit: string;
	readonly rows: readonly Row[];
	/** Remarks below the table. */
	readonly notes?: readonly string[];
}

/** The median of the ratios of the runs. */
export function ratioOf({ ours, base }: Row): number | undefined {
	return base === undefined ? undefined : median(ours.map((figure, run) => figure / base[run]!));
}

/** Whether a line meets its limit; undefined without a limit. */
export function isMet(row: Row): boolean | undefined {
	if (row.limit !== undefined) return median(row.ours) <= row.limit;
	const ratio = ratioOf(row);
	if (row.goal === undefined || ratio === undefined) return undefined;
	return row.goal.atLeast ? ratio >= row.goal.ratio : ratio <= row.goal.ratio;
}

function goalOf({ goal, limit }: Row): string {
	if (limit !== undefined) return `≤ ${limit}`;
	return goal === undefined ? "" : `${goal.atLeast ? "≥" : "≤"} ${goal.ratio}x`;
}

/** A table in Markdown. */
export function markdownOf({ title, ours, base, unit, rows, notes = [] }: Table): string {
	const lines = [
		`### ${title}`,
		"",
		`| ${unit} | ${base} | ${ours} | ratio | goal | met |`,
		"|---|---:|---:|---:|---:|---|",
	];
	for (const row of rows) {
		const ratio = ratioOf(row);
		const met = isMet(row);
		const cells = [
			row.name,
			row.base === undefined ? "" : figure(median(row.base)),
			figure(median(row.ours)),
			ratio === undefined ? "" : `${ratio < 1000 ? ratio.toPrecision(3) : Math.round(ratio)}x`,
			goalOf(row),
			met === undefined ? "" : met ? "yes" : "**no**",
		];
		lines.push(`| ${cells.join(" | ")} |`);
	}
	for (const note of notes) lines.push("", note);
	return lines.join("\n");
}

/** A number with three digits, or with all digits before the point. */
function figure(value: number): string {
	const digits = Math.max(0, 2 - Math.floor(Math.log10(Math.abs(value) || 1)));
	return value.toFixed(Math.min(digits, 4));
}
