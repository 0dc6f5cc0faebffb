/** @jsxImportSource solid-js */
import type { Outline, OutlineNode } from "outlinekit";
import { toText } from "outlinekit/markup";
import { useHistory, useRows } from "outlinekit/solid";
import { createMemo, createSignal, For } from "solid-js";

/** An outline to unfold, add to, tick off and undo. */
export function App(props: { outline: Outline }) {
	const { outline } = props;
	const [expanded, setExpanded] = createSignal<readonly string[]>([]);
	const [name, setName] = createSignal("");
	const rows = useRows(outline, () => ({ expanded: expanded() }));
	// A row that changes is a new object. By its key, its elements stay, and the focus with them.
	const byKey = createMemo(() => new Map(rows()?.rows.map((row) => [row.key, row])));
	const { undo, canUndo } = useHistory(outline);

	const toggle = (id: string) =>
		setExpanded(expanded().includes(id) ? expanded().filter((each) => each !== id) : [...expanded(), id]);
	const complete = ({ id, completed }: OutlineNode) => (completed ? outline.uncomplete(id) : outline.complete(id));
	const add = async (event: SubmitEvent) => {
		event.preventDefault();
		await outline.create({ name: name(), position: "bottom" });
		setName("");
	};

	return (
		<>
			<button type="button" disabled={!canUndo()} onClick={undo}>
				Undo
			</button>
			<ul>
				<For each={[...byKey().keys()]}>
					{(key) => {
						const row = () => byKey().get(key)!;
						const node = () => row().node;
						return (
							<li style={{ "margin-inline-start": `${row().depth * 1.5}rem` }}>
								<button type="button" hidden={!row().hasChildren} onClick={() => toggle(node().id)}>
									{row().expanded ? "▾" : "▸"}
								</button>
								<input type="checkbox" checked={node().completed} onChange={() => complete(node())} />
								{toText(node().name)}
							</li>
						);
					}}
				</For>
			</ul>
			<form onSubmit={add}>
				<input aria-label="New" value={name()} onInput={(event) => setName(event.currentTarget.value)} />
			</form>
		</>
	);
}
