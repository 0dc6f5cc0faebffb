import type { Editor } from "../commands/editor.js";
import { caretOffset, fieldText } from "../text/field.js";
import { escaped, shortName } from "../text/fragment.js";
import { deletedFrom, droppedKeys, isBlank } from "../trash/deleted.js";
import { putBack } from "../trash/putting-back.js";
import { KeptLetters } from "./kept-letters.js";

/**
 * Notifies the user when another tab or device deletes the node that they are writing in. Offers to restore it
 * with its subtree and the typed text, including the letters typed after the deletion. To be called before rows
 * show, so that the row still exists at the event.
 */
export function watchDeletions(editor: Editor): void {
	const { workspace } = editor;
	const { outline, focus, saves, message } = workspace;
	let letters: KeptLetters | undefined;
	outline.subscribe(({ source, changes, keys }) => {
		const { current } = focus;
		const node = workspace.focusedNode;
		if (source !== "remote" || current === null || node === null) return;
		if (!changes.some(({ id, after }) => id === node.id && after === undefined)) return;
		const text = fieldText(current) ?? saves.draft(node.id, current.field);
		const typed = text === undefined ? node : { ...node, [current.field]: text };
		const root = { ...typed, note: typed.note || null };
		const nodes = deletedFrom(root, changes);
		const caret = caretOffset();
		const restore = () =>
			editor.do(async () => {
				const { rootIds } = await putBack(
					workspace,
					() => outline.exportAs("json", { nodes, keys: droppedKeys(keys) }),
					node,
				);
				message.set(null);
				kept.close();
				const [id] = rootIds;
				const key = workspace.rowOf(id!)?.key;
				if (key !== undefined) {
					focus.set({ key, field: current.field, caret });
					editor.type(kept.keys);
				} else if (kept.text !== "") {
					const more = current.field === "name" ? escaped(kept.text) : kept.text;
					await outline.update(id!, { [current.field]: (text ?? "") + more });
				}
			});
		const deleted = `“${shortName(root.name)}”, which you were in, was deleted elsewhere.`;
		const tell = () =>
			message.set({
				text: kept.text === "" ? deleted : `${deleted} What you have typed since is kept: “${kept.text.trim()}”.`,
				isError: true,
				action: { label: "Put it back", run: () => void restore() },
			});
		letters?.close();
		const kept = new KeptLetters(workspace, tell);
		letters = kept;
		if (nodes.length > 1 || !isBlank(root)) tell();
	});
}
