import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { nodes } from "../text/count.js";
import { useEditor } from "../view/context.js";
import { acceptedFiles } from "./formats.js";
import { ImportReport, type Outcome } from "./import-report.js";
import { importFile } from "./importing.js";
import { Products } from "./products.js";

/** The progress of a file. */
interface Progress {
	readonly fileName: string;
	/** From 0 to 1. */
	readonly part: number;
	readonly nodes: number;
}

interface ImportFormProps {
	/** The name of the visible place; undefined for the top level. */
	readonly place: string | undefined;
	/** Files that are read at once. */
	readonly dropped: readonly File[];
	/** Told the id of the first node that has come from a file. */
	readonly onImported: (id: string) => void;
}

/** Imports files into the visible place, one after the other. */
export function ImportForm({ place, dropped, onImported }: ImportFormProps) {
	const editor = useEditor();
	const { workspace } = editor;
	const section = useRef<HTMLElement>(null);
	const chooser = useRef<HTMLInputElement>(null);
	const running = useRef<AbortController | undefined>(undefined);
	const [progress, setProgress] = useState<Progress>();
	const [outcomes, setOutcomes] = useState<readonly Outcome[]>([]);

	const read = async (file: File, signal: AbortSignal): Promise<Outcome> => {
		const fileName = file.name;
		// Stays so if what was typed before can't be saved: then nothing is imported.
		let outcome: Outcome = {
			fileName,
			nodes: 0,
			lost: {},
			failure: { text: "What you have typed couldn't be saved, so nothing was imported.", isError: true },
		};
		await editor.do(async () => {
			try {
				const report = await importFile(workspace, file, {
					signal,
					onProgress: (part, count) => setProgress({ fileName, part, nodes: count }),
				});
				const [first] = report.rootIds;
				if (first !== undefined) onImported(first);
				outcome = { fileName, nodes: report.nodes, lost: report.lost };
			} catch (error) {
				const text = signal.aborted ? "Cancelled. Nothing was imported." : messageOf(error);
				outcome = { fileName, nodes: 0, lost: {}, failure: { text, isError: !signal.aborted } };
			}
		});
		return outcome;
	};
	const readAll = async (files: readonly File[]) => {
		const controller = new AbortController();
		running.current = controller;
		setOutcomes([]);
		for (const file of files) {
			if (controller.signal.aborted) break;
			setProgress({ fileName: file.name, part: 0, nodes: 0 });
			const outcome = await read(file, controller.signal);
			setOutcomes((before) => [...before, outcome]);
		}
		setProgress(undefined);
	};
	useEffect(() => {
		if (dropped.length > 0) void readAll(dropped);
		return () => running.current?.abort();
	}, [dropped]);

	const isRunning = progress !== undefined;
	useLayoutEffect(() => {
		// The button that was pressed has given way to another one.
		if (document.activeElement === document.body) section.current!.querySelector("button")!.focus();
	}, [isRunning]);

	return (
		<section ref={section}>
			<p class="hint">
				The nodes are added at the end of {place === undefined ? "the outline" : `“${place}”`}. You can also drop files
				anywhere on the page.
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
					void readAll(files);
				}}
			/>
			{progress === undefined ? (
				<button type="button" class="main" onClick={() => chooser.current!.click()}>
					Choose files…
				</button>
			) : (
				<div class="progress">
					<progress value={progress.part} aria-label={`Reading ${progress.fileName}`} />
					<span>{nodes(progress.nodes)}</span>
					<button type="button" class="main" onClick={() => running.current?.abort()}>
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

function messageOf(error: unknown): string {
	return error instanceof Error ? error.message : String(error);
}
