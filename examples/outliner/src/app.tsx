import { useEffect, useLayoutEffect } from "preact/hooks";
import type { Backups } from "./backup/backups.js";
import { BackupContext } from "./backup/context.js";
import { listenToClipboard } from "./commands/clipboard.js";
import type { Editor } from "./commands/editor.js";
import { Dialogs } from "./dialogs.js";
import { useDroppedFiles } from "./files/files-dialog.js";
import { listenToPrinting } from "./files/printing.js";
import { LinkedFrom } from "./links/linked-from.js";
import { Moving } from "./moving/moving.js";
import { ServerSign } from "./server/sign.js";
import { SidebarButton } from "./sidebar/button.js";
import { Sidebar } from "./sidebar/sidebar.js";
import { SaveProblem } from "./trust/save-problem.js";
import { EditorContext } from "./view/context.js";
import { FilterBar } from "./view/filter-bar.js";
import { Header } from "./view/header.js";
import { Notice } from "./view/notice.js";
import { useLive } from "./view/rendering.js";
import { TouchBar } from "./view/touch-bar.js";
import { Tree } from "./view/tree.js";
import { Welcome } from "./welcome/welcome.js";

/** The whole page. */
export function App({ editor, backups }: { readonly editor: Editor; readonly backups: Backups }) {
	const { preferences, saves, dialog } = editor.workspace;
	const { theme } = useLive(preferences.choices);
	useDroppedFiles(editor.workspace);
	useLayoutEffect(() => {
		document.documentElement.dataset.theme = theme;
	}, [theme]);
	useEffect(() => listenToPrinting(editor.workspace), [editor]);
	// The caret is there before the page is painted, and the user may type at once.
	useLayoutEffect(() => listenToClipboard(editor), [editor]);
	useLayoutEffect(() => {
		const onKeyDown = (event: KeyboardEvent) => {
			if (dialog.current === null) editor.keyDown(event);
		};
		const onBeforeInput = (event: InputEvent) => editor.beforeInput(event);
		const onClick = (event: MouseEvent) => editor.click(event);
		const onBeforeUnload = (event: BeforeUnloadEvent) => {
			if (saves.state.current !== "saved") event.preventDefault();
		};
		addEventListener("keydown", onKeyDown);
		addEventListener("beforeinput", onBeforeInput);
		addEventListener("click", onClick);
		addEventListener("beforeunload", onBeforeUnload);
		return () => {
			removeEventListener("keydown", onKeyDown);
			removeEventListener("beforeinput", onBeforeInput);
			removeEventListener("click", onClick);
			removeEventListener("beforeunload", onBeforeUnload);
		};
	}, [editor]);
	return (
		<EditorContext.Provider value={editor}>
			<Header start={<SidebarButton />}>
				<ServerSign />
			</Header>
			<div class="beside">
				<Sidebar />
				<div class="beside-sidebar">
					<SaveProblem />
					<FilterBar />
					<Tree among={(positions) => <Moving positions={positions} />}>
						<Welcome />
						<LinkedFrom />
					</Tree>
				</div>
			</div>
			<Notice />
			<TouchBar />
			<BackupContext.Provider value={backups}>
				<Dialogs />
			</BackupContext.Provider>
		</EditorContext.Provider>
	);
}
