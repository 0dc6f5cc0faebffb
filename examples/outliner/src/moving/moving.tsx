import "./moving.css";
import type { Row } from "outlinekit/live";
import { toText } from "outlinekit/markup";
import { useEffect, useLayoutEffect, useMemo } from "preact/hooks";
import { openMenu } from "../commands/menu.js";
import { isNowhere } from "../commands/navigation.js";
import { useEditor } from "../view/context.js";
import { flush, useLive } from "../view/rendering.js";
import type { RowPositions } from "../view/row-positions.js";
import { endOf } from "../workspace/selection.js";
import type { Workspace } from "../workspace/workspace.js";
import { Choosing } from "./choosing.js";
import { type Drag, Dragging } from "./dragging.js";
import { nearestText } from "./nearest.js";

/** The gestures of pointers on the rows of a list, and their display in the list. */
export function Moving({ positions }: { readonly positions: RowPositions }) {
	const editor = useEditor();
	const { workspace } = editor;
	const dragging = useMemo(() => new Dragging(editor, positions), [editor, positions]);
	const drag = useLive(dragging.drag);
	const { rows } = useLive(workspace.rows);
	useEffect(() => listen(dragging, new Choosing(workspace, positions), workspace, positions), [dragging]);
	if (drag === null) return null;
	const { drop, isRefused, mirrors } = drag;
	const first = drag.rows[0]!;
	const start = positions.topOf(rows.indexOf(first));
	const end = positions.topOf(endOf(rows, drag.rows.at(-1)!));
	return (
		<>
			{!mirrors && rows.includes(first) && (
				<div class="moved" style={{ top: `${start}px`, height: `${end - start}px` }} />
			)}
			<div
				class={isRefused ? "drop-mark refused" : "drop-mark"}
				data-depth={drop.depth}
				style={{ top: `${positions.topOf(drop.index)}px`, "--depth": drop.depth }}
			/>
			<Ghost drag={drag} />
		</>
	);
}

/** The dragged rows, beside the pointer. */
function Ghost({ drag: { rows, pointer, mirrors, isRefused } }: { readonly drag: Drag }) {
	const name = toText(rows[0]!.node.name) || "Untitled";
	const others = rows.length - 1;
	// A selector with `:has(.ghost)` would style the whole page again at each new row.
	useLayoutEffect(() => {
		const { classList } = document.documentElement;
		classList.add("dragging");
		return () => classList.remove("dragging");
	}, []);
	return (
		<div class={isRefused ? "ghost refused" : "ghost"} style={{ translate: `${pointer.x + 14}px ${pointer.y + 12}px` }}>
			{mirrors && <span class="guise">Mirror of </span>}
			<span class="what">{name}</span>
			{others > 0 && <span class="more">+{others}</span>}
			{isRefused && <span class="why">can’t go below itself</span>}
		</div>
	);
}

/** Listens for pointers among rows. Returns a function that ends it. */
function listen(dragging: Dragging, choosing: Choosing, workspace: Workspace, positions: RowPositions): () => void {
	const { scroller } = positions;
	const ended = new AbortController();
	const { signal } = ended;
	let isTaken = false;
	const onPointerDown = (down: PointerEvent) => {
		isTaken = false;
		if (down.button !== 0 || !down.isPrimary || !(down.target instanceof Element)) return;
		const row = rowAt(workspace, down.target);
		if (row === undefined) {
			if (down.target.closest("button, [data-field]") === null) workspace.selection.set(null);
		} else if (down.target.closest("[data-drag]") !== null) {
			// The caret stays where it is.
			isTaken = true;
			dragging.begin(down, row);
		} else if (down.pointerType === "touch" && down.target.closest("button, input") === null) {
			isTaken = choosing.tap(row, false);
		} else if (down.pointerType === "mouse" && down.target.closest("button, input, .texts a") === null) {
			isTaken = choosing.begin(down, row);
		}
	};
	scroller.addEventListener("pointerdown", onPointerDown, { signal });
	const onContextMenu = (event: MouseEvent) => {
		const bullet = (event.target as Element).closest("[data-drag]");
		const row = bullet === null ? undefined : rowAt(workspace, bullet);
		if (row === undefined) return;
		event.preventDefault();
		openMenu(workspace, row, event.clientX, event.clientY);
	};
	scroller.addEventListener("contextmenu", onContextMenu, { signal });
	// A finger that moves on scrolls, and makes no click.
	const onClick = (event: PointerEvent) => {
		const target = event.target as Element;
		if (!isTaken || event.pointerType !== "touch" || target.closest("[data-drag]") !== null) return;
		const row = rowAt(workspace, target);
		if (row === undefined) return;
		event.preventDefault();
		event.stopPropagation();
		choosing.tap(row, true);
	};
	scroller.addEventListener("click", (event) => onClick(event as PointerEvent), { signal, capture: true });
	const onMouseDown = (event: MouseEvent) => {
		const near = isTaken ? undefined : nearestText(event, workspace, positions);
		// Otherwise the browser takes the caret out of its text.
		if (isTaken || near !== undefined) event.preventDefault();
		if (near === undefined) return;
		workspace.focus.set(near);
		// Some browsers show a keyboard on the screen only if the focus moves during the event.
		flush();
	};
	scroller.addEventListener("mousedown", onMouseDown, { signal });
	scroller.addEventListener("click", (event) => returnCaret(workspace, event as PointerEvent), { signal });
	return () => ended.abort();
}

/** The row with an element in it. */
function rowAt(workspace: Workspace, element: Element): Row | undefined {
	const key = element.closest<HTMLElement>("[data-row]")?.dataset.row;
	return key === undefined ? undefined : workspace.row(key);
}

/** Returns the caret after a click on something else that takes no keys. */
function returnCaret(workspace: Workspace, { pointerType, target }: PointerEvent): void {
	const isIdle = pointerType === "mouse" && (target as Element).closest("a, button, input") === null;
	if (isIdle && isNowhere(workspace) && workspace.focus.current && getSelection()?.isCollapsed) workspace.resume();
}
