import type { Row } from "outlinekit/live";
import type { Editor } from "../commands/editor.js";
import { openMenu } from "../commands/menu.js";
import type { RowPositions } from "../view/row-positions.js";
import { Cell } from "../workspace/cell.js";
import { coveredKeys } from "../workspace/selection.js";
import { type Drop, dropAt, isWithinItself } from "./drop.js";
import { follow, type Pointer, tremble } from "./gesture.js";
import { putRows } from "./put-rows.js";

/** The dragged rows, and their place if dropped now. */
export interface Drag {
	/** The outermost rows that are dragged. */
	readonly rows: readonly Row[];
	readonly pointer: Pointer;
	readonly drop: Drop;
	/** Whether mirrors of them would go there. */
	readonly mirrors: boolean;
	/** Whether it can't go there, because it would be below itself. */
	readonly isRefused: boolean;
}

/** The distance that a mouse must move to drag, in pixels. */
const threshold = 4;
/** The time that a pointer must rest on a row to unfold it, in milliseconds. */
const unfoldAfter = 600;

/** Drags rows by their bullets. */
export class Dragging {
	readonly drag = new Cell<Drag | null>(null);
	readonly #editor: Editor;
	readonly #positions: RowPositions;
	#hovered: string | undefined;
	#unfolding: ReturnType<typeof setTimeout> | undefined;

	constructor(editor: Editor, positions: RowPositions) {
		this.#editor = editor;
		this.#positions = positions;
	}

	/** Handles a pointer on the bullet of a row. */
	begin(down: PointerEvent, row: Row): void {
		const { workspace } = this.#editor;
		const { rows } = workspace.rows.current;
		const selected = workspace.selection.current === null ? [] : workspace.chosenRows;
		const dragged = coveredKeys(rows, selected).has(row.key) ? selected : [row];
		const keys = dragged.map(({ key }) => key);
		const { indentation } = this.#positions;
		const follows = (pointer: Pointer) => {
			const depth = dragged[0]!.depth + Math.round((pointer.x - down.clientX) / indentation);
			this.#follow(keys, pointer, depth);
		};
		let unsubscribe: (() => void) | undefined;
		let distance = 0;
		const end = () => {
			unsubscribe?.();
			this.#hover(undefined);
			this.drag.set(null);
		};
		follow(down, this.#positions.scroller, {
			begins: (from, to) => Math.hypot(to.x - from.x, to.y - from.y) >= threshold,
			move: (pointer) => {
				distance = Math.max(distance, Math.hypot(pointer.x - down.clientX, pointer.y - down.clientY));
				follows(pointer);
				unsubscribe ??= workspace.rows.subscribe(() => {
					if (this.drag.current !== null) follows(this.drag.current.pointer);
				});
			},
			end: () => {
				const { current } = this.drag;
				end();
				// A finger that has only rested wants the menu. The mouse events that follow its lifting would close it.
				if (distance < tremble) setTimeout(() => openMenu(workspace, row, down.clientX, down.clientY));
				else if (current !== null) this.#put(current);
			},
			cancel: end,
		});
	}

	/** Works out where it would go from where the pointer is. */
	#follow(keys: readonly string[], pointer: Pointer, depth: number): void {
		const { workspace } = this.#editor;
		const { rows } = workspace.rows.current;
		const dragged = keys.map((key) => workspace.row(key)).filter((row) => row !== undefined);
		if (dragged.length === 0) {
			// Another tab has deleted it.
			this.drag.set(null);
			return;
		}
		const mirrors = pointer.altKey;
		const covered = coveredKeys(rows, dragged);
		const { index, isLower } = this.#positions.at(pointer.y);
		const drop = dropAt(rows, isLower ? index + 1 : index, depth, mirrors ? new Set() : covered);
		const line: Row[] = [];
		for (let above = drop.parent; above; above = (above.parentKey && workspace.row(above.parentKey)) || null) {
			line.push(above);
		}
		const nodes = [...line.map(({ node }) => node), ...(workspace.root === null ? [] : [workspace.root])];
		const isRefused = dragged.some(({ node }) => isWithinItself(node, nodes, mirrors));
		this.drag.set({ rows: dragged, pointer, drop, mirrors, isRefused });
		const over = rows[index];
		this.#hover(over?.hasChildren && !over.expanded && !over.recurring && !covered.has(over.key) ? over : undefined);
	}

	/** Unfolds a row if the pointer rests on it. */
	#hover(row: Row | undefined): void {
		if (row?.key === this.#hovered) return;
		clearTimeout(this.#unfolding);
		this.#hovered = row?.key;
		if (row === undefined) return;
		const { workspace } = this.#editor;
		this.#unfolding = setTimeout(
			() => void this.#editor.run({ settles: false, run: () => workspace.expand([row.node.id]) }),
			unfoldAfter,
		);
	}

	#put({ rows, drop, mirrors, isRefused }: Drag): void {
		const { workspace } = this.#editor;
		if (isRefused) workspace.message.set({ text: "A node can't move below itself.", isError: false });
		else void this.#editor.do(() => putRows(workspace, rows, drop, mirrors));
	}
}
