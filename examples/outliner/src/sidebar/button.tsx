import { hasRoom, toggleSidebar } from "../commands/sidebar.js";
import { useWorkspace } from "../view/context.js";
import { Icon } from "../view/icon.js";
import { icons } from "../view/icons.js";
import { useLive } from "../view/rendering.js";

/** Folds the sidebar away and out. */
export function SidebarButton() {
	const workspace = useWorkspace();
	const isWide = useLive(hasRoom);
	const { sidebar } = useLive(workspace.preferences.choices);
	return (
		<button
			type="button"
			class="sidebar-button"
			aria-label="Sidebar"
			aria-expanded={isWide && sidebar}
			aria-haspopup={isWide ? undefined : "dialog"}
			title="Sidebar (Alt+Shift+B)"
			// The field keeps the focus.
			onMouseDown={(event) => event.preventDefault()}
			onClick={() => toggleSidebar(workspace, false)}
		>
			<Icon path={icons.sidebar} />
		</button>
	);
}
