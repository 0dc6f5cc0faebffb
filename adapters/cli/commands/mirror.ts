import type { Command } from "../command.ts";
import { usage } from "../failure.ts";
import { outlineOptions } from "../shared-options.ts";
import { nodeLines, nodeObject } from "../tree.ts";

export const mirror: Command = {
	name: "mirror",
	summary: "Show a node below another parent too",
	arguments: ["<node>"],
	options: {
		to: { value: "node", help: "the parent of the mirror: an id, a shortcut, inbox, today or a date" },
		top: { help: "put it first; default: last" },
		...outlineOptions,
	},
	details: "An edit of the node or of its mirror changes both. Deleting the mirror leaves the node.",
	async run(call) {
		const { words, options, output } = call;
		const to = options.text("to");
		if (to === undefined) throw usage("Give the parent of the mirror with --to.");
		const { outline } = await call.open();
		// So that a wrong node leaves no new day behind.
		await outline.get(words[0]!);
		const { id: parent } = await outline.ensure(to);
		const node = await outline.mirror(words[0]!, { parent, position: options.flag("top") ? "top" : "bottom" });
		await output.result(nodeObject(node), nodeLines(node, 0, output));
	},
};
