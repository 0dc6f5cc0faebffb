import type { Command } from "../command.ts";
import { usage } from "../failure.ts";
import { outlineOptions } from "../shared-options.ts";
import { nodeLines, nodeObject } from "../tree.ts";
import { textIn } from "./add.ts";

export const edit: Command = {
	name: "edit",
	summary: "Replace the text or the note of a node",
	arguments: ["<node>", "[text...]"],
	options: {
		note: { value: "text", help: "plain text below the name; an empty one removes the note" },
		...outlineOptions,
	},
	details:
		'The text is one block of Markdown: "# Trip" is a heading. Without a text, the node keeps its own. With - as the\ntext, it reads the standard input.',
	async run(call) {
		const { options, output } = call;
		const [ref = "", ...words] = call.words;
		const note = options.text("note");
		if (words.length === 0 && note === undefined) throw usage("Give a new text, or a note with --note.");
		const name = words.length === 0 ? undefined : (await textIn(call, words)).trim();
		const outline = await call.openNodes();
		const node = await outline.update(ref, {
			...(name !== undefined && { name, format: "markdown" }),
			...(note !== undefined && { note: note === "" ? null : note }),
		});
		await output.result(nodeObject(node), nodeLines(node, 0, output));
	},
};
