import type { Position } from "outlinekit";
import type { Command } from "../command.ts";
import { usage } from "../failure.ts";
import { outlineOptions } from "../shared-options.ts";
import { nodeLines, nodeObject } from "../tree.ts";

export const move: Command = {
	name: "move",
	summary: "Move a node, with all below it",
	arguments: ["<node>"],
	options: {
		to: { value: "node", help: "the new parent: an id, a shortcut, inbox, today, a date, or None" },
		top: { help: "put it first; default: last" },
		before: { value: "node", help: "put it before this node" },
		after: { value: "node", help: "put it after this node" },
		...outlineOptions,
	},
	async run(call) {
		const { words, options, output } = call;
		const [parent, before, after] = [options.text("to"), options.text("before"), options.text("after")];
		const places: Position[] = [];
		if (options.flag("top")) places.push("top");
		else if (parent !== undefined) places.push("bottom");
		if (before !== undefined) places.push({ before });
		if (after !== undefined) places.push({ after });
		const [position, ...others] = places;
		if (position === undefined || others.length > 0) {
			throw usage("Give the new place: --to, --top, both of them, --before or --after.");
		}
		const outline = await call.openNodes();
		const node = await outline.move(words[0]!, { parent, position });
		await output.result(nodeObject(node), nodeLines(node, 0, output));
	},
};
