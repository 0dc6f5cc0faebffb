import { copiesOf, walked } from "../clipboard/copied-node.js";
import { putNodes } from "../clipboard/put-nodes.js";
import { spanIn } from "../text/caret.js";
import { activeField } from "../text/field.js";
import type { Workspace } from "../workspace/workspace.js";
import type { Command } from "./command.js";

/** Puts copies of the chosen rows, with all below them, behind them, and goes there. */
async function duplicate(workspace: Workspace): Promise<void> {
	const { chosenRows, selection, focus, outline, preferences } = workspace;
	const field = activeField();
	const caret = (field && spanIn(field)?.start) ?? "end";
	const isSelecting = selection.current !== null;
	const nodes = await walked(
		outline,
		chosenRows.map(({ node }) => node.id),
	);
	const copied = copiesOf(nodes, (id) => preferences.expanded.has(id));
	const { first, last } = await putNodes(workspace, copied, chosenRows.at(-1)!);
	if (isSelecting) selection.set({ anchor: first, head: last });
	else focus.set({ key: first, field: "name", caret });
}

export const duplicateCommand: Command = { label: "Duplicate", keys: ["Mod+D"], run: duplicate };
