import type { Workspace } from "../workspace/workspace.js";
import { tellWhenQuiet } from "./quiet.js";

/** From this part of the room on, the outliner warns the user. */
const much = 0.8;
/** The number of commits between two checks of the room. */
const commits = 100;

/** Tells a person, once, when the browser's room for the page is about to be used up. */
export async function watchRoom(workspace: Workspace): Promise<void> {
	const { outline, storage, message, dialog } = workspace;
	const isShort = async () => {
		const { usage, quota } = await storage.estimate();
		if (usage === undefined || quota === undefined || usage < much * quota) return false;
		tellWhenQuiet(message, {
			text: `The browser’s storage for this page is almost full: ${Math.min(100, Math.round((usage / quota) * 100))} %. Export a copy, and free some space on the disk.`,
			isError: true,
			action: { label: "Export", run: () => dialog.set({ type: "files", section: "export" }) },
		});
		return true;
	};
	if (await isShort()) return;
	let count = 0;
	const unsubscribe = outline.subscribe(() => {
		count += 1;
		if (count % commits !== 0) return;
		void isShort().then(
			(told) => {
				if (told) unsubscribe();
			},
			// It will check again.
			() => {},
		);
	});
}
