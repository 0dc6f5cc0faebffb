import type { Operation } from "../../engine/protocol.js";
import { OutlineError } from "../../errors.js";
import type { Outline } from "../../outline.js";
import type { JsonValue } from "../../properties.js";
import { conflictPrefix, documentsWith, type ReplicaConflict, refusedPrefix } from "./journal.js";

/** Lists the open conflicts, the oldest first. */
export function* conflictsOf(): Operation<ReplicaConflict[]> {
	const documents = [...(yield* documentsWith(conflictPrefix)), ...(yield* documentsWith(refusedPrefix))];
	return documents.map(({ value }) => JSON.parse(value));
}

/**
 * Puts the value that gave way in place of the present one.
 *
 * @throws the errors of the method that does so, such as `not_found`
 */
export async function putOther(outline: Outline, { kind, nodeId, field = "", other }: ReplicaConflict): Promise<void> {
	switch (kind) {
		case "text":
			if (field === "name" || field === "note") await outline.update(nodeId, { [field]: other as string | null });
			else await outline.update(nodeId, { properties: { [field.slice("properties.".length)]: other as JsonValue } });
			return;
		case "move":
		case "parent":
			await outline.move(nodeId, { parent: other as string | null });
			return;
		case "deletion":
		case "returned":
			await outline.delete(nodeId, { mirrors: "promote" });
			return;
		case "shortcut":
			await (other === null ? outline.deleteShortcut(field) : outline.setShortcut(field, other as string));
			return;
		case "refused":
			throw new OutlineError(
				"invalid_argument",
				'The server refused this change for good. Make it again in another way, then resolve the conflict with "shown".',
			);
	}
}
