import type { Row } from "outlinekit/live";
import { commands } from "../commands/commands.js";
import { isMirror } from "../workspace/node.js";
import { addressOf } from "../workspace/place.js";
import { titleKey } from "../workspace/workspace.js";
import { useEditor } from "./context.js";
import { Field } from "./field.js";

const complete = commands.find(({ keys }) => keys?.includes("Mod+Enter"))!;

interface RowViewProps {
	readonly row: Row;
	readonly selected: boolean;
	readonly placeholder: string | undefined;
	/** Whether its note shows, although there is none yet. */
	readonly writesNote: boolean;
	/** Its place among its siblings, from 1, and how many these are. */
	readonly place: readonly [number, number];
}

/** One line of the outline. */
export function RowView({ row, selected, placeholder, writesNote, place }: RowViewProps) {
	const editor = useEditor();
	const { workspace } = editor;
	const { node, key, depth, expanded, hasChildren, recurring } = row;
	const { id, layoutMode, completed, note, mirror } = node;
	const classes = ["row", layoutMode, completed && "completed", selected && "selected", isMirror(row.node) && "mirror"];
	const zoom = (event: Event) => {
		event.preventDefault();
		void editor.run({ run: () => workspace.zoom(id, { key: titleKey, field: "name", caret: "end" }) });
	};
	const toggle = () => void editor.run({ settles: false, run: () => workspace.expand([id], !expanded) });
	const toggleCompleted = () => {
		workspace.selection.set({ anchor: key, head: key });
		void editor.run(complete).then(() => workspace.selection.set(null));
	};
	return (
		// biome-ignore lint/a11y/useFocusableInteractive: the focus is in the texts of the row, or on the tree
		<div
			class={classes.filter(Boolean).join(" ")}
			style={{ "--depth": depth }}
			role="treeitem"
			aria-level={depth + 1}
			aria-posinset={place[0]}
			aria-setsize={place[1]}
			aria-selected={selected}
			aria-expanded={hasChildren ? expanded : undefined}
			data-row={key}
		>
			<button
				type="button"
				class="fold"
				tabIndex={-1}
				aria-label={expanded ? "Collapse" : "Expand"}
				hidden={!hasChildren || (recurring && !isMirror(row.node))}
				// The caret stays where it is.
				onMouseDown={(event) => event.preventDefault()}
				onClick={toggle}
			/>
			<a
				class={hasChildren && !expanded ? "bullet filled" : "bullet"}
				href={addressOf(id)}
				tabIndex={-1}
				title={isMirror(row.node) ? "A mirror: click to go there, drag to move" : "Click to go there, drag to move"}
				draggable={false}
				data-drag={key}
				onClick={zoom}
			>
				<span class="unseen">{describe(row)}</span>
			</a>
			{layoutMode === "todo" && (
				<input
					type="checkbox"
					class="check"
					tabIndex={-1}
					aria-label="Completed"
					checked={completed}
					onChange={toggleCompleted}
				/>
			)}
			<div class="texts">
				<Field node={node} rowKey={key} field="name" label="Name" placeholder={placeholder} />
				{(note !== null || writesNote) && (
					<Field node={node} rowKey={key} field="note" label="Note" placeholder="Note" />
				)}
			</div>
			{recurring && (
				<span class="recurring" title="It is above here already: only what was moved into this mirror unfolds">
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

function describe(row: Row): string {
	if (row.recurring) return "Go to this node, which is shown above already";
	return isMirror(row.node) ? "Go to this mirror" : "Go to this node";
}
