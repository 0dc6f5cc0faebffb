import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { nodes } from "../text/count.js";
import { acceptedFiles } from "./formats.js";
import { ImportReport } from "./import-report.js";
import { Products } from "./products.js";
import { RestoreQuestion } from "./restore-question.js";
import { useImport } from "./use-import.js";

interface ImportFormProps {
	/** The name of the visible place; undefined for the top level. */
	readonly place: string | undefined;
	/** Files that are read at once. */
	readonly dropped: readonly File[];
	/** Backups that are to be restored at once. */
	readonly restored: readonly File[];
	/** Told the id of the first node that has come from a file. */
	readonly onImported: (id: string) => void;
}

/** Imports files into the visible place, one after the other. */
export function ImportForm({ place, dropped, restored, onImported }: ImportFormProps) {
	const section = useRef<HTMLElement>(null);
	const chooser = useRef<HTMLInputElement>(null);
	const { progress, outcomes, question, start, cancel } = useImport(onImported);
	useEffect(() => {
		if (restored.length > 0) void start(restored, true);
	}, [restored]);
	useEffect(() => {
		if (dropped.length > 0) void start(dropped);
		return cancel;
	}, [dropped]);

	const isRunning = progress !== undefined;
	useLayoutEffect(() => {
		// The button that was pressed has given way to another one.
		if (document.activeElement === document.body) section.current!.querySelector("button")!.focus();
	}, [isRunning, question]);

	return (
		<section ref={section}>
			<p class="hint">
				The nodes are added at the end of {place === undefined ? "the outline" : `“${place}”`}. Of several Markdown
				files, each gets a node. You can also drop files anywhere on the page.
			</p>
			<input
				ref={chooser}
				type="file"
				class="unseen"
				tabIndex={-1}
				aria-hidden="true"
				accept={acceptedFiles}
				multiple
				onChange={({ currentTarget }) => {
					const files = [...(currentTarget.files ?? [])];
					currentTarget.value = "";
					void start(files);
				}}
			/>
			{question !== undefined ? (
				<RestoreQuestion {...question} />
			) : progress === undefined ? (
				<button type="button" class="main" onClick={() => chooser.current!.click()}>
					Choose files…
				</button>
			) : (
				<div class="progress">
					<progress value={progress.part} aria-label={`Reading ${progress.fileName}`} />
					<span>{nodes(progress.nodes)}</span>
					<button type="button" class="main" onClick={cancel}>
						Cancel
					</button>
				</div>
			)}
			<div role="status" class="outcome">
				<ImportReport outcomes={outcomes} />
			</div>
			<Products />
		</section>
	);
}
