import { useState } from "preact/hooks";
import { sendBelow } from "../commands/send.js";
import { useEditor } from "../view/context.js";
import { closeDialog, DialogFrame } from "./frame.js";
import { NodePicker } from "./node-picker.js";

/** Finds a node, and moves the chosen rows below it, or puts mirrors of them there. */
export function SendDialog({ mirrors }: { readonly mirrors: boolean }) {
	const editor = useEditor();
	const { workspace } = editor;
	// The dialog takes the focus, on which the choice depends.
	const [rows] = useState(() => workspace.chosenRows);
	const label = mirrors ? "Mirror to" : "Move to";
	return (
		<DialogFrame label={label}>
			<NodePicker
				label={label}
				placeholder={mirrors ? "Mirror to…" : "Move to…"}
				targets={() => true}
				onChoose={(found) => {
					closeDialog(workspace);
					void editor.run({ run: () => sendBelow(workspace, rows, found, mirrors) });
				}}
				foot={
					<span>
						<kbd>↵</kbd> {mirrors ? "add a mirror at its end" : "move to its end"}
					</span>
				}
			/>
		</DialogFrame>
	);
}
