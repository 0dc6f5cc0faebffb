import type { Outline, Position } from "outlinekit";
import { type Command, fragments, names, propertyChanges } from "./commands.js";

/** The place of a node, as arguments of an operation. */
export interface Place {
	parent?: string | null | undefined;
	position?: Position | undefined;
}

/** Performs a command on an outline. `node` is the reference of the command's node. */
export async function perform(outline: Outline, command: Command, node: string, place: Place): Promise<unknown> {
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
		default:
			return outline.targets();
	}
}
