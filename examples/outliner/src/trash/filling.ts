import type { Outline } from "outlinekit";
import { toText } from "outlinekit/markup";
import { ancestorsOf } from "../workspace/ancestors.js";
import type { Workspace } from "../workspace/workspace.js";
import { type Deleted, deletedIn } from "./deleted.js";
import { type TrashEntry, TrashStore } from "./store.js";

/** The longest text of a node that the list shows, in characters. */
const longestName = 200;

/** Puts into the trash what this tab deletes. Each tab does so for its own deletions. */
export async function fillTrash({ outline, message }: Workspace): Promise<void> {
	const trash = new TrashStore();
	let work = Promise.resolve();
	outline.subscribe(({ source, changes }) => {
		if (source !== "local") return;
		for (const deleted of deletedIn(changes)) {
			// The writes follow each other, so that the trash has the order of the deletions.
			work = work
				.then(() => keep(outline, trash, deleted, Date.now()))
				.catch(() => {
					message.set({
						text: "The trash has no room for what you have just deleted. Undo brings it back.",
						isError: true,
					});
				});
		}
	});
	await trash.expire(Date.now());
}

async function keep(outline: Outline, trash: TrashStore, deleted: Deleted, now: number): Promise<void> {
	const { parentId, roots, nodes } = deleted;
	// The export makes pauses, so that typing goes on.
	let file = "";
	for await (const piece of outline.exportAs("json", { nodes })) file += piece;
	const first = roots[0]!;
	const entry: TrashEntry = {
		id: first.id,
		rootIds: roots.map(({ id }) => id),
		name: nameOf(first.name),
		nodes: nodes.length,
		parentId,
		path: await pathOf(outline, parentId),
		priority: first.priority,
		deletedAt: now,
		size: file.length,
	};
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
