import type { Outline } from "outlinekit";
import { toText } from "outlinekit/markup";
import { ancestorsOf } from "../filter/ancestors.js";
import type { Workspace } from "../workspace/workspace.js";
import { type Deleted, deletedIn, droppedKeys } from "./deleted.js";
import { areAllThere, idsIn } from "./listing.js";
import { type TrashEntry, TrashStore } from "./store.js";

/** The longest text of a node that the list shows, in characters. */
const longestName = 200;

/**
 * Puts deleted nodes into the trash, as soon as this tab learns of the deletion: by this tab, another tab, a
 * device or a program. These include nodes that an undo takes away again, such as pasted rows. Without a
 * redo, there is no other way back to them.
 */
export async function fillTrash({ outline, message }: Workspace): Promise<void> {
	const trash = new TrashStore();
	let work = Promise.resolve();
	let hasTold = false;
	const tell = () => {
		if (!hasTold)
			message.set({ text: "The trash can’t keep what you delete now. Undo brings it back.", isError: true });
		hasTold = true;
	};
	outline.subscribe(({ changes, keys }) => {
		for (const deleted of deletedIn(changes)) {
			// The writes follow each other, so that the trash has the order of the deletions.
			work = work.then(() => keep(outline, trash, deleted, droppedKeys(keys))).catch(tell);
		}
	});
	await trash.expire(Date.now());
}

async function keep(
	outline: Outline,
	trash: TrashStore,
	{ parentId, roots, nodes }: Deleted,
	keys: ReturnType<typeof droppedKeys>,
): Promise<void> {
	const deletedAt = Date.now();
	// The export makes pauses, so that typing goes on.
	let file = "";
	for await (const piece of outline.exportAs("json", { nodes, keys })) file += piece;
	const first = roots[0]!;
	const entry: TrashEntry = {
		id: first.id,
		rootIds: roots.map(({ id }) => id),
		name: nameOf(first.name),
		nodes: nodes.length,
		parentId,
		path: await pathOf(outline, parentId),
		priority: first.priority,
		deletedAt,
		size: file.length,
	};
	const known = new Set(nodes.map(({ id }) => id));
	const others = idsIn((await trash.file(entry.id)) ?? "").filter((id) => !known.has(id));
	// An edit on another device may have brought back the first node alone.
	if (!(await areAllThere(outline, others))) await trash.keepBeside(entry.id);
	await trash.add(entry, file);
}

async function pathOf(outline: Outline, id: string | null): Promise<string[]> {
	if (id === null) return [];
	try {
		const nodes = [...(await ancestorsOf(outline, id)), await outline.get(id)];
		return nodes.map(({ name }) => nameOf(name));
	} catch {
		// Another tab has deleted the parent by now.
		return [];
	}
}

function nameOf(html: string): string {
	const text = toText(html);
	return text.length > longestName ? `${text.slice(0, longestName)}…` : text || "Untitled";
}
