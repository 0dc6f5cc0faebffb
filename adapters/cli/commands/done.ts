import type { Command } from "../command.ts";
import { outlineOptions } from "../shared-options.ts";
import { nodeLines, nodeObject } from "../tree.ts";

export const done: Command = {
	name: "done",
	summary: "Complete a node, or open it again",
	arguments: ["<node>"],
	options: { open: { help: "open it again" }, ...outlineOptions },
	async run(call) {
		const { words, options, output } = call;
		const outline = await call.openNodes();
		const ref = words[0]!;
		const node = await (options.flag("open") ? outline.uncomplete(ref) : outline.complete(ref));
		await output.result(nodeObject(node), nodeLines(node, 0, output));
	},
};
