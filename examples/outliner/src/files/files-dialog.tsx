import "./files.css";
import { toText } from "outlinekit/markup";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { BackupSection } from "../backup/backup-section.js";
import { DialogFrame } from "../dialogs/frame.js";
import { useWorkspace } from "../view/context.js";
import { useLive } from "../view/rendering.js";
import type { FilesSection } from "../workspace/dialog.js";
import type { Focus } from "../workspace/focus.js";
import type { Workspace } from "../workspace/workspace.js";
import { ExportForm } from "./export-form.js";
import { ImportForm } from "./import-form.js";
import { RestoreButton } from "./restore-button.js";

interface FilesDialogProps {
	/** The section that shows first. */
	readonly section: FilesSection;
	/** Files that are read at once. */
	readonly files: readonly File[];
}

const sections: readonly (readonly [section: FilesSection, name: string])[] = [
	["import", "Import"],
	["export", "Export"],
	["backup", "Backup"],
];

/** The dialog that reads and writes files. Each of its three tabs keeps its state while another one shows. */
export function FilesDialog({ section, files }: FilesDialogProps) {
	const workspace = useWorkspace();
	const { root } = useLive(workspace.rows);
	const [shown, show] = useState(section);
	useLayoutEffect(() => show(section), [section, files]);
	/** Where the caret goes when this is closed, if not back. */
	const next = useRef<Focus | null>(null);
	const [restored, setRestored] = useState<readonly File[]>([]);
	const goTo = (id: string) => {
		next.current = { key: id, field: "name", caret: "end" };
	};
	const restore = (file: File) => {
		setRestored([file]);
		show("import");
	};
	const place = root == null ? undefined : toText(root.name) || "Untitled";
	const contents = {
		import: <ImportForm place={place} dropped={files} restored={restored} onImported={goTo} />,
		export: <ExportForm place={place} />,
		backup: (
			<BackupSection isWanted={section === "backup"}>
				<RestoreButton onChoose={restore} />
			</BackupSection>
		),
	};
	return (
		<DialogFrame label="Import and export" titled next={next}>
			<Tabs shown={shown} onShow={show} />
			{sections.map(([each]) => (
				<div
					key={each}
					class="files"
					role="tabpanel"
					id={`panel-${each}`}
					aria-labelledby={`tab-${each}`}
					hidden={each !== shown}
				>
					{contents[each]}
				</div>
			))}
		</DialogFrame>
	);
}

interface TabsProps {
	readonly shown: FilesSection;
	readonly onShow: (section: FilesSection) => void;
}

function Tabs({ shown, onShow }: TabsProps) {
	const tabs = useRef<HTMLDivElement>(null);
	const onKeyDown = (event: KeyboardEvent) => {
		const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
		if (step === undefined) return;
		event.preventDefault();
		const at = (sections.findIndex(([each]) => each === shown) + step + sections.length) % sections.length;
		onShow(sections[at]![0]);
		tabs.current!.querySelectorAll("button")[at]!.focus();
	};
	return (
		<div ref={tabs} class="tabs" role="tablist" aria-label="Import and export" onKeyDown={onKeyDown}>
			{sections.map(([each, name]) => (
				<button
					key={each}
					type="button"
					role="tab"
					id={`tab-${each}`}
					aria-controls={`panel-${each}`}
					aria-selected={each === shown}
					tabIndex={each === shown ? 0 : -1}
					onClick={() => onShow(each)}
				>
					{name}
				</button>
			))}
		</div>
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
			dialog.set({ type: "files", section: "import", files });
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
