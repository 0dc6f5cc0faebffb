import { assertProgressAndSignal, checkSignal, type ExchangeSignal } from "../exchange/progress.js";
import { fieldNames, fieldsOf } from "../fields.js";
import { Pace } from "../pace.js";
import type { StorageAdapter } from "../storage.js";
import { NodeTable, none } from "./audit-table.js";
import { ChangedNodes } from "./changed-nodes.js";
import { checkKeys } from "./key-check.js";
import { nodeProblem, type Problem, type ProblemCounts, ProblemList } from "./problem.js";
import { QueryCheck } from "./query-check.js";
import { recordProblems } from "./record-rules.js";
import { treeProblems } from "./tree-check.js";

/** What `verify` and `repair` take. */
export interface VerifyOptions {
	/** Called now and then with how far it has come. */
	onProgress?: ((progress: VerifyProgress) => void) | undefined;
	/**
	 * Ends it: it rejects with the signal's reason, or with `closed` if it has none. An `AbortSignal` is one. What has been
	 * repaired by then stays so.
	 */
	signal?: ExchangeSignal | undefined;
}

/** How far a verification, or a repair, has come. A repair verifies several times. */
export interface VerifyProgress {
	/**
	 * In this order: each node by itself, the tree, the keys, queries against the nodes, the feed of changes; `repairs` of a repair
	 * alone.
	 */
	readonly step: "nodes" | "tree" | "keys" | "queries" | "changes" | "repairs";
	/** How many nodes (of `keys`: keys, of `repairs`: problems) this step has been through. */
	readonly done: number;
}

/** What a verification has found. */
export interface VerifyReport {
	/** The outline's revision when it began. What others commit meanwhile may be looked at or not. */
	readonly revision: number;
	/** How many nodes there are. */
	readonly nodes: number;
	/** How many keys are listed: shortcuts, the inbox, and entries of the calendar. */
	readonly keys: number;
	/** How many problems there are; 0 for an outline that is as it must be. */
	readonly total: number;
	/** How many there are of each kind. */
	readonly counts: ProblemCounts;
	/** The first 1,000 of them. */
	readonly problems: readonly Problem[];
}

/** How much is looked at, and how many problems are kept. */
export interface Extent {
	/** Whether the storage's answers are compared with each other, too. */
	readonly queries: boolean;
	readonly kept: number;
}

/** How many problems a report names. */
export const reportLimit = 1000;

/** How many nodes a step goes through without a word of it, at least. */
const progressEvery = 10_000;

const optionNames = fieldNames<VerifyOptions>({ onProgress: true, signal: true });

/** Checks the options that a method was given. @throws `invalid_argument` */
export function verifyOptions(method: string, options: unknown): VerifyOptions {
	const { onProgress, signal } = fieldsOf(method, options, optionNames);
	assertProgressAndSignal(onProgress, signal);
	return { onProgress, signal } as VerifyOptions;
}

/**
 * Checks everything that must be true of an outline. Nothing is written, and others may write meanwhile. It takes some 100 bytes
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
	const table = new NodeTable();
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
	#told = 0;

	constructor(options: VerifyOptions) {
		this.#options = options;
	}

	/** A step has come so far. @throws the reason of the signal */
	async step(step: VerifyProgress["step"], done: number): Promise<void> {
		if (this.#pace.isDue) await this.#pace.turn();
		const { onProgress, signal } = this.#options;
		checkSignal(signal, "The signal ended this. What has been repaired by then stays so.");
		if (step === this.#step && done - this.#told < progressEvery) return;
		this.#step = step;
		this.#told = done;
		onProgress?.({ step, done });
	}
}
