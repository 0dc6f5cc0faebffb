import "./links.css";
import { liveQuery } from "outlinekit/live";
import { useEffect, useMemo } from "preact/hooks";
import { goToNode } from "../commands/go.js";
import { hasMod } from "../commands/keyboard.js";
import type { Found } from "../dialogs/found.js";
import { FoundView } from "../dialogs/node-picker.js";
import { useEditor, useWorkspace } from "../view/context.js";
import { useLive } from "../view/rendering.js";
import { addressOf } from "../workspace/place.js";
import type { Workspace } from "../workspace/workspace.js";
import { type Backlinks, backlinksQuery, concerns, findBacklinks } from "./backlinks.js";

/** The nodes that link to the visible node, below its rows. */
export function LinkedFrom() {
	const { rows, filter } = useWorkspace();
	const { root } = useLive(rows);
	const isFiltered = useLive(filter) !== null;
	return !root || isFiltered ? null : <List key={root.id} query={backlinksQuery(root)} />;
}

function List({ query }: { readonly query: string }) {
	const editor = useEditor();
	const { workspace } = editor;
	const backlinks = useBacklinks(workspace, query);
	if (backlinks === undefined || backlinks.found.length === 0) return null;
	const { found, more } = backlinks;
	const count = found.length === 1 ? "1 node" : more ? `more than ${found.length} nodes` : `${found.length} nodes`;
	const showAll = async () => {
		await workspace.zoom(null);
		await workspace.filterBy(query);
	};
	return (
		<section class="linked-from" aria-labelledby="linked-from">
			<h2 id="linked-from">Linked from {count}</h2>
			<ul>
				{found.map((each) => (
					<li key={each.ref}>
						<Backlink found={each} />
					</li>
				))}
			</ul>
			{more && (
				<button type="button" class="quiet" onClick={() => void editor.run({ run: showAll })}>
					Show all in their places
				</button>
			)}
		</section>
	);
}

function Backlink({ found }: { readonly found: Found }) {
	const editor = useEditor();
	const go = (event: MouseEvent) => {
		// The browser opens another tab.
		if (hasMod(event) || event.shiftKey) return;
		event.preventDefault();
		void editor.run({ run: () => goToNode(editor.workspace, found.ref) });
	};
	return (
		<a href={addressOf(found.ref)} onClick={go}>
			<FoundView found={found} words={[]} />
		</a>
	);
}

/** The answer of a query for backlinks, kept up to date. */
function useBacklinks(workspace: Workspace, query: string): Backlinks | undefined {
	const { outline } = workspace;
	const live = useMemo(() => {
		let known: Backlinks | undefined;
		const read = async () => {
			// The first search in a large outline takes a second or two, and the rows come first.
			if (known === undefined) await idle();
			known = await findBacklinks(outline, query);
			return known;
		};
		const onError = (error: unknown) => workspace.tell(error);
		return liveQuery(outline, read, { concerns: (event) => concerns(event, query, known), onError });
	}, [query]);
	useEffect(() => () => live.close(), [live]);
	return useLive(live);
}

/** Resolves when the page has nothing else to do, or soon. */
function idle(): Promise<void> {
	return new Promise((resolve) => {
		if (typeof requestIdleCallback === "undefined") setTimeout(resolve, 200);
		else requestIdleCallback(() => resolve(), { timeout: 1000 });
	});
}
