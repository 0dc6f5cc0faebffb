import { lengthOf, select, spanIn } from "../text/caret.js";
import { activeField } from "../text/field.js";
import { extended, widened } from "../workspace/selection.js";
import { titleKey, type Workspace } from "../workspace/workspace.js";
import type { Command } from "./command.js";

const isSelecting = ({ selection }: Workspace) => selection.current !== null;

/** Selects whole rows: first the row with the caret, and then one more each time. */
export function extend({ selection, rows, focus }: Workspace, direction: -1 | 1): void {
	const { current } = selection;
	if (current !== null) {
		selection.set(extended(rows.current.rows, current, direction));
		return;
	}
	const key = focus.current?.key;
	if (key === undefined || key === titleKey) return;
	activeField()?.blur();
	selection.set({ anchor: key, head: key });
}

/** Selects more each time: the text, its row, the siblings of that, the row above these, and so on. */
function selectMore(workspace: Workspace): void {
	const { selection, focus } = workspace;
	const { rows } = workspace.rows.current;
	if (selection.current !== null) {
		selection.set(widened(rows, selection.current));
		return;
	}
	const field = activeField()!;
	const span = spanIn(field);
	const length = lengthOf(field);
	if (length > 0 && (span === undefined || span.end - span.start < length)) select(field, { start: 0, end: length });
	else if (focus.current?.key !== titleKey) extend(workspace, 1);
	else if (rows.length > 0) {
		field.blur();
		selection.set({ anchor: rows[0]!.key, head: rows.findLast(({ depth }) => depth === 0)!.key });
	}
}

export const selectionCommands: readonly Command[] = [
	{
		label: "Select more",
		keys: ["Mod+A"],
		when: (workspace) => isSelecting(workspace) || activeField() !== null,
		settles: false,
		run: selectMore,
	},
];
