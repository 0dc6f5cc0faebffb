import { isBesideLines, placeNear } from "../text/caret.js";
import type { RowPositions } from "../view/row-positions.js";
import type { Focus } from "../workspace/focus.js";
import { titleKey, type Workspace } from "../workspace/workspace.js";

/** The elements around the texts. A press of one of them means the text beside it. */
const surroundings = ".page, .sheet, .title, .rows, .slot, .row, .texts";

/** The text nearest to a press beside all texts, and the place for the caret; undefined for other presses. */
export function nearestText(event: MouseEvent, workspace: Workspace, positions: RowPositions): Focus | undefined {
	const { scroller } = positions;
	const { clientX: x, clientY: y, offsetX } = event;
	const target = event.target as HTMLElement;
	const isBeside = target.matches(surroundings) || (target.matches("[data-field]") && isBesideLines(target, y));
	const isOnScrollbar = target === scroller && offsetX >= scroller.clientWidth;
	if (event.button !== 0 || isOnScrollbar || !isBeside) return undefined;
	const { rows } = workspace.rows.current;
	const last = rows.at(-1);
	if (last !== undefined && y > positions.bottom) {
		return { key: last.key, field: last.node.note === null ? "name" : "note", caret: "end" };
	}
	const isTitle = workspace.root !== null && (last === undefined || y < positions.top);
	const key = isTitle ? titleKey : rows[positions.at(y).index]?.key;
	if (key === undefined) return undefined;
	const fields = [...scroller.querySelectorAll<HTMLElement>(`[data-field][data-key="${CSS.escape(key)}"]`)];
	const field = fields.findLast((each) => each.getBoundingClientRect().top <= y) ?? fields[0];
	if (field === undefined) return undefined;
	return { key, field: field.dataset.field === "note" ? "note" : "name", caret: placeNear(field, x, y) };
}
