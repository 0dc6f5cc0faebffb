import type { Outline } from "outlinekit";
import { codeOf } from "../workspace/faults.js";
import type { TrashEntry, TrashStore } from "./store.js";

/**
 * Returns the entries of the trash, the newest first. Removes an entry if its nodes are in the outline again,
 * because of an undo in some tab, or because another device has changed them.
 */
export async function entriesInTrash(outline: Outline, trash: TrashStore): Promise<TrashEntry[]> {
	const now = Date.now();
	await trash.expire(now);
	const entries = await trash.entries(now);
	const isBack = await Promise.all(entries.map((entry) => areAllThere(outline, entry.rootIds)));
	await trash.remove(entries.filter((_, index) => isBack[index]).map(({ id }) => id));
	return entries.filter((_, index) => !isBack[index]);
}

async function areAllThere(outline: Outline, ids: readonly string[]): Promise<boolean> {
	for (const id of ids) {
		try {
			await outline.get(id);
		} catch (error) {
			if (codeOf(error) === "not_found") return false;
			throw error;
		}
	}
	return true;
}
