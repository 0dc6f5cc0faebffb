import { bulletMenu, slashMenu } from "../commands/menu.js";
import { takeOut } from "../text/request.js";
import { useEditor } from "../view/context.js";
import { closeDialog, DialogFrame } from "./frame.js";
import { CommandPicker } from "./palette.js";

interface MenuProps {
	/** The point of the window at which it opens; without one, a slash in the text has opened it. */
	readonly at: { readonly x: number; readonly y: number } | undefined;
}

/** The commands for the chosen rows, beside the bullet or the slash that opened it. */
export function MenuDialog({ at }: MenuProps) {
	const { workspace } = useEditor();
	const isSlash = at === undefined;
	/** A blank behind the slash means that it belongs to the text, as in `1 / 2`. */
	const goOn = (query: string) => {
		if (!isSlash || !query.startsWith(" ")) return false;
		closeDialog(workspace);
		document.execCommand("insertText", false, query);
		return true;
	};
	return (
		<DialogFrame label="Menu" at={at ?? "caret"}>
			<CommandPicker
				groups={isSlash ? slashMenu : bulletMenu}
				onQuery={goOn}
				onChosen={() => isSlash && takeOut("/")}
			/>
		</DialogFrame>
	);
}
