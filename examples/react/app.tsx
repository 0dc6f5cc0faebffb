import { type Outline, OutlineError, type OutlineNode, type SearchHit } from "outlinekit";
import { toText } from "outlinekit/markup";
import { useHistory, useQuery, useRows } from "outlinekit/react";
import { useState } from "react";
import { NewNode } from "./new-node.tsx";
import { RowView } from "./row-view.tsx";

/** An outline to unfold, add to and tick off, or what a search finds in it. */
export function App({ outline }: { outline: Outline }) {
	const { undo, redo, canUndo, canRedo } = useHistory(outline);
	const [words, setWords] = useState("");
	const [completed, setCompleted] = useState(true);
	return (
		<main>
			<header>
				<h1>Outline</h1>
				<input
					type="search"
					aria-label="Search"
					placeholder="Search"
					onChange={(event) => setWords(event.target.value)}
				/>
				<button type="button" disabled={!canUndo} onClick={undo}>
					Undo
				</button>
				<button type="button" disabled={!canRedo} onClick={redo}>
					Redo
				</button>
				<label>
					<input type="checkbox" checked={completed} onChange={() => setCompleted(!completed)} />
					Show completed
				</label>
			</header>
			{words.trim() === "" ? (
				<List outline={outline} completed={completed} />
			) : (
				<Hits outline={outline} words={words} />
			)}
		</main>
	);
}

function List({ outline, completed }: { outline: Outline; completed: boolean }) {
	const [expanded, setExpanded] = useState<ReadonlySet<string>>(new Set());
	const rows = useRows(outline, { expanded, hides: completed ? undefined : isCompleted })?.rows;
	const expand = (id: string, unfolds: boolean) => {
		const next = new Set(expanded);
		if (unfolds) next.add(id);
		else next.delete(id);
		setExpanded(next);
	};
	if (rows === undefined) return <p role="status">Reading …</p>;
	return (
		<>
			<ul className="rows">
				{rows.map((row) => (
					<RowView key={row.key} outline={outline} row={row} onExpand={(unfolds) => expand(row.node.id, unfolds)} />
				))}
			</ul>
			<NewNode outline={outline} parent={null} label="New" />
		</>
	);
}

function isCompleted({ completed }: OutlineNode): boolean {
	return completed;
}

function Hits({ outline, words }: { outline: Outline; words: string }) {
	const found = useQuery(outline, (outline) => search(outline, words), [words]);
	if (found === undefined) return <p role="status">Searching …</p>;
	if (typeof found === "string") return <p role="status">{found}</p>;
	if (found.length === 0) return <p role="status">Nothing has these words.</p>;
	return (
		<ol>
			{found.map(({ node }) => (
				<li key={node.id}>{toText(node.name)}</li>
			))}
		</ol>
	);
}

/** The results of a search, or its error: while the user types, a phrase may be incomplete. */
async function search(outline: Outline, words: string): Promise<SearchHit[] | string> {
	try {
		return await outline.search(words, { limit: 20 });
	} catch (error) {
		if (error instanceof OutlineError && error.code === "invalid_argument") return error.message;
		throw error;
	}
}
