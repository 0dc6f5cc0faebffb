import type { OutlineChange, OutlineNode } from "outlinekit";
import { toText } from "outlinekit/markup";
import type { CopiedNode } from "../clipboard/copied-node.js";
import { makingOf } from "../clipboard/making.js";
import { unfold, withKnownOrigins } from "../clipboard/put-nodes.js";
import type { Place } from "../moving/place.js";
import { caretOffset, fieldText } from "../text/field.js";
import { escaped } from "../text/fragment.js";
import type { Editor } from "../workspace/editor.js";
import { siblingOf } from "../workspace/rows.js";
import type { TextField } from "../workspace/saves.js";
import type { Workspace } from "../workspace/workspace.js";
import { codeOf } from "./faults.js";
import { KeptLetters } from "./kept-letters.js";

/**
 * Notifies the user when another tab or device deletes the node that they are writing in. Offers to restore it
 * with its subtree and the typed text, including the letters typed after the deletion. To be called before rows
 * show, so that the row still exists at the event.
 */
export function watchDeletions(editor: Editor): void {
	const { workspace } = editor;
	const { outline, focus, saves, message, preferences } = workspace;
	let letters: KeptLetters | undefined;
	outline.subscribe(({ source, changes }) => {
		const { current } = focus;
		const node = workspace.focusedNode;
		if (source !== "remote" || current === null || node === null) return;
		if (!changes.some(({ id, after }) => id === node.id && after === undefined)) return;
		const row = workspace.row(current.key);
		const before = row && siblingOf(workspace, row, -1)?.node.id;
		const text = fieldText(current) ?? saves.draft(node.id, current.field);
		const copied = copyOfGone(node, changes, current.field, text, preferences.expanded);
		const { name: fragment, note } = copied[0]!;
		const caret = caretOffset();
		const putBack = () =>
			editor.do(async () => {
				const id = await createAgain(workspace, copied, node.parentId, before);
				message.set(null);
				kept.close();
				const key = workspace.rowOf(id)?.key;
				if (key !== undefined) {
					focus.set({ key, field: current.field, caret });
					editor.type(kept.keys);
				} else if (kept.text !== "") {
					const more = current.field === "name" ? escaped(kept.text) : kept.text;
					await outline.update(id, { [current.field]: (text ?? "") + more });
				}
			});
		const name = toText(fragment);
		const deleted = `“${name.length > 40 ? `${name.slice(0, 40)}…` : name || "Untitled"}”, which you were in, was deleted elsewhere.`;
		const tell = () =>
			message.set({
				text: kept.text === "" ? deleted : `${deleted} What you have typed since is kept: “${kept.text.trim()}”.`,
				isError: true,
				action: { label: "Put it back", run: () => void putBack() },
			});
		letters?.close();
		const kept = new KeptLetters(workspace, tell);
		letters = kept;
		if (copied.length > 1 || fragment !== "" || note !== null) tell();
	});
}

/**
 * A node that is gone, with all that went from below it.
 *
 * @param text - what has been written in one of its fields; undefined if nothing
 */
function copyOfGone(
	node: OutlineNode,
	changes: readonly OutlineChange[],
	field: TextField,
	text: string | undefined,
	expanded: ReadonlySet<string>,
): CopiedNode[] {
	const children = new Map<string | null, OutlineNode[]>();
	for (const { before, after } of changes) {
		if (before === undefined || after !== undefined) continue;
		const siblings = children.get(before.parentId);
		if (siblings === undefined) children.set(before.parentId, [before]);
		else siblings.push(before);
	}
	const copied: CopiedNode[] = [];
	const stack: [OutlineNode, number][] = [[text === undefined ? node : { ...node, [field]: text }, 0]];
	for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
		const [{ id, name, note, layoutMode, completed, mirror }, depth] = next;
		const originId = mirror?.originId ?? null;
		copied.push({ depth, name, note: note || null, layoutMode, completed, expanded: expanded.has(id), originId });
		const below = (children.get(id) ?? []).sort((left, right) => right.priority - left.priority);
		for (const child of below) stack.push([child, depth + 1]);
	}
	return copied;
}

/** Creates nodes like some deleted ones, behind their old sibling, or as near to it as possible. */
async function createAgain(
	workspace: Workspace,
	copied: readonly CopiedNode[],
	parent: string | null,
	before: string | undefined,
): Promise<string> {
	const places: Place[] = [
		...(before === undefined ? [] : [{ parent, position: { after: before } }]),
		{ parent, position: "top" },
		{ parent: null, position: "bottom" },
	];
	const nodes = await withKnownOrigins(workspace, copied);
	for (const place of places) {
		const making = makingOf(nodes, place);
		try {
			const made = making.made(await workspace.outline.batch([...making.operations]));
			await unfold(workspace, made);
			return made[0]!.id;
		} catch (error) {
			// Its siblings and its parent may be deleted too.
			const code = codeOf(error);
			if ((code !== "not_found" && code !== "invalid_argument") || place === places.at(-1)) throw error;
		}
	}
	throw new Error("There is always a place at the top level.");
}
