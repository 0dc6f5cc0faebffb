import "./style.css";
import { render } from "preact";
import { App } from "./app.js";
import { Backups } from "./backup/backups.js";
import { markDueBackup } from "./backup/due-mark.js";
import { Editor } from "./commands/editor.js";
import { keepOffline, replaceVersion } from "./offline/register.js";
import { serverOfDevice } from "./server/address.js";
import { firstSync, followServer } from "./server/connection.js";
import { showLoading } from "./server/loading.js";
import { fillTrash } from "./trash/filling.js";
import { watchDeletions } from "./trust/deleted-elsewhere.js";
import { watchMoves } from "./trust/moved-elsewhere.js";
import { offerPersistence } from "./trust/persistence.js";
import { watchRoom } from "./trust/room.js";
import { flush } from "./view/rendering.js";
import { Workspace } from "./workspace/workspace.js";

const workspace = new Workspace("outliner", serverOfDevice());
const editor = new Editor(workspace, flush);
const backups = new Backups(workspace);
const watchBackups = () => backups.watch();
const page = document.getElementById("app")!;

try {
	followServer(workspace);
	// A new user gets a line to write in.
	const isKnown = await firstSync(workspace, () => showLoading(page, workspace.connection!));
	if (isKnown && (await workspace.outline.list()).nodes.length === 0) {
		await workspace.outline.create({ name: "", format: "text" });
		// The user hasn't created it, so the user can't undo it.
		await workspace.outline.clearHistory();
	}
	watchDeletions(editor);
	watchMoves(editor);
	markDueBackup(workspace);
	fillTrash(workspace).catch(() => {});
	// Whatever arrives from now on is noticed.
	workspace.connection?.replica.resume();
	await workspace.open();
	page.replaceChildren();
	render(<App editor={editor} backups={backups} />, page);
	// Where the browser doesn't say what they ask it, there is nothing to tell: one can write all the same.
	for (const begin of [keepOffline, watchRoom, offerPersistence, watchBackups]) begin(workspace).catch(() => {});
} catch (error) {
	// Without the outline there is nothing to show but why.
	const reason = document.createElement("p");
	reason.role = "alert";
	reason.textContent = `The outline can't be opened. ${error instanceof Error ? error.message : String(error)}`;
	page.replaceChildren(reason);
	// Without a network there is nothing new.
	replaceVersion().catch(() => {});
}
