import { assertProgressAndSignal, checkSignal, type ExchangeSignal } from "../exchange/progress.js";
import { fieldNames, fieldsOf } from "../fields.js";
import { Pace } from "../pace.js";
import type { StorageAdapter } from "../storage.js";
import { AuditTable, none } from "./audit-table.js";
import { ChangedNodes } from "./changed-nodes.js";
import { checkKeys } from "./key-check.js";
import { nodeProblem, type Problem, type ProblemCounts, ProblemList } from "./problem.js";
import { QueryCheck } from "./query-check.js";
import { recordProblems } from "./record-rules.js";
import { treeProblems } from "./tree-check.js";

/** The options of `verify` and `repair`. */
export interface VerifyOptions {
	/** Called with the progress now and then. */
	onProgress?: ((progress: VerifyProgress) => void) | undefined;
	/**
	 * A signal, such as an `AbortSignal`, that ends the work. The promise then rejects with the signal's
	 * reason, or with `closed` if it has none. Finished repairs stay.
	 */
	signal?: ExchangeSignal | undefined;
}

/** The progress of a verification or a repair. A repair verifies several times. */
export interface VerifyProgress {
	/**
	 * The current step. In this order: single nodes, the tree, the keys, queries compared with the nodes, the
	 * feed of changes. Only a repair has `repairs`.
	 */
	readonly step: "nodes" | "tree" | "keys" | "queries" | "changes" | "repairs";
	/** The number of nodes (in `keys`: keys, in `repairs`: problems) that this step has finished. */
	readonly done: number;
}

/** The result of a verification. */
export interface VerifyReport {
	/** The outline's revision at the start. The verification may include later commits or not. */
	readonly revision: number;
	/** The number of nodes. */
	readonly nodes: number;
	/** The number of listed keys: shortcuts, the inbox, and entries of the calendar. */
	readonly keys: number;
	/** The number of problems; 0 for a valid outline. */
	readonly total: number;
	/** The number of problems by kind. */
	readonly counts: ProblemCounts;
	/** The first 1,000 problems. */
	readonly problems: readonly Problem[];
}

/** Which checks run, and how many problems the report keeps. */
export interface Extent {
	/** Whether to compare the storage's answers with each other, too. */
	readonly queries: boolean;
	readonly kept: number;
}

/** The most problems that a report lists. */
export const reportLimit = 1000;

/** The least number of nodes between two calls of `onProgress` in a step. */
const progressEvery = 10_000;

const optionNames = fieldNames<VerifyOptions>({ onProgress: true, signal: true });

/** Checks the options of a method. @throws `invalid_argument` */
export function verifyOptions(method: string, options: unknown): VerifyOptions {
	const { onProgress, signal } = fieldsOf(method, options, optionNames);
	assertProgressAndSignal(onProgress, signal);
	return { onProgress, signal } as VerifyOptions;
}

/**
 * Checks all rules of an outline. Writes nothing, and works while other writers commit. Takes some 100 bytes
 * of memory for each node.
 *
 * @throws what the storage throws, and the reason of the signal
 */
export async function verify(
	storage: StorageAdapter,
	options: VerifyOptions,
	{ queries, kept }: Extent = { queries: true, kept: reportLimit },
): Promise<VerifyReport> {
	const problems = new ProblemList(kept);
	const report = (problem: Problem) => problems.add(problem);
	const progress = new Progress(options);
	const { revision } = await storage.read([]);
	const changed = new ChangedNodes(storage, revision);
	const table = new AuditTable();
	for await (const chunk of storage.scan()) {
		for (const node of chunk) {
			problems.addAll(recordProblems(node.record));
			if (table.add(node) !== none) continue;
			report(nodeProblem("disagreement", node.record.id, "A scan gives it twice."));
		}
		await progress.step("nodes", table.size);
	}
	const { revision: newest } = await storage.read([]);
	for (const problem of treeProblems(table, newest)) {
		if (problem !== undefined) report(problem);
		else await progress.step("tree", table.size);
	}
	const keys = await checkKeys(table, changed, report);
	await progress.step("keys", keys);
	if (queries) {
		const check = new QueryCheck(table, changed, report);
		for (const done of check.checkSurroundings()) await progress.step("queries", done);
		for await (const done of check.checkNodes()) await progress.step("queries", done);
		for await (const done of check.checkChildren()) await progress.step("queries", done);
		for await (const done of check.checkFeed()) await progress.step("changes", done);
	}
	return { revision, nodes: table.size, keys, total: problems.total, counts: problems.counts, problems: problems.kept };
}

/** Reports the progress, throws when the signal aborts, and pauses between slices. */
export class Progress {
	readonly #options: VerifyOptions;
	readonly #pace = new Pace();
	#step: VerifyProgress["step"] | undefined;
	#reported = 0;

	constructor(options: VerifyOptions) {
		this.#options = options;
	}

	/** Reports the progress of a step. @throws the reason of the signal */
	async step(step: VerifyProgress["step"], done: number): Promise<void> {
		if (this.#pace.isDue) await this.#pace.turn();
		const { onProgress, signal } = this.#options;
		checkSignal(signal, "The signal ended this. What has been repaired by then stays so.");
		if (step === this.#step && done - this.#reported < progressEvery) return;
		this.#step = step;
		this.#reported = done;
		onProgress?.({ step, done });
	}
}
