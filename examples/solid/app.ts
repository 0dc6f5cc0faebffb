import type { Outline } from "outlinekit";
import type { Row } from "outlinekit/live";
import { toText } from "outlinekit/markup";
import { useHistory, useRows } from "outlinekit/solid";
import { createSignal, For, type JSX } from "solid-js";
import html from "solid-js/html";

/** An outline to unfold, add to, tick off and undo. */
export function App({ outline }: { outline: Outline }): JSX.Element {
	const [expanded, setExpanded] = createSignal<readonly string[]>([]);
	const rows = useRows(outline, () => ({ expanded: expanded() }));
	const { undo, canUndo } = useHistory(outline);

	const toggle = (id: string) => {
		const others = expanded().filter((each) => each !== id);
		setExpanded(others.length < expanded().length ? others : [...others, id]);
	};
	const add = async (event: SubmitEvent) => {
		event.preventDefault();
		const form = event.currentTarget as HTMLFormElement;
		await outline.create({ name: String(new FormData(form).get("name")), position: "bottom" });
		form.reset();
	};
	const complete = ({ id, completed }: Row["node"]) => (completed ? outline.uncomplete(id) : outline.complete(id));

	const item = ({ node, depth, hasChildren, expanded }: Row) => html`
		<li style=${`margin-inline-start: ${depth * 1.5}rem`}>
			<button hidden=${!hasChildren} onClick=${() => toggle(node.id)}>${expanded ? "▾" : "▸"}</button>
			<input type="checkbox" checked=${node.completed} onChange=${() => complete(node)} />
			${toText(node.name)}
		</li>
	`;
	return html`
		<button disabled=${() => !canUndo()} onClick=${undo}>Undo</button>
		<ul>
			<${For} each=${() => rows()?.rows}>${item}<//>
		</ul>
		<form onSubmit=${add}><input name="name" aria-label="New" /></form>
	` as JSX.Element;
}
