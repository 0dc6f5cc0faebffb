import type { BatchOperation } from "outlinekit";
import type { Row } from "outlinekit/live";
import { codeOf } from "../text/error-code.js";
import { mirrorOperations } from "../workspace/destination.js";
import type { Workspace } from "../workspace/workspace.js";
import type { Command } from "./command.js";
import { goTo } from "./go.js";

/** Moves rows below a node, to its end, or puts mirrors of them there. Offers to go there. */
export async function sendBelow(
	workspace: Workspace,
	rows: readonly Row[],
	{ ref, name }: { readonly ref: string; readonly name: string },
	mirrors: boolean,
): Promise<void> {
	const { outline, selection, message } = workspace;
	const operations = rows.flatMap(({ node }, index): BatchOperation[] =>
		mirrors
			? mirrorOperations(node.id, `${index}`, { parent: ref, position: "bottom" })
			: [{ type: "move", ref: node.id, parent: ref, position: "bottom" }],
	);
	try {
		await outline.batch(operations);
	} catch (error) {
		if (codeOf(error) !== "would_create_cycle") throw error;
		throw new Error(`A node can't move below itself. “${name}” is one of the chosen nodes, or is below one.`, {
			cause: error,
		});
	}
	if (!mirrors) selection.set(null);
	message.set({
		text: `${mirrors ? "Mirrored" : "Moved"} to “${name}”.`,
		isError: false,
		action: { label: "Go there", run: () => void goTo(workspace, ref).catch((error) => workspace.tell(error)) },
	});
}

export const sendCommands: readonly Command[] = [
	{ label: "Move to…", keys: ["Alt+Shift+M"], run: ({ dialog }) => dialog.set({ type: "send", mirrors: false }) },
	{ label: "Mirror to…", keys: ["Alt+Shift+R"], run: ({ dialog }) => dialog.set({ type: "send", mirrors: true }) },
];
