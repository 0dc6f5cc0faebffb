import type { Editor } from "../commands/editor.js";
import { goToNode, unfoldTo } from "../commands/go.js";
import { codeOf } from "../text/error-code.js";
import { caretOffset } from "../text/field.js";
import { shortName } from "../text/fragment.js";
import type { Focus } from "../workspace/focus.js";

/**
 * Keeps the caret in its row when another tab or device moves the row out of sight. Unfolds the nodes above the
 * row. If it is outside the visible node, goes to its new place. The keys wait meanwhile, so no letter is lost.
 */
export function watchMoves(editor: Editor): void {
	const { workspace } = editor;
	const { outline, rows, focus, selection, message } = workspace;
	let before = rows.current.rows;
	const follow = async (id: string, place: Omit<Focus, "key">) => {
		const from = workspace.root?.id ?? null;
		const row = await unfoldTo(workspace, id);
		if (row !== undefined) focus.set({ ...place, key: row.key });
		else {
			await goToNode(workspace, id);
			focus.set({ ...focus.current!, ...place });
			message.set({
				text: `“${shortName(workspace.focusedNode!.name)}”, which you are in, was moved or completed elsewhere.`,
				isError: false,
				action: { label: "Go back", run: () => void editor.run({ run: () => workspace.zoom(from) }) },
			});
		}
	};
	rows.subscribe(() => {
		const { current } = focus;
		const isGone = current !== null && selection.current === null && workspace.row(current.key) === undefined;
		const row = isGone ? before.find(({ key }) => key === current.key) : undefined;
		before = rows.current.rows;
		// A command of the user puts the caret where it belongs.
		if (row === undefined || editor.isBusy) return;
		const place = { field: current!.field, caret: caretOffset() };
		void editor.holdDuring(async () => {
			workspace.followed = { node: row.node, ...place };
			try {
				await follow((await outline.get(row.node.id)).id, place);
			} catch (error) {
				// If the node is deleted, the user is offered to restore it.
				if (codeOf(error) !== "not_found") throw error;
			} finally {
				workspace.followed = null;
			}
		});
	});
}
