import type { OutlineChange, OutlineNode } from "outlinekit";
import type { Editor } from "../commands/editor.js";
import { nodeOrNull } from "../filter/saved.js";
import { activeField, caretOffset, fieldText } from "../text/field.js";
import { escaped, shortName } from "../text/fragment.js";
import { deletedFrom, droppedKeys, isBlank } from "../trash/deleted.js";
import { putBack } from "../trash/putting-back.js";
import type { Message } from "../workspace/message.js";
import type { TextField } from "../workspace/saves.js";
import type { Workspace } from "../workspace/workspace.js";
import { KeptLetters } from "./kept-letters.js";

/**
 * Notifies the user when another tab or device deletes the node that they are writing in, one whose text they have
 * just left and that isn't stored yet, or the visible node. Offers to restore it with its subtree and the typed text,
 * including the letters typed after the deletion. To be called before rows show, so that the row still exists at the
 * event.
 */
export function watchDeletions(editor: Editor): void {
	const { workspace } = editor;
	const { outline, focus, message } = workspace;
	let letters: KeptLetters | undefined;
	let told: Message | undefined;
	outline.subscribe(({ source, changes, keys }) => {
		if (source !== "remote") return;
		const lost = lostIn(workspace, changes);
		if (lost === undefined) return;
		const { node, field, text, caret, isFocused, where } = lost;
		// The message on the screen is the only place of the letters kept before.
		const before = message.current === told ? (letters?.text.trim() ?? "") : "";
		if (before !== "" && !isFocused && text === (node[field] ?? "")) return;
		const root = { ...node, [field]: text, note: (field === "note" ? text : node.note) || null };
		const nodes = deletedFrom(root, changes);
		const restore = () =>
			editor.do(async () => {
				const file = () => outline.exportAs("json", { nodes, keys: droppedKeys(keys) });
				// An undo elsewhere may have brought it back.
				const isBack = (await nodeOrNull(outline, node.id)) !== null;
				const id = isBack ? node.id : (await putBack(workspace, file, node)).rootIds[0]!;
				if (isBack) await outline.update(id, { [field]: text, base: { [field]: node[field] } });
				message.set(null);
				kept?.close();
				const key = workspace.rowOf(id)?.key;
				if (key !== undefined) {
					focus.set({ key, field, caret });
					editor.type(kept?.keys ?? []);
				} else if (kept !== undefined && kept.text !== "") {
					const more = field === "name" ? escaped(kept.text) : kept.text;
					await outline.update(id, { [field]: text + more });
				}
			});
		const typed = before === "" ? "" : ` Before, you had typed “${before}” in a row that is deleted too.`;
		const deleted = `“${shortName(root.name)}”, ${where}, was deleted elsewhere.${typed}`;
		const tell = () => {
			told = {
				text: !kept?.text ? deleted : `${deleted} What you have typed since is kept: “${kept.text.trim()}”.`,
				isError: true,
				action: { label: "Put it back", run: () => void restore() },
			};
			message.set(told);
		};
		// The row or the title still shows. Letters typed there from now on would be lost.
		if (isFocused) activeField()?.blur();
		letters?.close();
		const kept = isFocused ? new KeptLetters(editor, node.id, tell) : undefined;
		letters = kept;
		if (nodes.length > 1 || !isBlank(root)) tell();
	});
}

/** The text that a deletion elsewhere takes from the user. */
interface Lost {
	readonly node: OutlineNode;
	readonly field: TextField;
	readonly text: string;
	readonly caret: number | "end";
	/** Whether the caret is in it, or was until another tab or device moved it. */
	readonly isFocused: boolean;
	/** A clause about the place, such as `which you were in`. */
	readonly where: string;
}

function lostIn(workspace: Workspace, changes: readonly OutlineChange[]): Lost | undefined {
	const { focus, focusedNode, followed, root, saves } = workspace;
	const deleted = new Map<string, OutlineNode>();
	for (const { id, before, after } of changes) if (before !== undefined && after === undefined) deleted.set(id, before);
	const { current } = focus;
	const place =
		current === null || focusedNode === null
			? followed
			: { node: focusedNode, field: current.field, caret: caretOffset() };
	const node = place === null ? undefined : deleted.get(place.node.id);
	if (place !== null && node !== undefined) {
		const { field, caret } = place;
		const text = (current && fieldText(current)) ?? saves.draft(node.id, field) ?? node[field] ?? "";
		return { node, field, text, caret, isFocused: true, where: "which you were in" };
	}
	const typed = saves.unsaved.find(({ id }) => deleted.has(id));
	if (typed !== undefined) {
		const { id, field, text } = typed;
		const where = "in which you had just written";
		return { node: deleted.get(id)!, field, text, caret: "end", isFocused: false, where };
	}
	if (root === null || !deleted.has(root.id)) return undefined;
	const { name } = root;
	return { node: root, field: "name", text: name, caret: "end", isFocused: false, where: "which you were in" };
}
