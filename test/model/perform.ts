import { type Outline, OutlineError, type Position } from "outlinekit";
import { exported } from "../support/outline.js";
import { type Command, fragments, names, type Pick, propertyChanges } from "./commands.js";

/** The place of a node, as arguments of an operation. */
export interface PlaceArguments {
	parent?: string | null | undefined;
	position?: Position | undefined;
}

/** Performs a command on an outline. `node` is the reference of the command's node. */
export async function perform(
	outline: Outline,
	command: Command,
	node: string,
	place: PlaceArguments,
): Promise<unknown> {
	switch (command.type) {
		case "create": {
			const { name, note, layoutMode, completed } = command;
			const properties = command.properties === undefined ? undefined : propertyChanges[command.properties];
			return outline.create({ ...place, name: names[name]!.text, note, layoutMode, properties, completed });
		}
		case "update": {
			const { name, note, layoutMode, completed } = command;
			const html = name === undefined ? undefined : fragments[name]!.html;
			const properties = command.properties === undefined ? undefined : propertyChanges[command.properties];
			return outline.update(node, { name: html, note, layoutMode, properties, completed });
		}
		case "move":
			return outline.move(node, place);
		case "duplicate":
			return outline.duplicate(node, place);
		case "mirror":
			return outline.mirror(node, { parent: place.parent!, position: place.position });
		case "remove mirror":
			return outline.removeMirror(node);
		case "delete":
			return outline.delete(node);
		case "complete":
			return outline.complete(node);
		case "uncomplete":
			return outline.uncomplete(node);
		case "ensure":
			return outline.ensure(node);
		case "get":
			return outline.get(node);
		case "list":
			return outline.list(node);
		case "set shortcut":
			return outline.setShortcut(command.key, node);
		case "delete shortcut":
			return outline.deleteShortcut(command.key);
		case "targets":
		// A caller prunes, waits and reopens by itself, if it does.
		case "prune":
		case "wait":
		case "reopen":
			return outline.targets();
		default:
			throw new Error(`Add the command ${(command satisfies never as Command).type}.`);
	}
}

/** What a command is about, among nodes with these ids. Beside a sibling, it names no parent if it needn't. */
export function aimOf(command: Command, ids: readonly string[]): { node: string; place: PlaceArguments } {
	const text = (pick: Pick): string => {
		if (pick.kind === "node") return ids[pick.index % ids.length] ?? "nowhere";
		return pick.kind === "root" ? "None" : pick.kind === "unknown" ? pick.text : pick.key;
	};
	const node = "node" in command ? text(command.node) : "None";
	const parent = "parent" in command && command.parent !== undefined ? text(command.parent) : undefined;
	const spot = "spot" in command ? command.spot : undefined;
	if (typeof spot !== "object") return { node, place: { parent, position: spot } };
	const sibling = ids[spot.index % ids.length] ?? "nowhere";
	const position = spot.side === "before" ? { before: sibling } : { after: sibling };
	return { node, place: { position, ...(command.type === "mirror" && { parent }) } };
}

/** Carries out a command on the nodes that the outline has, as far as it is allowed. Waits and reopens nothing. */
export async function performOnAny(outline: Outline, given: Command): Promise<void> {
	if (given.type === "wait" || given.type === "reopen") return;
	const { node, place } = aimOf(given, (await exported(outline)).map(({ id }) => id).sort());
	await perform(outline, given, node, place).catch((error) => {
		if (!(error instanceof OutlineError)) throw error;
	});
}
