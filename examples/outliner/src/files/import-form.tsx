import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { nodes } from "../text/count.js";
import { useEditor } from "../view/context.js";
import type { Workspace } from "../workspace/workspace.js";
import { acceptedFiles, formatOf } from "./formats.js";
import { ImportReport, type Outcome } from "./import-report.js";
import { type ImportControl, importFile } from "./importing.js";
import { importPages, isPage } from "./pages.js";

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

	/** Imports files, of which the pages belong together, after the earlier commands. */
	const read = async (files: readonly File[], signal: AbortSignal): Promise<readonly Outcome[]> => {
		// Stays so if what was typed before can't be saved: then nothing is imported.
		let outcomes = files.map((file) => failed(file, "What you have typed couldn't be saved, so nothing was imported."));
		const fileName = files[0]!.name;
		const onProgress = (part: number, count: number) => setProgress({ fileName, part, nodes: count });
		await editor.do(async () => {
			try {
				const control = { signal, onProgress };
				outcomes = await (files.length > 1 || (await isPage(files[0]!))
					? readPages(workspace, files, control, onImported)
					: readFile(workspace, files[0]!, control, onImported));
			} catch (error) {
				const text = signal.aborted ? "Cancelled. Nothing was imported." : messageOf(error);
				outcomes = files.map((file) => failed(file, text, !signal.aborted));
			}
		});
		return outcomes;
	};
	const readAll = async (files: readonly File[]) => {
		const controller = new AbortController();
		running.current = controller;
		setOutcomes([]);
		for (const group of await groupsOf(files)) {
			if (controller.signal.aborted) break;
			setProgress({ fileName: group[0]!.name, part: 0, nodes: 0 });
			const outcomes = await read(group, controller.signal);
			setOutcomes((before) => [...before, ...outcomes]);
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
			<h3>Import</h3>
			<p class="hint">
				OPML, Markdown, JSON or plain text, to the end of {place === undefined ? "the outline" : `“${place}”`}. Of
				several Markdown files, such as the pages of Logseq, each gets a node, and journals go to their days. You can
				also drop files anywhere on this page.
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
		</section>
	);
}

/** The files that are imported together: the Markdown files, which may be pages with links to each other. */
async function groupsOf(files: readonly File[]): Promise<File[][]> {
	const groups: File[][] = [];
	let pages: File[] | undefined;
	for (const file of files) {
		const isMarkdown = (await formatOf(file)) === "markdown";
		if (isMarkdown && pages !== undefined) pages.push(file);
		else groups.push([file]);
		if (isMarkdown) pages ??= groups.at(-1)!;
	}
	return groups;
}

async function readFile(
	workspace: Workspace,
	file: File,
	control: ImportControl,
	onImported: (id: string) => void,
): Promise<Outcome[]> {
	const { nodes: count, lost, rootIds } = await importFile(workspace, file, control);
	if (rootIds[0] !== undefined) onImported(rootIds[0]);
	return [{ fileName: file.name, nodes: count, lost }];
}

async function readPages(
	workspace: Workspace,
	files: readonly File[],
	control: ImportControl,
	onImported: (id: string) => void,
): Promise<Outcome[]> {
	const { reports, first } = await importPages(workspace, files, control);
	if (first !== undefined) onImported(first);
	return reports.map(({ file, nodes: count, lost, error }) =>
		error === undefined ? { fileName: file.name, nodes: count, lost } : failed(file, messageOf(error)),
	);
}

function failed({ name }: File, text: string, isError = true): Outcome {
	return { fileName: name, nodes: 0, lost: {}, failure: { text, isError } };
}

function messageOf(error: unknown): string {
	return error instanceof Error ? error.message : String(error);
}
