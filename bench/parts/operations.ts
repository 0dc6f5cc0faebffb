import { fresh, runs } from "../fresh.ts";
import type { Goal, Row } from "../report.ts";
import type { InTurnsInput } from "../scenes/in-turns.ts";
import type { OperationsInput, OperationsResult } from "../scenes/operations.ts";

/**
 * Measures contenders side by side, in processes that take turns, and asserts that all end in the same tree.
 * Gives the results of each in the order of the runs.
 */
export async function sideBySide(
	contenders: readonly string[],
	input: Omit<OperationsInput, "contender">,
	count = runs,
): Promise<OperationsResult[][]> {
	const results: OperationsResult[][] = contenders.map(() => []);
	for (let run = 0; run < count; run++) {
		for (const [index, contender] of contenders.entries()) {
			results[index]!.push(await fresh<OperationsResult>("operations", { ...input, contender }));
		}
	}
	assertSameTree(contenders, results);
	return results;
}

/** The number of processes that measure variants of a contender, because five would not show a small difference. */
export const turns = 15;

/** Measures variants of a contender in turns, all in each process. Gives the results of each in the order of the runs. */
export async function inTurns(input: InTurnsInput): Promise<OperationsResult[][]> {
	const results: OperationsResult[][] = input.contenders.map(() => []);
	for (let run = 0; run < turns; run++) {
		const measured = await fresh<OperationsResult[]>("in-turns", input);
		for (const [index, result] of measured.entries()) results[index]!.push(result);
	}
	assertSameTree(input.contenders, results);
	return results;
}

function assertSameTree(contenders: readonly string[], results: readonly OperationsResult[][]): void {
	const hashes = new Set(results.flat().map(({ treeHash }) => treeHash));
	if (hashes.size !== 1) {
		const ends = contenders.map(
			(name, index) => `${name} ${results[index]!.map(({ treeHash }) => treeHash).join(" ")}`,
		);
		throw new Error(`The contenders don't end in the same tree: ${ends.join("; ")}`);
	}
}

/** A line for each operation of two contenders. */
export function operationRows(
	ours: readonly OperationsResult[],
	base: readonly OperationsResult[],
	goals: Readonly<Record<string, Goal>> = {},
): Row[] {
	return Object.keys(ours[0]!.figures).map((name) => ({
		name,
		ours: ours.map(({ figures }) => figures[name]!),
		base: base.map(({ figures }) => figures[name]!),
		...(goals[name] === undefined ? {} : { goal: goals[name] }),
	}));
}
