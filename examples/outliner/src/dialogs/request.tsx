import { useRef } from "preact/hooks";
import { giveBack, takeOut } from "../text/request.js";
import { useEditor } from "../view/context.js";
import type { Found } from "./found.js";
import { closeDialog, DialogFrame } from "./frame.js";
import { NodePicker } from "./node-picker.js";

interface RequestDialogProps {
	readonly label: string;
	readonly placeholder: string;
	/** The text that asks for the dialog, such as `((`. */
	readonly request: string;
	/** The effect of a choice. */
	readonly effect: string;
	/** As in the node picker. */
	readonly without?: string | undefined;
	readonly creates?: (name: string) => Found;
	readonly onChoose: (found: Found) => void;
}

/** Finds a node for something at the caret, in the place of the text that has asked for it. */
export function RequestDialog({ label, placeholder, request, effect, without, creates, onChoose }: RequestDialogProps) {
	const { workspace } = useEditor();
	const typed = useRef("");
	return (
		<DialogFrame label={label} at="caret" onClosed={() => giveBack(request, typed.current)}>
			<NodePicker
				label={label}
				placeholder={placeholder}
				targets={({ type }) => type === "shortcut"}
				without={without}
				creates={creates}
				onQuery={(query) => {
					typed.current = query;
				}}
				onChoose={(found) => {
					typed.current = "";
					closeDialog(workspace);
					takeOut(request);
					onChoose(found);
				}}
				foot={
					<span>
						<kbd>↵</kbd> {effect}
					</span>
				}
			/>
		</DialogFrame>
	);
}
