import type { Workspace } from "../workspace/workspace.js";

/** Whether the window is at least so many pixels wide. */
function wide(pixels: number) {
	const media = matchMedia(`(min-width: ${pixels}px)`);
	return {
		get current(): boolean {
			return media.matches;
		},
		subscribe(listener: () => void): () => void {
			media.addEventListener("change", listener);
			return () => media.removeEventListener("change", listener);
		},
	};
}

/** Whether the window has room for the sidebar beside the text. */
export const hasRoom = wide(900);

/** Whether the window has so much room that the sidebar shows unless the user has folded it away. */
export const hasRoomToSpare = wide(1200);

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
	const sidebar = !(preferences.choices.current.sidebar ?? hasRoomToSpare.current);
	preferences.choose({ sidebar });
	// It shows at the end of this turn.
	if (sidebar && byKey) queueMicrotask(enterSidebar);
}

/** Puts the focus into the sidebar: on the current place, if it is there. */
export function enterSidebar(): void {
	const places = document.querySelectorAll<HTMLElement>(".sidebar :is(a, button)");
	([...places].find((place) => place.ariaCurrent === "page") ?? places[0])?.focus();
}
