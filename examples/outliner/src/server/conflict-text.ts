import type { Outline } from "outlinekit";
import { toText } from "outlinekit/markup";
import type { ReplicaConflict } from "outlinekit/sync";
import { nodeOrNull } from "../filter/saved.js";

/** One of the two ways out of a conflict. */
export interface Choice {
	readonly label: string;
	/** The text that it leaves in the outline. */
	readonly text?: string;
}

/** A conflict in words, with its two ways out. */
export interface ConflictText {
	readonly about: string;
	/** The node that it is about, with its name in quotation marks; undefined if it is gone. */
	readonly node: { readonly id: string; readonly name: string } | undefined;
	readonly shown: Choice;
	/** Undefined if a node that it needs is gone. */
	readonly other: Choice | undefined;
	/** Whether the other text can stay too, as the name of a node of its own. */
	readonly canKeepBoth: boolean;
	/** The other text, if its node is gone. */
	readonly left: string | undefined;
}

/** Describes a conflict for a person. */
export async function conflictText(outline: Outline, conflict: ReplicaConflict): Promise<ConflictText> {
	const { kind, nodeId, field, other } = conflict;
	const found = await nodeOrNull(outline, nodeId).catch(() => null);
	const name = await nameOf(outline, nodeId);
	const ways = await waysOut(outline, conflict, name);
	const isText = kind === "text" && (field === "name" || field === "note") && typeof other === "string" && other !== "";
	const needed = await Promise.all(neededBy(conflict).map((id) => nodeOrNull(outline, id).catch(() => null)));
	return {
		...ways,
		other: needed.includes(null) ? undefined : ways.other,
		node: found === null ? undefined : { id: found.id, name },
		canKeepBoth: isText && (field === "name" || found === null),
		left: isText && found === null ? textOf(other, field) : undefined,
	};
}

/** The ids of the nodes without which the other way out is impossible. */
function neededBy({ kind, nodeId, other }: ReplicaConflict): string[] {
	if (kind === "refused") return [];
	const to = ["move", "parent", "shortcut"].includes(kind) && typeof other === "string" ? [other] : [];
	return kind === "shortcut" ? to : [nodeId, ...to];
}

async function waysOut(
	outline: Outline,
	{ kind, field, shown, other }: ReplicaConflict,
	name: string,
): Promise<{ readonly about: string; readonly shown: Choice; readonly other: Choice }> {
	const [keep, remove] = [{ label: `Keep ${name}` }, { label: `Delete ${name}` }];
	switch (kind) {
		case "text":
			return {
				about: field === "name" ? "Two texts of one node:" : `Two texts in the ${fieldName(field)} of ${name}:`,
				shown: { label: "Keep what shows now", text: textOf(shown, field) },
				other: { label: "Take the other in place of all that shows now", text: textOf(other, field) },
			};
		case "move":
		case "parent":
			return {
				about:
					kind === "move"
						? `Two moves that together would put ${name} below itself. It is now below ${await nameOf(outline, shown)}.`
						: `The place of ${name} was deleted meanwhile. It is below ${await nameOf(outline, shown)} now.`,
				shown: { label: "Leave it there" },
				other: { label: `Move it below ${await nameOf(outline, other)}` },
			};
		case "deletion":
			return {
				about: `${name} was deleted, and changed on another device before. It stays.`,
				shown: keep,
				other: remove,
			};
		case "returned":
			return {
				about: `${name} was deleted, and then changed on another device. It is back.`,
				shown: keep,
				other: remove,
			};
		case "shortcut":
			return {
				about: `The shortcut “${field}” was given to two nodes.`,
				shown: { label: `It leads to ${await nameOf(outline, shown)}` },
				other: { label: other === null ? "Remove it" : `Lead it to ${await nameOf(outline, other)}` },
			};
		case "refused":
			return {
				about: `The server refused a change here. ${(shown as { message: string }).message}`,
				shown: { label: "Leave it out" },
				other: { label: "Try it again" },
			};
	}
}

function fieldName(field = ""): string {
	return field === "note" ? "note" : `property “${field.slice("properties.".length)}”`;
}

/** The name of a node in quotation marks, or a word for it. */
async function nameOf(outline: Outline, id: unknown): Promise<string> {
	if (typeof id !== "string") return id === null ? "the top level" : "a node";
	try {
		const name = toText((await outline.get(id)).name);
		return name === "" ? "a node without a text" : `“${name.length > 60 ? `${name.slice(0, 60)}…` : name}”`;
	} catch {
		return "a node that is gone";
	}
}

function textOf(value: unknown, field: string | undefined): string {
	if (typeof value !== "string") return value == null ? "(empty)" : JSON.stringify(value);
	const text = field === "name" ? toText(value) : value;
	return text === "" ? "(empty)" : text;
}
