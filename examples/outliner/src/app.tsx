import { useEffect, useLayoutEffect } from "preact/hooks";
import { listenToClipboard } from "./clipboard/clipboard.js";
import { Dialogs } from "./dialogs/dialogs.js";
import { useDroppedFiles } from "./files/files-dialog.js";
import { listenToPrinting } from "./files/printing.js";
import { FilterBar } from "./filter/bar.js";
import { SaveProblem } from "./trust/save-problem.js";
import { EditorContext } from "./view/context.js";
import { Header } from "./view/header.js";
import { Notice } from "./view/notice.js";
import { useLive } from "./view/rendering.js";
import { TouchBar } from "./view/touch-bar.js";
import { Tree } from "./view/tree.js";
import type { Editor } from "./workspace/editor.js";

/** The whole page. */
export function App({ editor }: { readonly editor: Editor }) {
	const { preferences, saves, dialog } = editor.workspace;
	const { theme } = useLive(preferences.choices);
	useDroppedFiles(editor.workspace);
	useLayoutEffect(() => {
		document.documentElement.dataset.theme = theme;
	}, [theme]);
	useEffect(() => listenToClipboard(editor), [editor]);
	useEffect(() => listenToPrinting(editor.workspace), [editor]);
	useEffect(() => {
		const onKeyDown = (event: KeyboardEvent) => {
			if (dialog.current === null) editor.keyDown(event);
		};
		const onBeforeInput = (event: InputEvent) => editor.beforeInput(event);
		const onBeforeUnload = (event: BeforeUnloadEvent) => {
			if (saves.state.current !== "saved") event.preventDefault();
		};
		addEventListener("keydown", onKeyDown);
		addEventListener("beforeinput", onBeforeInput);
		addEventListener("beforeunload", onBeforeUnload);
		return () => {
			removeEventListener("keydown", onKeyDown);
			removeEventListener("beforeinput", onBeforeInput);
			removeEventListener("beforeunload", onBeforeUnload);
		};
	}, [editor]);
	return (
		<EditorContext.Provider value={editor}>
			<Header />
			<SaveProblem />
			<FilterBar />
			<Tree />
			<Notice />
			<TouchBar />
			<Dialogs />
		</EditorContext.Provider>
	);
}
