import type { BatchOperation } from "outlinekit";
import type { Row } from "outlinekit/live";
import { keepingPlace } from "../commands/structure.js";
import { select, spanIn } from "../text/caret.js";
import { activeField } from "../text/field.js";
import { flush } from "../view/rendering.js";
import type { Workspace } from "../workspace/workspace.js";
import type { Drop } from "./drop.js";
import { mirrorOperations, type Place } from "./place.js";

/** Moves rows to a place, or puts mirrors of them there, in one step. What is selected, and the caret, stay with them. */
export async function putRows(
	workspace: Workspace,
	rows: readonly Row[],
	{ parent, after }: Drop,
	mirrors: boolean,
): Promise<void> {
	const parentId = parent?.node.id ?? workspace.root?.id ?? null;
	const first: Place = { parent: parentId, position: after === null ? "top" : { after: after.node.id } };
	const operations = rows.flatMap(({ node }, index): BatchOperation[] => {
		const before = rows[index - 1]?.node.id;
		if (mirrors) {
			const place = index === 0 ? first : { parent: parentId, position: { after: { as: `${index - 1}` } } };
			return mirrorOperations(node.id, `${index}`, place);
		}
		const place = before === undefined ? first : { parent: parentId, position: { after: before } };
		return [{ type: "move", ref: node.id, ...place }];
	});
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
