import type { Workspace } from "../workspace/workspace.js";

const media = matchMedia("(min-width: 900px)");

/** Whether the window has room for the sidebar beside the text. */
export const hasRoom = {
	get current(): boolean {
		return media.matches;
	},
	subscribe(listener: () => void): () => void {
		media.addEventListener("change", listener);
		return () => media.removeEventListener("change", listener);
	},
};

/**
 * Folds the sidebar away, or out.
 *
 * @param byKey - whether the focus goes along
 */
export function toggleSidebar({ preferences, dialog }: Workspace, byKey: boolean): void {
	if (!hasRoom.current) {
		dialog.set({ type: "sidebar" });
		return;
	}
	const sidebar = !preferences.choices.current.sidebar;
	preferences.choose({ sidebar });
	// It shows at the end of this turn.
	if (sidebar && byKey) queueMicrotask(enterSidebar);
}

/** Puts the focus into the sidebar: on the current place, if it is there. */
export function enterSidebar(): void {
	const places = document.querySelectorAll<HTMLElement>(".sidebar :is(a, button)");
	([...places].find((place) => place.ariaCurrent === "page") ?? places[0])?.focus();
}
