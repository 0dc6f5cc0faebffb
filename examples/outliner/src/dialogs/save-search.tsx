import "./save-search.css";
import { toText } from "outlinekit/markup";
import { useState } from "preact/hooks";
import { savedSearches, saveSearch } from "../filter/saved.js";
import { codeOf } from "../text/error-code.js";
import { useEditor } from "../view/context.js";
import { useQuery } from "../view/query.js";
import { closeDialog, DialogFrame } from "./frame.js";
import { LineForm } from "./line-form.js";

/** Asks for the name of the query that shows, and saves it. */
export function SaveSearchDialog() {
	const editor = useEditor();
	const { workspace } = editor;
	const saved = useQuery(savedSearches, []);
	const [{ query, root }] = useState(() => ({
		query: workspace.filter.current?.query.trim() ?? "",
		root: workspace.root,
	}));
	const hint = (name: string) => {
		const same = saved?.searches.find((each) => each.name === name);
		if (same !== undefined && same.query !== query)
			return `Replaces the saved search “${name}”, which is “${same.query}” now.`;
		return root === null ? "It searches the whole outline." : `It searches in “${toText(root.name) || "Untitled"}”.`;
	};
	const save = (name: string) =>
		new Promise<void>((resolve, reject) => {
			void editor.do(async () => {
				try {
					await saveSearch(workspace.outline, name, query, root?.id ?? null);
				} catch (error) {
					if (codeOf(error) !== "invalid_argument") throw error;
					return reject(error);
				}
				resolve();
				closeDialog(workspace);
				workspace.message.set({ text: `“${name}” is in the sidebar now.`, isError: false });
			});
		});
	return (
		<DialogFrame label="Save this search" titled>
			<div class="save-search">
				<LineForm
					label={`A name for “${query}”`}
					placeholder="a name, such as This week"
					initial={query}
					action="Save"
					hint={hint}
					onSubmit={save}
				/>
			</div>
		</DialogFrame>
	);
}
