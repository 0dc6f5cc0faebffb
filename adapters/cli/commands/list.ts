import type { WalkOptions } from "outlinekit";
import type { Call } from "../call.ts";
import type { Command } from "../command.ts";
import type { OptionTable } from "../options.ts";
import type { NodeOutline } from "../place/node-outline.ts";
import { outlineOptions } from "../shared-options.ts";
import { nodeLines, nodeObject } from "../tree.ts";

/** The options of commands that print a tree. */
export const treeOptions = {
	depth: { value: "levels", help: "how many levels to print; default: all" },
	open: { help: "leave out completed nodes and all below them" },
} satisfies OptionTable;

export const list: Command = {
	name: "list",
	summary: "Print the outline, or what is below a node",
	arguments: ["[node]"],
	options: { ...treeOptions, ...outlineOptions },
	async run(call) {
		const { options, output } = call;
		const [node] = call.words;
		const outline = await call.openNodes();
		if ((await printTree(outline, node ?? null, call)) > 0) return;
		if (node !== undefined || options.flag("open")) output.hint("There is nothing here.");
		else output.hint("The outline is empty. To add something: outlinekit add <text>");
	},
};

/** Prints the nodes below a node, or all nodes. Returns how many there were. */
export async function printTree(
	outline: NodeOutline,
	start: string | null,
	{ options, output, signal }: Call,
): Promise<number> {
	const walkOptions: WalkOptions = {
		depth: options.integer("depth", 1, 1_000_000),
		completed: !options.flag("open"),
		budget: Number.MAX_SAFE_INTEGER,
	};
	// The path of a walk from a node begins with that node. The top level is no node.
	const outer = start === null || start === "None" ? 0 : 1;
	let count = 0;
	for await (const { node, path } of outline.walk(start, walkOptions)) {
		signal.throwIfAborted();
		const depth = path.length - 1 - outer;
		if (depth < 0) continue;
		count += 1;
		await output.result({ ...nodeObject(node), depth }, nodeLines(node, depth, output));
	}
	return count;
}
