import "./files.css";
import { toText } from "outlinekit/markup";
import { useEffect, useRef, useState } from "preact/hooks";
import { BackupSection } from "../backup/backup-section.js";
import { DialogFrame } from "../dialogs/frame.js";
import { useWorkspace } from "../view/context.js";
import { useLive } from "../view/rendering.js";
import type { Focus, Workspace } from "../workspace/workspace.js";
import { ExportForm } from "./export-form.js";
import { ImportForm } from "./import-form.js";
import { RestoreButton } from "./restore-button.js";

interface FilesDialogProps {
	/** Files that are read at once. */
	readonly files: readonly File[];
	/** Whether the focus goes to the backups first. */
	readonly showsBackup: boolean;
}

/** Where files are written and read. */
export function FilesDialog({ files, showsBackup }: FilesDialogProps) {
	const workspace = useWorkspace();
	const { root } = useLive(workspace.rows);
	/** Where the caret goes when this is closed, if not back. */
	const next = useRef<Focus | null>(null);
	const [restored, setRestored] = useState<readonly File[]>([]);
	const goTo = (id: string) => {
		next.current = { key: id, field: "name", caret: "end" };
	};
	const place = root == null ? undefined : toText(root.name) || "Untitled";
	return (
		<DialogFrame label="Import and export" titled next={next}>
			<div class="files">
				<ExportForm place={place} />
				<ImportForm place={place} dropped={files} restored={restored} onImported={goTo} />
				<BackupSection isWanted={showsBackup}>
					<RestoreButton onChoose={(file) => setRestored([file])} />
				</BackupSection>
			</div>
		</DialogFrame>
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
