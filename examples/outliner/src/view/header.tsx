import { liveQuery } from "outlinekit/live";
import { toText } from "outlinekit/markup";
import { useEffect, useMemo } from "preact/hooks";
import { goTo } from "../commands/global.js";
import { ServerSign } from "../server/sign.js";
import { SidebarButton } from "../sidebar/button.js";
import { ancestorsOf } from "../workspace/ancestors.js";
import { addressOf } from "../workspace/place.js";
import { useEditor, useWorkspace } from "./context.js";
import { useLive } from "./rendering.js";
import { SaveStatus } from "./save-status.js";

/** The header of the page: the path of the visible node, and the tools that the user needs everywhere. */
export function Header() {
	const editor = useEditor();
	const { workspace } = editor;
	const { root } = useLive(workspace.rows);
	const open = (type: "search" | "palette" | "calendar") => workspace.dialog.set({ type });
	return (
		<header class="bar">
			<h1 class="unseen">{root ? toText(root.name) || "Untitled" : "Outline"}</h1>
			<SidebarButton />
			<Breadcrumbs />
			<SaveStatus />
			<ServerSign />
			{/* The field keeps the focus, because commands work on it. */}
			<nav class="tools" aria-label="Tools" onMouseDown={(event) => event.preventDefault()}>
				<button type="button" onClick={() => open("search")} title="Search (Ctrl+K)">
					Search
				</button>
				<button
					type="button"
					onClick={() => void editor.run({ run: () => workspace.filterBy(workspace.filter.current?.query ?? "") })}
					title="Show only what a query finds (Ctrl+F)"
				>
					Filter
				</button>
				<button type="button" onClick={() => void editor.run({ run: () => goTo(workspace, "today") })}>
					Today
				</button>
				<button type="button" onClick={() => open("calendar")}>
					Calendar
				</button>
				<button
					type="button"
					onClick={() => open("palette")}
					title="Everything that can be done (Ctrl+Shift+K)"
					aria-label="Commands"
				>
					⋯
				</button>
			</nav>
		</header>
	);
}

function Breadcrumbs() {
	const workspace = useWorkspace();
	const { root } = useLive(workspace.rows);
	const id = root?.id ?? null;
	const query = useMemo(() => liveQuery(workspace.outline, () => ancestorsOf(workspace.outline, id)), [id]);
	useEffect(() => () => query.close(), [query]);
	const ancestors = useLive(query) ?? [];
	const shown = ancestors.length > 4 ? [ancestors[0]!, null, ...ancestors.slice(-2)] : ancestors;
	return (
		<nav class="breadcrumbs" aria-label="Where this is">
			<ol>
				<li>
					<a href={addressOf(null)} aria-current={id === null ? "page" : undefined}>
						Home
					</a>
				</li>
				{shown.map((node) => (
					<li key={node?.id ?? "…"}>
						{node === null ? "…" : <a href={addressOf(node.id)}>{toText(node.name) || "Untitled"}</a>}
					</li>
				))}
				{root && (
					<li>
						<span aria-current="page">{toText(root.name) || "Untitled"}</span>
					</li>
				)}
			</ol>
		</nav>
	);
}
