import type { MirrorPolicy } from "outlinekit";
import type { Command } from "../command.ts";
import { counted } from "../output.ts";
import { outlineOptions } from "../shared-options.ts";

export const deleteCommand: Command = {
	name: "delete",
	summary: "Delete a node, with all below it",
	arguments: ["<node>"],
	options: {
		mirrors: {
			value: "policy",
			choices: ["reject", "detach", "promote"],
			help: "what to do if mirrors elsewhere show a deleted node: reject (default), detach them, or promote one",
		},
		...outlineOptions,
	},
	async run(call) {
		const { words, options, output } = call;
		const ref = words[0]!;
		const mirrors = options.text("mirrors") as MirrorPolicy | undefined;
		const outline = await call.openNodes();
		const { nodeIds } = await outline.plan.delete(ref, { mirrors });
		await outline.delete(ref, { mirrors });
		await output.result({ deleted: nodeIds }, `Deleted: ${counted(nodeIds.length, "node")}.`);
	},
};
