import { useRef, useState } from "preact/hooks";
import { useEditor } from "../view/context.js";
import { formatOf } from "./formats.js";
import type { Outcome } from "./import-report.js";
import { type Destination, failed, groupsOf, messageOf, readGroup } from "./reading.js";
import type { Question } from "./restore-question.js";
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

/** An import of files, as a form shows it. */
interface Import {
	/** Undefined if it has ended. */
	readonly progress: Progress | undefined;
	readonly outcomes: readonly Outcome[];
	/** The question that it waits for, if any. */
	readonly question: Question | undefined;
	/** Imports files into the visible place, one after the other. */
	readonly start: (files: readonly File[], areBackups?: boolean) => Promise<void>;
	readonly cancel: () => void;
}

/**
 * Imports files for a form.
 *
 * @param onImported - told the id of the first node that has come from a file
 */
export function useImport(onImported: (id: string) => void): Import {
	const editor = useEditor();
	const { workspace } = editor;
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
	const start = async (files: readonly File[], areBackups = false) => {
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
	return { progress, outcomes, question, start, cancel: () => running.current?.abort() };
}
