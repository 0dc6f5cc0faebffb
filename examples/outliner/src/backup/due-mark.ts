import "./backup.css";
import type { Workspace } from "../workspace/workspace.js";

/** Shows a dot on the button of the commands while a backup is due. */
export function markDueBackup({ backups: { state } }: Workspace): void {
	const show = () => {
		const { dataset } = document.documentElement;
		if (state.current.isDue) dataset.backup = "due";
		else delete dataset.backup;
	};
	state.subscribe(show);
	show();
}
