import { OutlineError } from "outlinekit";
import type { Call } from "../call.ts";
import type { Command } from "../command.ts";
import { exitCodes, Failure } from "../failure.ts";
import { counted } from "../output.ts";
import { storageOptions } from "../shared-options.ts";

const details =
	"The steps are stored with the outline, so each run continues where the last one ended. If others have changed the\nsame nodes since, a step stays blocked.";

export const undo: Command = {
	name: "undo",
	summary: "Undo the last change that this program made",
	arguments: [],
	options: {
		forget: { help: "forget all steps instead, such as one that is blocked; the nodes stay as they are" },
		...storageOptions,
	},
	details,
	async run(call) {
		if (!call.options.flag("forget")) return go(call, "undo", "Undone");
		const { outline } = await call.open();
		await outline.clearHistory();
		await call.output.result({ forgotten: true }, "There are no steps to undo or redo now.");
	},
};

export const redo: Command = {
	name: "redo",
	summary: "Redo the last change that was undone",
	arguments: [],
	options: storageOptions,
	details,
	run: (call) => go(call, "redo", "Redone"),
};

async function go(call: Call, direction: "undo" | "redo", word: string): Promise<void> {
	const { outline } = await call.open();
	const step = await outline[direction]().catch((error: unknown) => {
		if (!(error instanceof OutlineError && error.code === "undo_blocked")) throw error;
		throw new Failure(error.code, error.message.replace("clearHistory()", "outlinekit undo --forget"));
	});
	if (step === null) throw new Failure("nothing_to_do", `There is nothing to ${direction}.`, exitCodes.missing);
	await call.output.result(step, `${word}: ${step.operation} (${counted(step.nodeIds.length, "node")})`);
}
