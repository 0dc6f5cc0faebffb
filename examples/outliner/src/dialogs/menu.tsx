import { menuGroups } from "../commands/menu.js";
import { takeOut } from "../text/request.js";
import { useEditor } from "../view/context.js";
import { closeDialog, DialogFrame } from "./frame.js";
import { CommandPicker } from "./palette.js";

interface MenuProps {
	/** The point of the window at which it opens. */
	readonly x: number;
	readonly y: number;
	/** Whether a slash in the text has opened it. */
	readonly isSlash: boolean;
}

/** The commands for the chosen rows, beside the bullet or the slash that opened it. */
export function MenuDialog({ x, y, isSlash }: MenuProps) {
	const { workspace } = useEditor();
	/** A blank behind the slash means that it belongs to the text, as in `1 / 2`. */
	const goOn = (query: string) => {
		if (!isSlash || !query.startsWith(" ")) return false;
		closeDialog(workspace);
		document.execCommand("insertText", false, query);
		return true;
	};
	return (
		<DialogFrame label="Menu" at={{ x, y }}>
			<CommandPicker groups={menuGroups} onQuery={goOn} onChosen={() => isSlash && takeOut("/")} />
		</DialogFrame>
	);
}
