import { OutlineError } from "outlinekit";
import type { Command } from "../command.ts";
import { outlineOptions } from "../shared-options.ts";
import { printTree, treeOptions } from "./list.ts";

export const today: Command = {
	name: "today",
	summary: "Print today's nodes",
	arguments: [],
	options: { ...treeOptions, ...outlineOptions },
	async run(call) {
		const { output } = call;
		const outline = await call.openNodes();
		await output.text(output.styled("bold", outline.today()));
		const count = await printTree(outline, "today", call).catch((error) => {
			// The first node below the entry creates the entry.
			if (error instanceof OutlineError && error.code === "not_found") return 0;
			throw error;
		});
		if (count === 0) output.hint("Nothing yet. To add something: outlinekit add --to today <text>");
	},
};
