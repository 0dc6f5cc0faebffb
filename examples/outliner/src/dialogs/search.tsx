import { goTo, goToNode } from "../commands/go.js";
import { useEditor } from "../view/context.js";
import { titleKey, type Workspace } from "../workspace/workspace.js";
import type { Found } from "./found.js";
import { closeDialog, DialogFrame } from "./frame.js";
import { NodePicker } from "./node-picker.js";

/** Finds a node and goes there. */
export function SearchDialog() {
	const editor = useEditor();
	const { workspace } = editor;
	return (
		<DialogFrame label="Search">
			<NodePicker
				label="Search"
				placeholder="Search, or go to…"
				targets={() => true}
				onChoose={(found, into) => {
					closeDialog(workspace);
					void editor.run({ run: () => go(workspace, found, into) });
				}}
				foot={
					<>
						<span>
							<kbd>↵</kbd> go to it
						</span>
						<span>
							<kbd>⇧↵</kbd> go into it
						</span>
						<span class="picker-syntax">
							<code>#tag</code> <code>is:todo</code> <code>-word</code> <code>"a phrase"</code> <code>date:today</code>{" "}
							<code>modified:7d</code>
						</span>
					</>
				}
			/>
		</DialogFrame>
	);
}

function go(workspace: Workspace, { ref, node, shortcut }: Found, into: boolean): Promise<void> {
	if (node === undefined || shortcut !== undefined) return goTo(workspace, ref);
	if (into) return workspace.zoom(node.id, { key: titleKey, field: "name", caret: "end" });
	return goToNode(workspace, node.id);
}
