import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { nodes } from "../text/count.js";
import { useEditor } from "../view/context.js";
import { acceptedFiles, formatOf } from "./formats.js";
import { ImportReport, type Outcome } from "./import-report.js";
import { Products } from "./products.js";
import { type Destination, failed, groupsOf, messageOf, readGroup } from "./reading.js";
import { type Question, RestoreQuestion } from "./restore-question.js";
import { needsAnswer } from "./restoring.js";

const unsaved = "What you have typed couldn't be saved, so nothing was imported.";
const cancelled = "Cancelled. Nothing was imported.";

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
	/** Backups that are to be restored at once. */
	readonly restored: readonly File[];
	/** Told the id of the first node that has come from a file. */
	readonly onImported: (id: string) => void;
}

/** Imports files into the visible place, one after the other. */
export function ImportForm({ place, dropped, restored, onImported }: ImportFormProps) {
	const editor = useEditor();
	const { workspace } = editor;
	const section = useRef<HTMLElement>(null);
	const chooser = useRef<HTMLInputElement>(null);
	const running = useRef<AbortController | undefined>(undefined);
	const [progress, setProgress] = useState<Progress>();
	const [outcomes, setOutcomes] = useState<readonly Outcome[]>([]);
	const [question, setQuestion] = useState<Question>();

	/** Imports files after the earlier commands. */
	const read = async (files: readonly File[], destination: Destination, signal: AbortSignal) => {
		// Stays so if what was typed before can't be saved: then nothing is imported.
		let outcomes: readonly Outcome[] = files.map((file) => failed(file, unsaved));
		const fileName = files[0]!.name;
		const onProgress = (part: number, count: number) => setProgress({ fileName, part, nodes: count });
		await editor.do(async () => {
			try {
				const group = await readGroup(workspace, files, destination, { signal, onProgress });
				outcomes = group.outcomes;
				if (group.first !== undefined) onImported(group.first);
			} catch (error) {
				outcomes = files.map((file) => failed(file, signal.aborted ? cancelled : messageOf(error), !signal.aborted));
			}
		});
		return outcomes;
	};
	/** Asks for the destination of a copy of an outline. Undefined if the user cancels. */
	const ask = (file: File, signal: AbortSignal) =>
		new Promise<Destination | undefined>((resolve) => {
			signal.addEventListener("abort", () => resolve(undefined));
			setQuestion({ fileName: file.name, answer: resolve });
		}).finally(() => setQuestion(undefined));
	const readAll = async (files: readonly File[], areBackups = false) => {
		const controller = new AbortController();
		const { signal } = controller;
		running.current = controller;
		setOutcomes([]);
		for (const group of await groupsOf(files)) {
			if (signal.aborted) break;
			const [file] = group;
			setProgress({ fileName: file!.name, part: 0, nodes: 0 });
			const isAsked = (await formatOf(file!)) === "json" && (await needsAnswer(workspace, file!, areBackups));
			const destination = isAsked ? await ask(file!, signal) : "end";
			const outcomes =
				destination === undefined
					? group.map((each) => failed(each, cancelled, false))
					: await read(group, destination, signal);
			setOutcomes((before) => [...before, ...outcomes]);
		}
		setProgress(undefined);
	};
	useEffect(() => {
		if (restored.length > 0) void readAll(restored, true);
	}, [restored]);
	useEffect(() => {
		if (dropped.length > 0) void readAll(dropped);
		return () => running.current?.abort();
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
					void readAll(files);
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
