import { mirrorAt } from "../commands/mirror.js";
import { takeOut } from "../text/request.js";
import { useEditor } from "../view/context.js";
import { closeDialog, DialogFrame } from "./frame.js";
import { NodePicker } from "./node-picker.js";

/** Finds a node and puts a mirror of it at a row. */
export function MirrorDialog({ rowKey }: { readonly rowKey: string }) {
	const editor = useEditor();
	const { workspace } = editor;
	return (
		<DialogFrame label="Mirror a node here">
			<NodePicker
				label="Mirror a node here"
				placeholder="Which node is to show here as well?"
				targets={({ type }) => type === "shortcut"}
				onChoose={({ ref }) => {
					closeDialog(workspace);
					takeOut("((");
					void editor.run({ run: () => mirrorAt(workspace, rowKey, ref) });
				}}
				foot={
					<span>
						<kbd>↵</kbd> mirror it here: one text, in both places
					</span>
				}
			/>
		</DialogFrame>
	);
}
