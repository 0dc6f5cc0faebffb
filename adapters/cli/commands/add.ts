import { buffer } from "node:stream/consumers";
import type { Call } from "../call.ts";
import type { Command } from "../command.ts";
import { usage } from "../failure.ts";
import { piecesOf } from "../input.ts";
import { outlineOptions } from "../shared-options.ts";
import { nodeLines, nodeObject } from "../tree.ts";

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
	details:
		'The text is Markdown: "- [ ] milk" is a task, and a list below it makes nodes below it. With - as the text, it\nreads the standard input.',
	async run(call) {
		const { options, output } = call;
		const name = await textIn(call, call.words);
		const outline = await call.openNodes({ creates: true });
		const node = await outline.create({
			parent: options.text("to") ?? "inbox",
			position: options.flag("top") ? "top" : "bottom",
			name,
			note: options.text("note"),
			...(options.flag("todo") && { layoutMode: "todo" }),
		});
		await output.result(nodeObject(node), nodeLines(node, 0, output));
	},
};

/** Returns the words of a command as one text, or for `-` the standard input. @throws usage for a blank text */
export async function textIn(call: Call, words: readonly string[]): Promise<string> {
	const text = words.length === 1 && words[0] === "-" ? await standardInput(call) : words.join(" ");
	if (text.trim() === "") throw usage("The text is empty.");
	return text;
}

async function standardInput({ stdin, signal }: Call): Promise<string> {
	const bytes = await buffer(piecesOf(stdin, signal));
	try {
		return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
	} catch {
		throw usage("The standard input isn't UTF-8. Send the text in UTF-8.");
	}
}
