import "./style.css";
import { render } from "preact";
import { App } from "./app.js";
import { keepOffline } from "./offline/register.js";
import { Editor } from "./workspace/editor.js";
import { Workspace } from "./workspace/workspace.js";

const workspace = new Workspace("outliner");
const page = document.getElementById("app")!;

try {
	await workspace.open();
	if (workspace.root === null && workspace.rows.current.rows.length === 0) {
		await workspace.outline.create({ name: "", format: "text" });
	}
	const first = workspace.rows.current.rows[0];
	if (first !== undefined && matchMedia("(pointer: fine)").matches) {
		workspace.focus.set({ key: first.key, field: "name", caret: "end" });
	}
	render(<App editor={new Editor(workspace)} />, page);
	void keepOffline(workspace);
} catch (error) {
	// Without the outline there is nothing to show but why.
	const reason = document.createElement("p");
	reason.role = "alert";
	reason.textContent = `The outline can't be opened. ${error instanceof Error ? error.message : String(error)}`;
	page.replaceChildren(reason);
}
