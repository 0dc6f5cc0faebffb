import type { Command } from "../command.ts";
import { usage } from "../failure.ts";
import { outlineOptions } from "../shared-options.ts";
import { nodeLines } from "../tree.ts";

export const add: Command = {
	name: "add",
	summary: "Add a node",
	arguments: ["<text...>"],
	options: {
		to: { value: "node", help: "the parent: an id, a shortcut, inbox, today, a date, or None; default: inbox" },
		top: { help: "put it first; default: last" },
		todo: { help: "make it a task" },
		note: { value: "text", help: "plain text below the name" },
		...outlineOptions,
	},
	details: 'The text is Markdown: "- [ ] milk" is a task, and a list below it makes nodes below it.',
	async run(call) {
		const { words, options, output } = call;
		const name = words.join(" ");
		if (name.trim() === "") throw usage("The text is empty.");
		const { outline, push } = await call.open({ writes: true });
		const node = await outline.create({
			parent: options.text("to") ?? "inbox",
			position: options.flag("top") ? "top" : "bottom",
			name,
			note: options.text("note"),
			...(options.flag("todo") && { layoutMode: "todo" }),
		});
		await push();
		await output.result(node, nodeLines(node, 0, output));
	},
};
