import { hasRoom, toggleSidebar } from "../commands/sidebar.js";
import { useWorkspace } from "../view/context.js";
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
			<svg viewBox="0 0 24 24" aria-hidden="true">
				<rect x="3.5" y="5" width="17" height="14" rx="3" />
				<path d="M9.5 5v14" />
			</svg>
		</button>
	);
}
