import type { Command } from "../command.ts";
import { exitCodes, Failure } from "../failure.ts";
import { counted } from "../output.ts";
import { storageOptions } from "../shared-options.ts";

export const undo = command("undo", "Undo the last change that this program made", "Undone");
export const redo = command("redo", "Redo the last change that was undone", "Redone");

function command(name: "undo" | "redo", summary: string, word: string): Command {
	return {
		name,
		summary,
		arguments: [],
		options: storageOptions,
		details: "The steps are stored with the outline, so each run continues where the last one ended.",
		async run(call) {
			const { outline } = await call.open();
			const step = await outline[name]();
			if (step === null) throw new Failure("nothing_to_do", `There is nothing to ${name}.`, exitCodes.missing);
			await call.output.result(step, `${word}: ${step.operation} (${counted(step.nodeIds.length, "node")})`);
		},
	};
}
