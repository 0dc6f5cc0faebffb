import { type OutlineNode, toText } from "outlinekit";
import { fieldText } from "../text/field.js";
import type { Editor } from "../workspace/editor.js";
import { siblingOf } from "../workspace/rows.js";

/**
 * Tells a person when the node that they are writing in is deleted elsewhere, and offers to put it back, with what they have
 * written in it. To be called before rows are shown, so that the row is still there when it hears of that.
 */
export function watchDeletions(editor: Editor): void {
	const { workspace } = editor;
	const { outline, focus, saves, message } = workspace;
	outline.subscribe(({ source, changes }) => {
		const { current } = focus;
		const node = workspace.focusedNode;
		if (source !== "remote" || current === null || node === null) return;
		if (!changes.some(({ id, after }) => id === node.id && after === undefined)) return;
		const row = workspace.row(current.key);
		const before = row && siblingOf(workspace, row, -1)?.node.id;
		const written = withText(node, current.field, fieldText(current) ?? saves.draft(node.id, current.field));
		if (written.name === "" && written.note === null) return;
		const putBack = () =>
			editor.do(async () => {
				const id = await createAgain(editor, written, before);
				message.set(null);
				const key = workspace.rowOf(id)?.key;
				if (key !== undefined) focus.set({ key, field: current.field, caret: "end" });
			});
		const name = toText(written.name);
		message.set({
			text: `“${name.length > 40 ? `${name.slice(0, 40)}…` : name || "Untitled"}”, which you were in, was deleted in another tab.`,
			isError: true,
			action: { label: "Put it back", run: () => void putBack() },
		});
	});
}

function withText(node: OutlineNode, field: "name" | "note", text: string | undefined): OutlineNode {
	if (text === undefined) return node;
	return field === "name" ? { ...node, name: text } : { ...node, note: text === "" ? null : text };
}

/** Creates a node like one that is gone, behind the sibling that stood before it, or as near to that as can be. Gives its id. */
async function createAgain(
	{ workspace: { outline } }: Editor,
	{ name, note, layoutMode, completed, parentId: parent }: OutlineNode,
	before: string | undefined,
): Promise<string> {
	const content = { name, note, layoutMode, completed, format: "html" } as const;
	const places = [
		...(before === undefined ? [] : [{ parent, position: { after: before } }]),
		{ parent, position: "top" as const },
		{ parent: null, position: "bottom" as const },
	];
	for (const place of places) {
		try {
			return (await outline.createTree({ ...content, ...place })).id;
		} catch (error) {
			// What stood beside or above it may be gone too.
			const { code } = error as { code?: unknown };
			if ((code !== "not_found" && code !== "invalid_argument") || place === places.at(-1)) throw error;
		}
	}
	throw new Error("There is always a place at the top level.");
}
