import { toText } from "outlinekit/markup";
import { fieldText } from "../text/field.js";
import { deletedFrom, droppedKeys, isBlank } from "../trash/deleted.js";
import { putBack } from "../trash/putting-back.js";
import type { Editor } from "../workspace/editor.js";

/**
 * Notifies the user when another tab or device deletes the node that they are writing in, and offers to restore it,
 * with the typed text and its subtree. To be called before rows show, so that the row still exists at the
 * event.
 */
export function watchDeletions(editor: Editor): void {
	const { workspace } = editor;
	const { outline, focus, saves, message } = workspace;
	outline.subscribe(({ source, changes, keys }) => {
		const { current } = focus;
		const node = workspace.focusedNode;
		if (source !== "remote" || current === null || node === null) return;
		if (!changes.some(({ id, after }) => id === node.id && after === undefined)) return;
		const text = fieldText(current) ?? saves.draft(node.id, current.field);
		const typed = text === undefined ? node : { ...node, [current.field]: text };
		const root = { ...typed, note: typed.note || null };
		const nodes = deletedFrom(root, changes);
		if (nodes.length === 1 && isBlank(root)) return;
		const restore = () =>
			editor.do(async () => {
				const { rootIds } = await putBack(
					workspace,
					() => outline.exportAs("json", { nodes, keys: droppedKeys(keys) }),
					node,
				);
				message.set(null);
				const key = workspace.rowOf(rootIds[0]!)?.key;
				if (key !== undefined) focus.set({ key, field: current.field, caret: "end" });
			});
		const name = toText(root.name);
		message.set({
			text: `“${name.length > 40 ? `${name.slice(0, 40)}…` : name || "Untitled"}”, which you were in, was deleted elsewhere.`,
			isError: true,
			action: { label: "Put it back", run: () => void restore() },
		});
	});
}
