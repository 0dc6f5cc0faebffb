import "./row.css";
import "./check.css";
import type { Row } from "outlinekit/live";
import { useMemo } from "preact/hooks";
import { commands } from "../commands/commands.js";
import { wordsOf } from "../text/words.js";
import { isMirror } from "../workspace/node.js";
import { addressOf } from "../workspace/place.js";
import { titleKey } from "../workspace/workspace.js";
import { useEditor } from "./context.js";
import { Field } from "./field.js";
import { useLive } from "./rendering.js";

const complete = commands.find(({ keys }) => keys?.includes("Mod+Enter"))!;

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
	const editor = useEditor();
	const { workspace } = editor;
	const { node, key, depth, expanded, hasChildren, recurring } = row;
	const { id, layoutMode, completed, note, mirror } = node;
	const filter = useLive(workspace.filter);
	const isHit = filter?.hits.has(id) === true;
	const found = useMemo(() => (isHit ? wordsOf(filter.query) : []), [isHit, filter?.query]);
	const classes = [
		"row",
		layoutMode,
		completed && "completed",
		selected && "selected",
		isMirror(row.node) && "mirror",
		!isHit && filter?.above?.has(id) && "above-hits",
	];
	const zoom = (event: Event) => {
		event.preventDefault();
		void editor.run({ run: () => workspace.zoom(id, { key: titleKey, field: "name", caret: "end" }) });
	};
	const toggle = () => void editor.run({ settles: false, run: () => workspace.expand([id], !expanded) });
	const toggleCompleted = () => {
		workspace.selection.set({ anchor: key, head: key });
		void editor.run(complete).then(() => workspace.selection.set(null));
	};
	// The name of a row is its text. During writing, screen readers read the text too, but don't tell the level of
	// the row. So the name of the field is its place.
	const element = elementId(key);
	const name = `${element}-name`;
	const state = `${element}-state`;
	const position = `Level ${depth + 1}, ${place} of ${count}`;
	const hasNote = note !== null || writesNote;
	const told = stateOf(row, below);
	return (
		// biome-ignore lint/a11y/useFocusableInteractive: the focus is in the texts of the row, or on the tree
		<div
			id={element}
			class={classes.filter(Boolean).join(" ")}
			style={{ "--depth": depth }}
			role="treeitem"
			aria-labelledby={name}
			aria-describedby={told && state}
			aria-level={depth + 1}
			aria-posinset={place}
			aria-setsize={count}
			aria-selected={selected}
			aria-expanded={hasChildren ? expanded : undefined}
			data-row={key}
		>
			<button
				type="button"
				class="fold"
				tabIndex={-1}
				id={`${element}-fold`}
				aria-label={expanded ? "Collapse" : "Expand"}
				aria-labelledby={`${element}-fold ${name}`}
				hidden={!hasChildren || (recurring && !isMirror(row.node))}
				// The caret stays where it is.
				onMouseDown={(event) => event.preventDefault()}
				onClick={toggle}
			/>
			<a
				class={hasChildren && !expanded ? "bullet filled" : "bullet"}
				href={addressOf(id)}
				tabIndex={-1}
				id={`${element}-bullet`}
				aria-labelledby={`${element}-bullet ${name}`}
				title={
					isMirror(row.node)
						? "Mirror: click to zoom in, drag to move, right-click for the menu"
						: "Click to zoom in, drag to move, right-click for the menu"
				}
				draggable={false}
				data-drag={key}
				onClick={zoom}
			>
				<span class="unseen">{isMirror(node) ? "Go to this mirror:" : "Go to"}</span>
			</a>
			{layoutMode === "todo" && (
				<input
					type="checkbox"
					class="check"
					tabIndex={-1}
					id={`${element}-check`}
					aria-label="Completed:"
					aria-labelledby={`${element}-check ${name}`}
					checked={completed}
					onChange={toggleCompleted}
				/>
			)}
			<div class="texts">
				<Field
					node={node}
					rowKey={key}
					field="name"
					label={position}
					ids={{ own: name, label: `${element}-place`, more: told && state }}
					placeholder={placeholder}
					found={found}
				/>
				{hasNote && (
					<Field
						node={node}
						rowKey={key}
						field="note"
						label="Note"
						ids={{ own: `${element}-note`, label: `${element}-note-place`, more: undefined }}
						placeholder="Note"
						found={found}
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
			{told && (
				<span id={state} hidden>
					{told}
				</span>
			)}
			{recurring && (
				<span class="recurring" title="This node is shown above already, so it doesn’t unfold again here">
					↻
				</span>
			)}
			{mirror?.mirrorIds !== undefined && (
				<button
					type="button"
					class="mirrors"
					tabIndex={-1}
					title={`Shown in ${mirror.mirrorIds.length + 1} places: click to see them`}
					onMouseDown={(event) => event.preventDefault()}
					onClick={() => workspace.dialog.set({ type: "places", id })}
				>
					{mirror.mirrorIds.length + 1}
					<span class="unseen"> places</span>
				</button>
			)}
		</div>
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
