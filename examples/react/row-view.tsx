import type { Outline } from "outlinekit";
import type { Row } from "outlinekit/live";
import { toText } from "outlinekit/markup";
import { useState, useTransition } from "react";
import { NewNode } from "./new-node.tsx";

/** One row: its toggle, its completion, its name, and on demand a line for a node below it. */
export function RowView({
	outline,
	row,
	onExpand,
}: {
	outline: Outline;
	row: Row;
	onExpand: (expanded: boolean) => void;
}) {
	const { node, depth, expanded, hasChildren } = row;
	const [adding, setAdding] = useState(false);
	// An error in a transition goes to the error boundary.
	const [, start] = useTransition();
	const name = toText(node.name) || "Untitled";
	const complete = () =>
		start(async () => void (await (node.completed ? outline.uncomplete(node.id) : outline.complete(node.id))));
	const add = () => {
		setAdding(!adding);
		onExpand(true);
	};
	return (
		<li style={{ paddingInlineStart: `${depth * 1.5}rem` }}>
			<div className="row">
				<button
					type="button"
					className="fold"
					aria-expanded={expanded}
					aria-label={`Below ${name}`}
					hidden={!hasChildren}
					onClick={() => onExpand(!expanded)}
				>
					{expanded ? "▾" : "▸"}
				</button>
				<input type="checkbox" aria-label={`${name} is completed`} checked={node.completed} onChange={complete} />
				{/* A name is stored as HTML that is safe to show. */}
				<span className={node.completed ? "completed" : ""} dangerouslySetInnerHTML={{ __html: node.name }} />
				<button type="button" className="add" aria-label={`Add below ${name}`} onClick={add}>
					+
				</button>
			</div>
			{adding && <NewNode outline={outline} parent={node.id} label={`New, below ${name}`} />}
		</li>
	);
}
