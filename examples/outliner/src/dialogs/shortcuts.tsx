import type { Outline } from "outlinekit";
import { toText } from "outlinekit/markup";
import { useRef, useState } from "preact/hooks";
import { goTo } from "../commands/go.js";
import { nodeAtHand } from "../commands/mirror.js";
import { useEditor } from "../view/context.js";
import { useQuery } from "../view/query.js";
import { type Found, foundNode } from "./found.js";
import { closeDialog, DialogFrame } from "./frame.js";
import { LineForm } from "./line-form.js";

/** The names that a person has given to nodes, and a field to give one to the node at hand. */
export function ShortcutsDialog() {
	const editor = useEditor();
	const { workspace } = editor;
	const shortcuts = useQuery(shortcutsOf, []);
	const frame = useRef<HTMLDivElement>(null);
	const go = (key: string) => {
		closeDialog(workspace);
		void editor.run({ run: () => goTo(workspace, key) });
	};
	const remove = (key: string) => {
		void editor.do(() => workspace.outline.deleteShortcut(key));
		// The button goes with its shortcut, and what has the focus mustn't.
		frame.current!.querySelector<HTMLElement>("input")?.focus();
	};
	return (
		<DialogFrame label="Shortcuts" titled>
			<div ref={frame} class="shortcuts">
				<NameField shortcuts={shortcuts ?? []} />
				{shortcuts?.length === 0 && <p class="hint">A shortcut is a word that takes you to a node from anywhere.</p>}
				<ul>
					{shortcuts?.map(({ ref: key, name, path }) => (
						<li key={key}>
							<button type="button" class="shortcut-go" onClick={() => go(key)}>
								<kbd class="shortcut">{key}</kbd>
								<span class="choice-texts">
									<span class="choice-name">{name}</span>
									{path.length > 0 && <span class="choice-path">{path.join(" › ")}</span>}
								</span>
							</button>
							<button type="button" class="quiet" aria-label={`Remove the shortcut ${key}`} onClick={() => remove(key)}>
								Remove
							</button>
						</li>
					))}
				</ul>
			</div>
		</DialogFrame>
	);
}

/** The form that gives the current node a shortcut. */
function NameField({ shortcuts }: { readonly shortcuts: readonly Found[] }) {
	const editor = useEditor();
	const { workspace } = editor;
	const [node] = useState(() => nodeAtHand(workspace));
	if (node === null) return null;
	const name = toText(node.name) || "Untitled";
	const hint = (key: string) => {
		const taken = shortcuts.find(({ ref, node: other }) => ref === key && other!.id !== node.id);
		return taken && `It leads to “${taken.name}” now. It will lead here instead.`;
	};
	const set = (key: string) =>
		new Promise<void>((resolve, reject) => {
			void editor.do(() => workspace.outline.setShortcut(key, node.id).then(resolve, reject));
		});
	return (
		<LineForm
			label={`A shortcut for “${name}”`}
			placeholder="a word, such as work"
			action="Set"
			hint={hint}
			onSubmit={set}
		/>
	);
}

/** The shortcuts with the nodes that they lead to. */
async function shortcutsOf(outline: Outline): Promise<Found[]> {
	const targets = await outline.targets();
	return Promise.all(
		targets
			.filter(({ type }) => type === "shortcut")
			.map(async ({ key }) => ({ ...(await foundNode(outline, await outline.get(key))), ref: key })),
	);
}
