import type { SearchHit } from "outlinekit";
import type { Command } from "../command.ts";
import { outlineOptions } from "../shared-options.ts";
import { hitLines, hitObject } from "../tree.ts";

export const agenda: Command = {
	name: "agenda",
	summary: "Print overdue tasks, and what has a date in the next days",
	arguments: [],
	options: {
		days: { value: "number", help: "how many days after today; default: 7" },
		within: { value: "node", help: "look only at this node and all below it" },
		...outlineOptions,
	},
	details:
		"A date is in the text of a node: [2026-12-01] or [2026-12-01 09:30]. A task without a date isn't in the agenda.\nWhat is below a day of the calendar: outlinekit list 2026-12-01",
	async run(call) {
		const { options, output } = call;
		const days = options.integer("days", 0, 3660) ?? 7;
		const outline = await call.openNodes();
		const found = async (query: string) =>
			outline.search(query, { within: options.text("within"), limit: 1000, order: "date", ancestors: true });
		const overdue = await found("date:<today is:todo -is:completed");
		const next = await found(days === 0 ? "date:today -is:completed" : `date:+${days}d -is:completed`);
		const print = async (hits: readonly SearchHit[], headingOf: (hit: SearchHit) => string) => {
			let heading = "";
			for (const hit of hits) {
				if (headingOf(hit) !== heading) {
					heading = headingOf(hit);
					await output.text(output.styled("bold", heading));
				}
				await output.result(hitObject(hit), hitLines(hit, output));
			}
		};
		await print(overdue, () => "Overdue");
		await print(next, ({ date = "" }) => date.slice(0, 10));
		if (overdue.length + next.length === 0) output.hint("Nothing is due.");
	},
};
