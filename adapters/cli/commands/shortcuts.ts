import type { Command } from "../command.ts";
import { outlineOptions } from "../shared-options.ts";
import { nameLine, printable } from "../tree.ts";

export const listShortcuts: Command = {
	name: "shortcuts list",
	summary: "List the names that stand for nodes in the place of an id",
	arguments: [],
	options: outlineOptions,
	async run(call) {
		const { outline } = await call.open();
		const targets = (await outline.targets()).filter(({ type }) => type === "shortcut");
		for (const target of targets) {
			await call.output.result(target, `${printable(target.key)}  ${nameLine({ name: target.name ?? "" })}`);
		}
		if (targets.length === 0)
			call.output.hint("There are no shortcuts. To make one: outlinekit shortcuts set <name> <node>");
	},
};

export const setShortcut: Command = {
	name: "shortcuts set",
	summary: "Let a name stand for a node, instead of the one that it stood for before",
	arguments: ["<name>", "<node>"],
	options: outlineOptions,
	async run(call) {
		const [key, ref] = call.words as [string, string];
		const { outline } = await call.open();
		await outline.setShortcut(key, ref);
		const { id } = await outline.get(ref);
		await call.output.result({ key, id }, `${printable(key)} stands for ${id.slice(-12)}.`);
	},
};

export const deleteShortcut: Command = {
	name: "shortcuts delete",
	summary: "Delete a shortcut; its node stays",
	arguments: ["<name>"],
	offers: () => [],
	options: outlineOptions,
	async run(call) {
		const key = call.words[0]!;
		const { outline } = await call.open();
		await outline.deleteShortcut(key);
		await call.output.result({ key }, `Deleted the shortcut ${printable(key)}.`);
	},
};
