import { fresh } from "../fresh.ts";
import type { Extent } from "../part.ts";
import type { Table } from "../report.ts";
import type { DayResult } from "../scenes/day.ts";

const tenths = 10;

/** A day of use: its memory after the first tenth, beside that after each later one. */
export async function* measure({ full }: Extent): AsyncIterable<Table> {
	// With `full`, seven steps for each second of the day.
	const { heap, step } = await fresh<DayResult>("day", { nodes: 10_000, steps: full ? 604_800 : 14_400 });
	const rows = (figures: readonly number[], goal: number) =>
		figures.slice(1).map((figure, index) => ({
			name: `after ${(index + 2) / tenths} of the day`,
			ours: [figure],
			base: [figures[0]!],
			goal: { ratio: goal },
		}));
	yield table("heap", "Memory of a day with two devices and their server", "megabytes of heap", rows(heap, 1.1));
	yield table(
		"step",
		"Steps of a day with two devices and their server",
		"µs a step, with the exchanges",
		rows(step, 1.25),
	);
}

function table(key: string, title: string, unit: string, rows: Table["rows"]): Table {
	return { key: `day ${key}`, title, unit, base: "the first tenth", ours: "a later one", rows };
}
