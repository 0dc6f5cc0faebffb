import type { OutlineChange, OutlineNode } from "outlinekit";
import type { Row } from "outlinekit/live";
import { endOfChange } from "../text/caret.js";
import { shortName, shownText } from "../text/fragment.js";
import type { Focus } from "../workspace/focus.js";
import { titleKey, type Workspace } from "../workspace/workspace.js";
import { goToNode, unfoldTo } from "./go.js";

type Direction = "undo" | "redo";

/** Undoes or does again, and shows where: puts the caret there, or tells it if that is out of sight. */
export async function travel(workspace: Workspace, direction: Direction): Promise<void> {
	const { rows, message, selection, focus } = workspace;
	const before = rows.current.rows;
	const from = before.findIndex(({ key }) => key === focus.current?.key);
	const changes = await changesOf(workspace, direction);
	if (changes === null) {
		message.set({ text: `There is nothing to ${direction}.`, isError: false });
		return;
	}
	selection.set(null);
	// It may tell of what has just been undone.
	message.set(null);
	const isChanged = ({ node }: Pick<Row, "node">) => changes.has(node.id);
	const shown = rows.current.rows.find(isChanged)?.node ?? workspace.root;
	const change = shown === null ? undefined : changes.get(shown.id);
	// The visible node may be gone.
	if (change?.after !== undefined) putCaret(workspace, change, from);
	else if (!before.some(isChanged)) await showOutOfSight(workspace, direction, changes);
}

type Changes = ReadonlyMap<string, OutlineChange>;

/** Moves on in the history. Returns the changes of nodes; null if there is no step. */
async function changesOf({ outline }: Workspace, direction: Direction): Promise<Changes | null> {
	const all = new Map<string, OutlineChange>();
	const unsubscribe = outline.subscribe(({ source, changes }) => {
		if (source === "local") for (const change of changes) all.set(change.id, change);
	});
	try {
		const step = await outline[direction]();
		if (step === null) return null;
		const changed = new Set(step.nodeIds);
		return new Map([...all].filter(([id]) => changed.has(id)));
	} finally {
		unsubscribe();
	}
}

/**
 * Puts the caret where the texts of a node have changed, if the node shows. Returns whether it does.
 *
 * @param from - the number of the row with the caret: of several rows that show the node, the nearest gets it
 */
function putCaret(workspace: Workspace, { id, before, after }: OutlineChange, from = 0): boolean {
	const { rows } = workspace.rows.current;
	const next = rows.findIndex(({ node }, index) => node.id === id && index >= from);
	const last = rows.findLastIndex(({ node }, index) => node.id === id && index < from);
	const nearest = last < 0 || (next >= 0 && next - from < from - last) ? next : last;
	const key = id === workspace.root?.id ? titleKey : rows[nearest]?.key;
	if (key !== undefined) workspace.focus.set({ key, ...placeOfChange(before, after!) });
	return key !== undefined;
}

/** The place in the texts of a node where they have changed. */
function placeOfChange(before: OutlineNode | undefined, after: OutlineNode): Pick<Focus, "field" | "caret"> {
	if (before === undefined) return { field: "name", caret: "end" };
	const [oldName, name] = [shownText(before.name), shownText(after.name)];
	if (name !== oldName) return { field: "name", caret: endOfChange(oldName, name) };
	const [oldNote, note] = [before.note ?? "", after.note ?? ""];
	return note === "" || note === oldNote
		? { field: "name", caret: "end" }
		: { field: "note", caret: endOfChange(oldNote, note) };
}

/** Unfolds the nodes above a change. If it still doesn't show, tells where it is, and offers to go there. */
async function showOutOfSight(workspace: Workspace, direction: Direction, changes: Changes): Promise<void> {
	const { message } = workspace;
	const all = [...changes.values()];
	const change = all.find(({ after }) => after !== undefined) ?? all[0];
	if (change === undefined) return;
	const { id, before, after } = change;
	const parentId = (after ?? before)?.parentId ?? null;
	if (after !== undefined) {
		await unfoldTo(workspace, id);
		if (putCaret(workspace, change)) return;
	}
	const isEdit = after !== undefined && before?.parentId === parentId;
	const goThere = async () => {
		if (after !== undefined) await goToNode(workspace, id);
		else if (parentId === null) await workspace.zoom(null);
		else await goToNode(workspace, parentId);
		if (after !== undefined) putCaret(workspace, change);
	};
	message.set({
		text: `${direction === "undo" ? "Undone" : "Redone"} ${await placeName(workspace, isEdit ? id : parentId)}.`,
		isError: false,
		action: { label: "Show", run: () => void goThere().catch((error) => workspace.tell(error)) },
	});
}

/** A node as a place, in words. */
async function placeName({ outline }: Workspace, id: string | null): Promise<string> {
	if (id === null) return "at the top level";
	return `in “${shortName((await outline.get(id)).name)}”`;
}
