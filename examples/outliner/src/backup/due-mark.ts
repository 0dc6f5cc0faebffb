import "./backup.css";
import type { Workspace } from "../workspace/workspace.js";

/** Shows a dot on the button of the commands while a backup is due. */
export function markDueBackup({ backupIsDue }: Workspace): void {
	const show = () => {
		const { dataset } = document.documentElement;
		if (backupIsDue.current) dataset.backup = "due";
		else delete dataset.backup;
	};
	backupIsDue.subscribe(show);
	show();
}
