import { useRef } from "preact/hooks";
import { bulletMenu, slashMenu } from "../commands/menu.js";
import { giveBack, takeOut } from "../text/request.js";
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
	const typed = useRef("");
	/** The slash belongs to the text if a blank follows, as in `1 / 2`, or no command, as in `/etc/hosts`. */
	const goOn = (query: string, found: number) => {
		typed.current = query;
		if (!isSlash || !(query.startsWith(" ") || (found === 0 && /[\s/]/.test(query)))) return false;
		closeDialog(workspace);
		return true;
	};
	return (
		<DialogFrame label="Menu" at={at ?? "caret"} onClosed={() => isSlash && giveBack("/", typed.current)}>
			<CommandPicker
				groups={isSlash ? slashMenu : bulletMenu}
				onQuery={goOn}
				onChosen={() => {
					typed.current = "";
					closeDialog(workspace);
					if (isSlash) takeOut("/");
				}}
			/>
		</DialogFrame>
	);
}
