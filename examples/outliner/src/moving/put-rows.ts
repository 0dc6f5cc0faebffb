import type { BatchOperation } from "outlinekit";
import type { Row } from "outlinekit/live";
import { keepingPlace } from "../commands/structure.js";
import { select, spanIn } from "../text/caret.js";
import { activeField } from "../text/field.js";
import { flush } from "../view/rendering.js";
import { mirrorOperations, type Place } from "../workspace/destination.js";
import { originIdOf } from "../workspace/node.js";
import type { Workspace } from "../workspace/workspace.js";
import type { Drop } from "./drop.js";

/**
 * Moves rows to a place, or puts mirrors of them there, in one step. The selection and the caret stay with
 * them.
 */
export async function putRows(
	workspace: Workspace,
	rows: readonly Row[],
	{ parent, after }: Drop,
	mirrors: boolean,
): Promise<void> {
	const operations = mirrors ? mirrorsOf(workspace, rows, parent, after) : movesOf(workspace, rows, parent, after);
	const work = async () => {
		await workspace.outline.batch(operations);
		if (parent !== null && !parent.expanded) await workspace.expand([parent.node.id]);
	};
	const { focus, selection } = workspace;
	if (!mirrors && (selection.current !== null || rows.some(({ key }) => key === focus.current?.key))) {
		await keepingPlace(workspace, parent, work);
		return;
	}
	// The caret may be far off the screen. It stays there, and the page where it is.
	const field = activeField();
	const span = field === null ? undefined : spanIn(field);
	await work();
	flush();
	if (field === null || span === undefined || activeField() === field || !field.isConnected) return;
	field.focus({ preventScroll: true });
	select(field, span);
}

function movesOf({ root }: Workspace, rows: readonly Row[], parent: Row | null, after: Row | null): BatchOperation[] {
	const node = parent?.node ?? root;
	// Beside a sibling they get its parent, whichever row shows that.
	const top = { parent: node === null ? null : originIdOf(node), position: "top" } as const;
	return rows.map((row, index): BatchOperation => {
		const before = rows[index - 1] ?? after;
		return { type: "move", ref: row.node.id, ...(before === null ? top : { position: { after: before.node.id } }) };
	});
}

function mirrorsOf({ root }: Workspace, rows: readonly Row[], parent: Row | null, after: Row | null): BatchOperation[] {
	const parentId = parent?.node.id ?? root?.id ?? null;
	let place: Place = { parent: parentId, position: after === null ? "top" : { after: after.node.id } };
	return rows.flatMap(({ node }, index) => {
		const operations = mirrorOperations(node.id, `${index}`, place);
		place = { parent: parentId, position: { after: { as: `${index}` } } };
		return operations;
	});
}
