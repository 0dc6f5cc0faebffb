import "./style.css";
import { render } from "preact";
import { App } from "./app.js";
import { keepOffline } from "./offline/register.js";
import { Editor } from "./workspace/editor.js";
import { Workspace } from "./workspace/workspace.js";

const workspace = new Workspace("outliner");
const page = document.getElementById("app")!;

try {
	// Who comes for the first time finds a line to write in.
	if ((await workspace.outline.list()).nodes.length === 0) await workspace.outline.create({ name: "", format: "text" });
	await workspace.open();
	render(<App editor={new Editor(workspace)} />, page);
	void keepOffline(workspace);
} catch (error) {
	// Without the outline there is nothing to show but why.
	const reason = document.createElement("p");
	reason.role = "alert";
	reason.textContent = `The outline can't be opened. ${error instanceof Error ? error.message : String(error)}`;
	page.replaceChildren(reason);
}
