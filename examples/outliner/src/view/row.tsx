import "./row.css";
import "./check.css";
import type { Row } from "outlinekit/live";
import { useMemo } from "preact/hooks";
import { hasMod } from "../commands/keyboard.js";
import { completeOrReopen } from "../commands/structure.js";
import { wordsOf } from "../text/words.js";
import { isMirror } from "../workspace/node.js";
import { addressOf } from "../workspace/place.js";
import { titleKey } from "../workspace/workspace.js";
import { useEditor } from "./context.js";
import { Field } from "./field.js";
import { useLive } from "./rendering.js";

interface RowViewProps {
	readonly row: Row;
	readonly selected: boolean;
	readonly placeholder: string | undefined;
	/** Whether its note shows, although there is none yet. */
	readonly writesNote: boolean;
	/** Its place among its siblings, from 1. */
	readonly place: number;
	/** The number of its siblings, with itself. */
	readonly count: number;
	/** The number of rows directly below it that show. */
	readonly below: number;
}

/** The id of a row's element. */
export const elementId = (key: string) => `row-${key}`;

/** One line of the outline. It renders only if a property differs, because most rows on the screen stay as they are. */
export function RowView(props: RowViewProps) {
	return useMemo(() => <Line {...props} />, Object.values(props));
}

function Line({ row, selected, placeholder, writesNote, place, count, below }: RowViewProps) {
	const { workspace } = useEditor();
	const { node, key, depth, expanded, hasChildren, recurring } = row;
	const { id, layoutMode, completed } = node;
	const filter = useLive(workspace.filter);
	const isHit = filter?.hits.has(id) === true;
	const found = useMemo(() => (isHit ? wordsOf(filter.query) : []), [isHit, filter?.query]);
	const classes = [
		"row",
		layoutMode,
		completed && "completed",
		selected && "selected",
		isMirror(node) && "mirror",
		!isHit && filter?.above?.has(id) && "above-hits",
	];
	const element = elementId(key);
	const told = stateOf(row, below);
	return (
		// biome-ignore lint/a11y/useFocusableInteractive: the focus is in the texts of the row, or on the tree
		<div
			id={element}
			class={classes.filter(Boolean).join(" ")}
			style={{ "--depth": depth }}
			role="treeitem"
			aria-labelledby={`${element}-name`}
			// Of a row without a text.
			aria-label="Untitled"
			aria-describedby={told && `${element}-state`}
			aria-level={depth + 1}
			aria-posinset={place}
			aria-setsize={count}
			aria-selected={selected}
			aria-expanded={hasChildren ? expanded : undefined}
			data-row={key}
		>
			<FoldButton row={row} />
			<Bullet row={row} />
			{layoutMode === "todo" && <Checkbox row={row} />}
			<Texts
				row={row}
				position={`Level ${depth + 1}, ${place} of ${count}`}
				state={told && `${element}-state`}
				placeholder={placeholder}
				hasNote={node.note !== null || writesNote}
				found={found}
			/>
			{told && (
				<span id={`${element}-state`} hidden>
					{told}
				</span>
			)}
			{recurring && (
				<span class="recurring" title="This node is shown above already, so it doesn’t unfold again here">
					↻
				</span>
			)}
			<MirrorCount row={row} />
		</div>
	);
}

interface PartProps {
	readonly row: Row;
}

interface TextsProps extends PartProps {
	/** The place of the row in words. */
	readonly position: string;
	/** The id of the element with the state of the row. */
	readonly state: string | undefined;
	readonly placeholder: string | undefined;
	readonly hasNote: boolean;
	/** The words of the query that has found the node. */
	readonly found: readonly string[];
}

/**
 * The name and the note of a row. The name of a row, for screen readers, is its text. During writing they read the
 * text too, but don't tell the level of the row. So the name of each field is its place.
 */
function Texts({ row: { node, key }, position, state, placeholder, hasNote, found }: TextsProps) {
	const element = elementId(key);
	const shown = { node, rowKey: key, found };
	return (
		<>
			<div class="texts">
				<Field
					{...shown}
					field="name"
					label={position}
					ids={{ own: `${element}-name`, label: `${element}-place`, more: state }}
					placeholder={placeholder}
				/>
				{hasNote && (
					<Field
						{...shown}
						field="note"
						label="Note"
						ids={{ own: `${element}-note`, label: `${element}-note-place`, more: undefined }}
						placeholder="Note"
					/>
				)}
			</div>
			<span id={`${element}-place`} hidden>
				{position}
			</span>
			{hasNote && (
				<span id={`${element}-note-place`} hidden>
					Note of {position}
				</span>
			)}
		</>
	);
}

function FoldButton({ row: { node, key, expanded, hasChildren, recurring } }: PartProps) {
	const editor = useEditor();
	const element = elementId(key);
	return (
		<button
			type="button"
			class="fold"
			tabIndex={-1}
			id={`${element}-fold`}
			aria-label={expanded ? "Collapse" : "Expand"}
			aria-labelledby={`${element}-fold ${element}-name`}
			hidden={!hasChildren || (recurring && !isMirror(node))}
			// The caret stays where it is.
			onMouseDown={(event) => event.preventDefault()}
			onClick={() => void editor.run({ settles: false, run: () => editor.workspace.expand([node.id], !expanded) })}
		/>
	);
}

function Bullet({ row: { node, key, expanded, hasChildren } }: PartProps) {
	const editor = useEditor();
	const element = elementId(key);
	const zoom = (event: MouseEvent) => {
		// The browser opens a tab.
		if (hasMod(event)) return;
		event.preventDefault();
		const title = { key: titleKey, field: "name", caret: "end" } as const;
		void editor.run({ run: () => editor.workspace.zoom(node.id, title) });
	};
	return (
		<a
			class={hasChildren && !expanded ? "bullet filled" : "bullet"}
			href={addressOf(node.id)}
			tabIndex={-1}
			id={`${element}-bullet`}
			aria-labelledby={`${element}-bullet ${element}-name`}
			title={`${isMirror(node) ? "Mirror: click" : "Click"} to zoom in, drag to move, right-click for the menu`}
			draggable={false}
			data-drag={key}
			onClick={zoom}
		>
			<span class="unseen">{isMirror(node) ? "Go to this mirror:" : "Go to"}</span>
		</a>
	);
}

function Checkbox({ row: { node, key } }: PartProps) {
	const editor = useEditor();
	const element = elementId(key);
	const toggle = () => {
		const { selection } = editor.workspace;
		selection.set({ anchor: key, head: key });
		void editor.run(completeOrReopen).then(() => selection.set(null));
	};
	return (
		<input
			type="checkbox"
			class="check"
			tabIndex={-1}
			id={`${element}-check`}
			aria-label="Completed:"
			aria-labelledby={`${element}-check ${element}-name`}
			checked={node.completed}
			onChange={toggle}
		/>
	);
}

/** The number of places that show a node with mirrors. */
function MirrorCount({ row: { node } }: PartProps) {
	const { workspace } = useEditor();
	if (node.mirror?.mirrorIds === undefined) return null;
	const count = node.mirror.mirrorIds.length + 1;
	return (
		<button
			type="button"
			class="mirrors"
			tabIndex={-1}
			title={`Shown in ${count} places: click to see them`}
			onMouseDown={(event) => event.preventDefault()}
			onClick={() => workspace.dialog.set({ type: "places", id: node.id })}
		>
			{count}
			<span class="unseen"> places</span>
		</button>
	);
}

/** The state of a row in words, for screen readers; undefined if there is nothing to say. */
function stateOf({ node, hasChildren, expanded, recurring }: Row, below: number): string | undefined {
	const parts = [
		node.completed && "completed",
		isMirror(node) && "mirror",
		node.note !== null && "with a note",
		recurring && "shown above already",
		hasChildren && (expanded ? `${below} below` : "folded"),
	];
	return parts.filter(Boolean).join(", ") || undefined;
}
