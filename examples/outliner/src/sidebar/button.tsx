import { chordText } from "../commands/keyboard.js";
import { hasRoom, hasRoomToSpare, toggleSidebar } from "../commands/sidebar.js";
import { useWorkspace } from "../view/context.js";
import { Icon } from "../view/icon.js";
import { icons } from "../view/icons.js";
import { useLive } from "../view/rendering.js";

/** Whether the sidebar shows beside the text. */
export function useSidebarShows(): boolean {
	const { preferences } = useWorkspace();
	const isPossible = useLive(hasRoom);
	const isUsual = useLive(hasRoomToSpare);
	const { sidebar } = useLive(preferences.choices);
	return isPossible && (sidebar ?? isUsual);
}

/** Folds the sidebar away and out. */
export function SidebarButton() {
	const workspace = useWorkspace();
	const isWide = useLive(hasRoom);
	const shows = useSidebarShows();
	return (
		<button
			type="button"
			class="sidebar-button"
			aria-label="Sidebar"
			aria-expanded={shows}
			aria-haspopup={isWide ? undefined : "dialog"}
			title={`Sidebar (${chordText("Alt+Shift+B")})`}
			// The field keeps the focus.
			onMouseDown={(event) => event.preventDefault()}
			onClick={() => toggleSidebar(workspace, false)}
		>
			<Icon path={icons.sidebar} />
		</button>
	);
}
