import { type Outline, OutlineError } from "outlinekit";
import { toText } from "outlinekit/markup";
import type { Replica, ReplicaConflict } from "outlinekit/sync";
import type { Call } from "../call.ts";
import type { Command } from "../command.ts";
import { usage } from "../failure.ts";
import type { Output } from "../output.ts";
import { storageOptions } from "../shared-options.ts";
import { nameLine, printable } from "../tree.ts";

export const listConflicts: Command = {
	name: "conflicts list",
	summary: "List what gave way when two devices changed the same",
	arguments: [],
	options: storageOptions,
	async run(call) {
		const { outline, replica } = await openCopy(call);
		const conflicts = await replica.conflicts();
		for (const conflict of conflicts) {
			await call.output.result(conflict, await conflictLines(outline, conflict, call.output));
		}
		if (conflicts.length === 0) call.output.hint("There are no conflicts.");
	},
};

export const resolveConflict: Command = {
	name: "conflicts resolve",
	summary: "Close a conflict: keep what the outline shows, or take the other",
	arguments: ["<id>", "<shown|other>"],
	offers: () => ["shown", "other"],
	options: storageOptions,
	details: "In a local copy, the next sync tells the other devices. Undo takes the other back.",
	async run(call) {
		const [id, choice] = call.words as [string, "shown" | "other"];
		const { replica } = await openCopy(call);
		await replica.resolve(id, choice);
		await call.output.result({ id, choice }, "The conflict is closed.");
	},
};

async function openCopy(call: Call): Promise<{ readonly outline: Outline; readonly replica: Replica }> {
	const { outline, replica } = await call.open();
	if (replica !== undefined) return { outline, replica };
	throw usage("This outline is no copy of a server's outline, so it has no conflicts. See outlinekit help sync.");
}

/** Returns a conflict as a terminal shows it: what it is about, and its two ways out. */
export async function conflictLines(outline: Outline, conflict: ReplicaConflict, output: Output): Promise<string> {
	const { id, kind, nodeId, field } = conflict;
	const about = `${kind}${field === undefined ? "" : ` (${field})`}: ${await nameOf(outline, nodeId)}`;
	const [shown, other] = await waysOut(outline, conflict);
	return [
		`${printable(about)}  ${output.styled("dim", id)}`,
		`  shown  ${printable(shown)}`,
		`  other  ${printable(other)}`,
	].join("\n");
}

async function waysOut(
	outline: Outline,
	{ kind, field, shown, other }: ReplicaConflict,
): Promise<readonly [shown: string, other: string]> {
	switch (kind) {
		case "text":
			return [textOf(shown, field), textOf(other, field)];
		case "move":
		case "parent":
		case "shortcut": {
			const nothing = kind === "shortcut" ? "no node" : "the top level";
			const target = (id: unknown) => (typeof id === "string" ? nameOf(outline, id) : nothing);
			return [await target(shown), await target(other)];
		}
		case "deletion":
		case "returned":
			return ["the node stays", "delete the node"];
		case "refused":
			return [`the change is left out: ${(shown as { message: string }).message}`, "try the change again"];
	}
}

/** Returns the name of a node in quotation marks, or a word for it. */
async function nameOf(outline: Outline, id: string): Promise<string> {
	try {
		return JSON.stringify(nameLine(await outline.get(id)));
	} catch (error) {
		if (!(error instanceof OutlineError && error.code === "not_found")) throw error;
		return `a node that is gone (${id})`;
	}
}

function textOf(value: unknown, field: string | undefined): string {
	if (typeof value !== "string") return JSON.stringify(value ?? null);
	return (field === "name" ? toText(value) : value).replace(/\n/g, "\n         ");
}
