import type { Problem, VerifyProgress } from "outlinekit";
import type { Command } from "../command.ts";
import { Failure } from "../failure.ts";
import { counted } from "../output.ts";
import { storageOptions } from "../shared-options.ts";

export const verify: Command = {
	name: "verify",
	summary: "Check all rules of the outline, and change nothing",
	arguments: [],
	options: storageOptions,
	async run(call) {
		const { output, signal } = call;
		const { outline } = await call.open();
		const report = await outline.verify({ signal, onProgress: (progress) => output.progress(textOf(progress)) });
		if (report.total === 0) {
			await output.result(
				report,
				`No problems in ${counted(report.nodes, "node")} and ${counted(report.keys, "key")}.`,
			);
			return;
		}
		await output.result(report, report.problems.map(lineOf).join("\n"));
		throw new Failure(
			"problems",
			`The outline has ${counted(report.total, "problem")}. Make a copy, then run outlinekit repair.`,
		);
	},
};

export const repair: Command = {
	name: "repair",
	summary: "Repair the problems that verify finds",
	arguments: [],
	options: storageOptions,
	details: "A repair can't be undone. Make a copy of the file or the database first.",
	async run(call) {
		const { output, signal } = call;
		const { outline } = await call.open();
		const report = await outline.repair({ signal, onProgress: (progress) => output.progress(textOf(progress)) });
		const lines = report.repairs.map(({ problem, action }) => `${lineOf(problem)} ${action}`);
		await output.result(report, [...lines, `Repaired: ${counted(report.total, "problem")}.`].join("\n"));
		const { total } = report.left;
		if (total > 0)
			throw new Failure(
				"problems",
				`Not everything can be repaired: ${counted(total, "problem")} left. See outlinekit verify.`,
			);
	},
};

function lineOf({ kind, nodeId, key, detail }: Problem): string {
	return `${kind} ${nodeId ?? key ?? ""}: ${detail}`;
}

function textOf({ step, done }: VerifyProgress): string {
	return `${step}: ${done}`;
}
