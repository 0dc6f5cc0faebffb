import "./page.css";
import type { OutlineNode } from "outlinekit";
import type { Row } from "outlinekit/live";
import type { ComponentChildren, RefObject } from "preact";
import { useLayoutEffect, useMemo, useReducer, useRef, useState } from "preact/hooks";
import { heldSelection, placeCaret } from "../text/caret.js";
import type { Focus } from "../workspace/focus.js";
import { differenceOf } from "../workspace/rows-difference.js";
import { coveredKeys, selectedRows } from "../workspace/selection.js";
import { titleKey, type Workspace } from "../workspace/workspace.js";
import { useEditor } from "./context.js";
import { Field } from "./field.js";
import { keepInView } from "./keep-in-view.js";
import { useKeptPlace } from "./kept-place.js";
import { useMotion } from "./motion.js";
import { useLive } from "./rendering.js";
import { elementId, RowView } from "./row.js";
import { RowPositions } from "./row-positions.js";
import { isTouch } from "./touch.js";
import { Places } from "./tree-places.js";
import { type Item, Viewport } from "./viewport.js";

/** The height of rows before their first rendering, in pixels. */
const heights: { readonly [layoutMode: string]: number } = { h1: 49, h2: 41, h3: 36 };
const usualHeight = isTouch ? 36 : 32;

/** The text in the only row while it is empty. */
const firstSteps = isTouch
	? "Write here. Enter makes a new line, the arrows above the keyboard move it in and out."
	: "Write here. Enter makes a new line, Tab puts it below the one before. F1 shows all keys.";

interface TreeProps {
	/** Elements among the rows, at their places. */
	readonly among: (positions: RowPositions) => ComponentChildren;
	/** Elements below the rows. */
	readonly children?: ComponentChildren;
}

/** The visible node, and the rows below it. */
export function Tree({ among, children }: TreeProps) {
	const editor = useEditor();
	const { workspace } = editor;
	const { root, rows } = useLive(workspace.rows);
	const focus = useLive(workspace.focus);
	const selection = useLive(workspace.selection);
	const scroller = useRef<HTMLElement>(null);
	const list = useRef<HTMLDivElement>(null);
	const key = selection?.head ?? focus?.key;
	const focused = useMemo(() => indexOf(workspace, rows, key), [rows, key]);
	const { viewport, places } = useFollowing(rows);
	const selected = useMemo(
		() => coveredKeys(rows, selection === null ? [] : selectedRows(rows, selection)),
		[rows, selection],
	);
	const items = viewport.items(focused);
	// The document still shows the rows before.
	const restoreSelection = heldSelection();
	const positions = useMemo(() => new RowPositions(scroller, list, viewport), [viewport]);

	const show = (index: number) => {
		if (index >= 0) viewport.scrollTo(index);
	};

	useLayoutEffect(() => viewport.attach(scroller.current!, list.current!), [viewport]);
	useLayoutEffect(() => viewport.settle());
	useLayoutEffect(() => {
		workspace.look(items.map(({ index }) => rows[index]!));
	}, [rows, items[0]?.index, items.at(-1)?.index]);
	useCaret(scroller, list, () => show(focused));
	useSight((before) => show(indexOf(workspace, rows, before)));
	useLayoutEffect(() => keepInView(scroller.current!), []);
	const isKept = useKeptPlace({ scroller: () => scroller.current, rows, key, isMeant: editor.isBusy });
	useMotion({ root, rows, items, isStill: isKept, sheet: () => list.current!.parentElement! });

	return (
		<main ref={scroller} class="page" tabIndex={-1}>
			<div class="sheet">
				{root !== null && root !== undefined && (
					<Title node={root} writesNote={focus?.key === titleKey && focus.field === "note"} />
				)}
				<Rows
					list={list}
					height={viewport.total}
					active={selection === null || focused < 0 ? undefined : selection.head}
					onShown={restoreSelection}
				>
					{items.map((item) => (
						<Slot key={item.key} {...{ item, rows, viewport, places, selected, focus }} />
					))}
					{among(positions)}
				</Rows>
				<AddButton />
				{children}
			</div>
		</main>
	);
}

interface RowsProps {
	readonly list: { current: HTMLDivElement | null };
	/** The height of all rows, in the document or not. */
	readonly height: number;
	/** The key of the row that the user has selected last; undefined if none is selected. */
	readonly active: string | undefined;
	/** Called when the rows are in the document. Their fields may still show other texts. */
	readonly onShown: () => void;
	readonly children: ComponentChildren;
}

/** The list of the rows, with those on the screen. */
function Rows({ list, height, active, onShown, children }: RowsProps) {
	return (
		<>
			<p id="rows-help" hidden>
				Tab indents. F6 leads out of the rows, F1 lists the keys.
			</p>
			<div
				ref={(element) => {
					list.current = element;
					if (element !== null) onShown();
				}}
				class="rows"
				role="tree"
				aria-label="Outline"
				aria-describedby="rows-help"
				aria-multiselectable
				tabIndex={-1}
				aria-activedescendant={active && elementId(active)}
				style={{ height: `${height}px` }}
			>
				{children}
			</div>
		</>
	);
}

interface SlotProps {
	readonly item: Item;
	readonly rows: readonly Row[];
	readonly viewport: Viewport;
	readonly places: Places;
	/** The keys of the selected rows. */
	readonly selected: ReadonlySet<string>;
	readonly focus: Focus | null;
}

/** A row at its place in the list. */
function Slot({ item: { index, start }, rows, viewport, places, selected, focus }: SlotProps) {
	const row = rows[index]!;
	return (
		<div
			class="slot"
			role="presentation"
			data-index={index}
			ref={viewport.observe}
			style={{ transform: `translateY(${start}px)` }}
		>
			<RowView
				row={row}
				selected={selected.has(row.key)}
				writesNote={focus?.key === row.key && focus.field === "note"}
				placeholder={rows.length > 1 ? undefined : firstSteps}
				place={places.of(index)}
				count={places.countOf(index)}
				below={places.below(index)}
			/>
		</div>
	);
}

/** The visible node above its rows. */
function Title({ node, writesNote }: { readonly node: OutlineNode; readonly writesNote: boolean }) {
	return (
		<header class={`title ${node.completed ? "completed" : ""}`}>
			<Field node={node} rowKey={titleKey} field="name" label="Name of this node" placeholder="Untitled" />
			{(node.note !== null || writesNote) && (
				<Field node={node} rowKey={titleKey} field="note" label="Note" placeholder="Note" />
			)}
		</header>
	);
}

/**
 * Puts the caret where the workspace wants it, and the focus on the list while rows are selected.
 *
 * @param show - scrolls to the row with the caret or to the end of the selection
 */
function useCaret(
	scroller: RefObject<HTMLElement | null>,
	list: RefObject<HTMLElement | null>,
	show: () => void,
): void {
	const { workspace } = useEditor();
	const focus = useLive(workspace.focus);
	const selection = useLive(workspace.selection);
	useLayoutEffect(() => {
		if (focus?.caret === undefined) return;
		show();
		const field = fieldOf(scroller.current!, focus.key, focus.field);
		if (field === null) return;
		field.focus({ preventScroll: focus.key !== titleKey });
		// An open dialog keeps the focus, and needs the selection.
		if (document.activeElement === field) placeCaret(field, focus.caret);
		// From here on the caret is where the person puts it.
		workspace.focus.set({ key: focus.key, field: focus.field });
	});
	useLayoutEffect(() => {
		if (selection === null) return;
		list.current!.focus({ preventScroll: true });
		show();
	}, [selection]);
}

/** Scrolls to the row that was on the screen before, when the user comes back to its page. */
function useSight(show: (key: string | undefined) => void): void {
	const { wayBack } = useEditor().workspace;
	const sight = useLive(wayBack.sight);
	useLayoutEffect(() => {
		show(sight ?? undefined);
		wayBack.sight.set(null);
	}, [sight]);
}

/** Follows the rows: the part of them on the screen, and their places among their siblings. */
function useFollowing(rows: readonly Row[]): { readonly viewport: Viewport; readonly places: Places } {
	const [, rerender] = useReducer((version: number) => version + 1, 0);
	const [known] = useState(() => ({
		rows: [] as readonly Row[],
		viewport: new Viewport(
			({ node }) => heights[node.layoutMode] ?? usualHeight,
			() => rerender(undefined),
		),
		places: new Places(),
	}));
	if (rows !== known.rows) {
		const difference = differenceOf(known.rows, rows);
		known.viewport.follow(rows, difference);
		known.places.follow(rows, difference);
		known.rows = rows;
	}
	return known;
}

/** The index of the row with a key; -1 if it doesn't show. */
function indexOf(workspace: Workspace, rows: readonly Row[], key: string | undefined): number {
	const row = key === undefined ? undefined : workspace.row(key);
	return row === undefined ? -1 : rows.indexOf(row);
}

/** Makes a node at the end. */
function AddButton() {
	const editor = useEditor();
	const { workspace } = editor;
	const add = async () => {
		const parent = workspace.root?.id ?? null;
		const { id } = await workspace.outline.create({ parent, name: "", format: "text", position: "bottom" });
		workspace.focus.set({ key: id, field: "name", caret: "start" });
	};
	return (
		<button type="button" class="add" onClick={() => void editor.run({ run: add })}>
			<span aria-hidden="true">+</span>
			<span class="hint">New node</span>
		</button>
	);
}

/** The field of a row, if it is there. */
function fieldOf(within: HTMLElement, key: string, field: string): HTMLElement | null {
	return within.querySelector(`[data-field="${field}"][data-key="${CSS.escape(key)}"]`);
}
