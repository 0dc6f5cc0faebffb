import "./files.css";
import { toText } from "outlinekit";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { spanIn } from "../text/caret.js";
import { activeField } from "../text/field.js";
import { useWorkspace } from "../view/context.js";
import { useLive } from "../view/rendering.js";
import type { Focus, Workspace } from "../workspace/workspace.js";
import { ExportForm } from "./export-form.js";
import { ImportForm } from "./import-form.js";

/** Where files are written and read. Files that were dropped are read at once. */
export function FilesDialog({ files }: { readonly files: readonly File[] }) {
	const workspace = useWorkspace();
	const { root } = useLive(workspace.rows);
	const frame = useRef<HTMLDialogElement>(null);
	/** Where the caret goes when this is closed. */
	const back = useRef<Focus | null>(null);
	useLayoutEffect(() => {
		const field = activeField();
		const { current } = workspace.focus;
		if (current !== null) back.current = { ...current, caret: (field && spanIn(field)?.start) ?? "end" };
		frame.current!.showModal();
		return () => workspace.focus.set(back.current);
	}, []);
	const goTo = (id: string) => {
		back.current = { key: id, field: "name", caret: "end" };
	};
	const close = () => workspace.dialog.set(null);
	const place = root == null ? undefined : toText(root.name) || "Untitled";
	return (
		// biome-ignore lint/a11y/useKeyWithClickEvents: Escape does the same, which the browser sees to
		<dialog
			ref={frame}
			class="files"
			aria-labelledby="files-heading"
			onClose={close}
			onClick={(event) => {
				if (event.target === frame.current) close();
			}}
		>
			<header>
				<h2 id="files-heading">Import and export</h2>
				<button type="button" class="quiet" aria-label="Close" onClick={close}>
					×
				</button>
			</header>
			<ExportForm place={place} />
			<ImportForm place={place} dropped={files} onImported={goTo} />
		</dialog>
	);
}

/** Reads files that are dropped anywhere. */
export function useDroppedFiles({ dialog }: Workspace): void {
	useEffect(() => {
		const onDragOver = (event: DragEvent) => {
			if (!event.dataTransfer?.types.includes("Files")) return;
			event.preventDefault();
			event.dataTransfer.dropEffect = "copy";
			document.documentElement.classList.add("dropping");
		};
		const onDragLeave = (event: DragEvent) => {
			if (event.relatedTarget === null) document.documentElement.classList.remove("dropping");
		};
		const onDrop = (event: DragEvent) => {
			document.documentElement.classList.remove("dropping");
			const files = [...(event.dataTransfer?.files ?? [])];
			if (files.length === 0) return;
			event.preventDefault();
			dialog.set({ type: "files", files });
		};
		addEventListener("dragover", onDragOver);
		addEventListener("dragleave", onDragLeave);
		addEventListener("drop", onDrop);
		return () => {
			removeEventListener("dragover", onDragOver);
			removeEventListener("dragleave", onDragLeave);
			removeEventListener("drop", onDrop);
		};
	}, [dialog]);
}
