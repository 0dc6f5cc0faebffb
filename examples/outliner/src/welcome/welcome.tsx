import "./welcome.css";
import { useEditor } from "../view/context.js";
import { useLive } from "../view/rendering.js";
import { isTouch } from "../view/touch.js";
import { sampleOperations } from "./sample.js";

/** The first steps, as long as the outline has nothing but a blank line. */
export function Welcome() {
	const editor = useEditor();
	const { workspace } = editor;
	const { outline, dialog, focus } = workspace;
	const { root, rows } = useLive(workspace.rows);
	const filter = useLive(workspace.filter);
	const [only] = rows;
	if (
		filter !== null ||
		root !== null ||
		rows.length > 1 ||
		(only !== undefined && (only.node.name !== "" || only.hasChildren))
	)
		return null;
	const show = async () => {
		const { ids } = await outline.batch(sampleOperations(isTouch, new Date()));
		await workspace.expand([ids.welcome!, ids.list!]);
		if (!isTouch) focus.set({ key: ids.welcome!, field: "name", caret: "end" });
	};
	return (
		// The caret stays in the blank line.
		<nav class="welcome" aria-label="First steps" onMouseDown={(event) => event.preventDefault()}>
			<button type="button" onClick={() => void editor.do(show)}>
				Show me around
				<small>A small outline to try everything. You can delete it later</small>
			</button>
			<button type="button" onClick={() => dialog.set({ type: "files", section: "import" })}>
				Bring my notes
				<small>From Workflowy, Dynalist, Logseq, or any Markdown, OPML or text</small>
			</button>
			<button type="button" onClick={() => dialog.set({ type: "server" })} hidden={workspace.connection !== null}>
				Sync my devices
				<small>One outline on all of them, through a server of your own</small>
			</button>
		</nav>
	);
}
