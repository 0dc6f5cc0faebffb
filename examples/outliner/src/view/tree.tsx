import type { Row } from "outlinekit/live";
import { useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { Lines } from "../moving/lines.js";
import { Moving } from "../moving/moving.js";
import { placeCaret } from "../text/caret.js";
import { isTouch, Welcome } from "../welcome/welcome.js";
import { coveredKeys, selectedRows } from "../workspace/selection.js";
import { titleKey } from "../workspace/workspace.js";
import { useEditor, useWorkspace } from "./context.js";
import { Field } from "./field.js";
import { useLive } from "./rendering.js";
import { RowView } from "./row.js";
import { useVirtual } from "./virtual.js";

/** The height of rows before their first rendering, in pixels. */
const heights: { readonly [layoutMode: string]: number } = { h1: 48, h2: 42, h3: 36 };
const usualHeight = 32;

/** The visible node, and the rows below it. */
export function Tree() {
	const workspace = useWorkspace();
	const { root, rows } = useLive(workspace.rows);
	const focus = useLive(workspace.focus);
	const selection = useLive(workspace.selection);
	useLive(workspace.saves.state);
	const scroller = useRef<HTMLElement>(null);
	const list = useRef<HTMLDivElement>(null);
	const [margin, setMargin] = useState(0);
	const focused = useMemo(() => rows.findIndex(({ key }) => key === focus?.key), [rows, focus?.key]);
	const keys = useKeys(rows);
	const places = useMemo(() => placesOf(rows), [keys]);
	const selected = useMemo(
		() => coveredKeys(rows, selection === null ? [] : selectedRows(rows, selection)),
		[rows, selection],
	);
	const virtualizer = useVirtual({
		keys,
		estimate: (index) => heights[rows[index]!.node.layoutMode] ?? usualHeight,
		scroller: () => scroller.current,
		margin,
		kept: focused,
	});
	const items = virtualizer.getVirtualItems();
	const lines = useMemo(() => new Lines(scroller, list, virtualizer), [virtualizer]);

	useLayoutEffect(() => {
		const top = list.current!.offsetTop;
		if (top !== margin) setMargin(top);
	});
	useLayoutEffect(() => workspace.look(items.map(({ index }) => rows[index]!)));
	useLayoutEffect(() => {
		if (focus?.caret === undefined) return;
		if (focused >= 0) virtualizer.scrollToIndex(focused, { align: "auto" });
		const field = fieldOf(scroller.current!, focus.key, focus.field);
		if (field === null) return;
		field.focus({ preventScroll: focus.key !== titleKey });
		placeCaret(field, focus.caret);
		// From here on the caret is where the person puts it.
		workspace.focus.set({ key: focus.key, field: focus.field });
	});
	useLayoutEffect(() => {
		if (selection === null) return;
		scroller.current!.focus({ preventScroll: true });
		const head = rows.findIndex(({ key }) => key === selection.head);
		if (head >= 0) virtualizer.scrollToIndex(head, { align: "auto" });
	}, [selection]);

	return (
		<main ref={scroller} class="page" tabIndex={-1}>
			<div class="sheet">
				{root !== null && root !== undefined && (
					<header class={`title ${root.completed ? "completed" : ""}`}>
						<Field node={root} rowKey={titleKey} field="name" label="Name of this node" placeholder="Untitled" />
						{(root.note !== null || (focus?.key === titleKey && focus.field === "note")) && (
							<Field node={root} rowKey={titleKey} field="note" label="Note" placeholder="Note" />
						)}
					</header>
				)}
				<div
					ref={list}
					class="rows"
					role="tree"
					aria-label="Outline"
					aria-multiselectable
					style={{ height: `${virtualizer.getTotalSize()}px` }}
				>
					{items.map(({ index, key, start }) => {
						const row = rows[index]!;
						return (
							<div
								key={key}
								class="slot"
								role="presentation"
								data-index={index}
								ref={(element) => virtualizer.measureElement(element)}
								style={{ transform: `translateY(${start - margin}px)` }}
							>
								<RowView
									row={row}
									selected={selected.has(row.key)}
									writesNote={focus?.key === row.key && focus.field === "note"}
									placeholder={
										rows.length > 1
											? undefined
											: isTouch
												? "Write here. Enter makes a new line, the arrows below move it in and out."
												: "Write here. Enter makes a new line, Tab puts it below the one before. F1 shows all keys."
									}
									place={places[index]!}
								/>
							</div>
						);
					})}
					<Moving lines={lines} />
				</div>
				<AddButton />
				<Welcome />
			</div>
		</main>
	);
}

/** The keys of rows: the same array as before if they are the same. */
function useKeys(rows: readonly Row[]): readonly string[] {
	const before = useRef<readonly string[]>([]);
	return useMemo(() => {
		const known = before.current;
		const isSame = rows.length === known.length && rows.every(({ key }, index) => key === known[index]);
		if (!isSame) before.current = rows.map(({ key }) => key);
		return before.current;
	}, [rows]);
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

/** For each row its place among its siblings, from 1, and how many these are. */
function placesOf(rows: readonly Row[]): [number, number][] {
	const counts = new Map<string | null, number>();
	const places = rows.map(({ parentKey }): [number, number] => {
		const place = (counts.get(parentKey) ?? 0) + 1;
		counts.set(parentKey, place);
		return [place, 0];
	});
	for (const [index, { parentKey }] of rows.entries()) places[index]![1] = counts.get(parentKey)!;
	return places;
}
