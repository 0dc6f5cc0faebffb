import type { Outline } from "outlinekit";
import { codeOf } from "../text/error-code.js";
import type { TrashEntry, TrashStore } from "./store.js";

/**
 * Returns the entries of the trash, the newest first. Removes an entry if all its nodes are in the outline
 * again, because of an undo in some tab, or because another device has changed them.
 */
export async function entriesInTrash(outline: Outline, trash: TrashStore): Promise<TrashEntry[]> {
	const now = Date.now();
	await trash.expire(now);
	const entries = await trash.entries(now);
	const isBack = await Promise.all(entries.map((entry) => isAllBack(outline, trash, entry)));
	await trash.remove(entries.filter((_, index) => isBack[index]).map(({ id }) => id));
	return entries.filter((_, index) => !isBack[index]);
}

/** Whether all nodes of an entry are back: an edit on another device brings back one node, without those below it. */
async function isAllBack(outline: Outline, trash: TrashStore, { id, rootIds, nodes }: TrashEntry): Promise<boolean> {
	if (!(await areAllThere(outline, rootIds))) return false;
	return nodes === rootIds.length || areAllThere(outline, idsIn((await trash.file(id)) ?? ""));
}

/** The ids of the nodes in the file of an entry. */
export function idsIn(file: string): string[] {
	const lines = file.split("\n").filter((line) => line !== "");
	return lines.flatMap((line) => (JSON.parse(line) as { id?: string }).id ?? []);
}

/** Whether the outline has all nodes with some ids. */
export async function areAllThere(outline: Outline, ids: readonly string[]): Promise<boolean> {
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
