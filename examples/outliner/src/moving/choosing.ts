import type { Row } from "outlinekit/live";
import { hasMod } from "../commands/keyboard.js";
import { activeField } from "../text/field.js";
import { pieceAt } from "../text/pieces.js";
import type { RowPositions } from "../view/row-positions.js";
import { titleKey, type Workspace } from "../workspace/workspace.js";
import { follow } from "./gesture.js";

/**
 * Selects rows: with the mouse by dragging from one text to another, and by clicks with Shift or Mod; with a
 * finger by a tap, if one is selected.
 */
export class Choosing {
	readonly #workspace: Workspace;
	readonly #positions: RowPositions;

	constructor(workspace: Workspace, positions: RowPositions) {
		this.#workspace = workspace;
		this.#positions = positions;
	}

	/** The mouse was pressed on a row. Gives whether the browser is to leave it alone. */
	begin(down: PointerEvent, row: Row): boolean {
		const { selection, focus } = this.#workspace;
		const { current } = selection;
		const written = focus.current?.key === titleKey ? undefined : focus.current?.key;
		if (down.shiftKey && (current !== null || (written !== undefined && written !== row.key))) {
			const anchor = current?.anchor ?? written!;
			this.#select(anchor, row.key);
			this.#follow(down, anchor);
			return true;
		}
		const field = (down.target as Element).closest<HTMLElement>("[data-field]");
		// A click follows a tag or an address.
		const leads = field !== null && pieceAt(field, down.clientX, down.clientY) !== undefined;
		if (hasMod(down) && !leads) {
			const isAlone = current?.anchor === row.key && current.head === row.key;
			if (isAlone) selection.set(null);
			else this.#select(row.key, row.key);
			return true;
		}
		this.#follow(down, row.key);
		return false;
	}

	/**
	 * Handles a finger on a row, or lifted from it. If rows are selected, extends the selection to it. Returns
	 * whether it did.
	 */
	tap(row: Row, isLifted: boolean): boolean {
		const { selection } = this.#workspace;
		const { current } = selection;
		if (current === null) return false;
		if (isLifted && current.anchor === row.key && current.head === row.key) selection.set(null);
		else if (isLifted) this.#select(current.anchor, row.key);
		return true;
	}

	#select(anchor: string, head: string): void {
		const { current } = this.#workspace.selection;
		if (current?.anchor === anchor && current.head === head) return;
		activeField()?.blur();
		getSelection()?.removeAllRanges();
		this.#workspace.selection.set({ anchor, head });
	}

	#follow(down: PointerEvent, anchor: string): void {
		const { scroller } = this.#positions;
		const rowAt = (y: number) => this.#workspace.rows.current.rows[this.#positions.at(y).index]?.key;
		const end = () => scroller.classList.remove("choosing");
		follow(down, scroller, {
			begins: (_, { y }) => rowAt(y) !== anchor,
			move: ({ y }) => {
				// The browser would go on selecting text.
				scroller.classList.add("choosing");
				const head = rowAt(y);
				if (head !== undefined) this.#select(anchor, head);
			},
			end,
			cancel: () => {
				end();
				this.#workspace.selection.set(null);
			},
		});
	}
}
