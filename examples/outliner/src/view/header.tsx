import "./header.css";
import { liveQuery } from "outlinekit/live";
import { toText } from "outlinekit/markup";
import type { ComponentChildren } from "preact";
import { useEffect, useMemo } from "preact/hooks";
import { goTo } from "../commands/go.js";
import { ancestorsOf } from "../filter/ancestors.js";
import { addressOf } from "../workspace/place.js";
import { useEditor, useWorkspace } from "./context.js";
import { Icon } from "./icon.js";
import { useLive } from "./rendering.js";
import { SaveStatus } from "./save-status.js";

/**
 * The header of the page: the path of the visible node, and the tools that the user needs everywhere.
 *
 * @param start - what stands at its beginning
 * @param children - signs beside the tools
 */
export function Header({
	start,
	children,
}: {
	readonly start: ComponentChildren;
	readonly children: ComponentChildren;
}) {
	const editor = useEditor();
	const { workspace } = editor;
	const { root } = useLive(workspace.rows);
	const open = (type: "search" | "palette" | "calendar") => workspace.dialog.set({ type });
	const filter = () => workspace.filterBy(workspace.filter.current?.query ?? "");
	return (
		<header class="bar">
			<h1 class="unseen">{root ? toText(root.name) || "Untitled" : "Outline"}</h1>
			{start}
			<Breadcrumbs />
			<SaveStatus />
			{children}
			{/* The field keeps the focus, because commands work on it. */}
			<nav class="tools" aria-label="Tools" onMouseDown={(event) => event.preventDefault()}>
				<Tool name="Search" hint="Go to a node (Ctrl+K)" path={icons.search} onClick={() => open("search")} />
				<Tool
					name="Filter"
					hint="Show only what a query finds (Ctrl+F)"
					path={icons.filter}
					onClick={() => void editor.run({ run: filter })}
				/>
				<Tool
					name="Today"
					hint="The node of this day (Alt+Shift+T)"
					path={icons.today}
					onClick={() => void editor.run({ run: () => goTo(workspace, "today") })}
				/>
				<Tool name="Calendar" hint="All days" path={icons.calendar} onClick={() => open("calendar")} />
				<button
					type="button"
					onClick={() => open("palette")}
					title="Everything that can be done (Ctrl+Shift+K)"
					aria-label="Commands"
				>
					<Icon path={icons.more} />
				</button>
			</nav>
		</header>
	);
}

const icons = {
	home: "M4 11l8-7 8 7M6 9.5V20h4.5v-5.5h3V20H18V9.5",
	search: "M10.5 17a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13zM15.5 15.5L20 20",
	filter: "M4 6h16M7 12h10M10 18h4",
	today:
		"M12 16a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM12 2.5v2M12 19.5v2M2.5 12h2M19.5 12h2M5.3 5.3l1.4 1.4M17.3 17.3l1.4 1.4M5.3 18.7l1.4-1.4M17.3 6.7l1.4-1.4",
	calendar: "M6 5.5h12a2 2 0 0 1 2 2V18a2 2 0 0 1-2 2H6a2 2 0 0 1-2-2V7.5a2 2 0 0 1 2-2zM4 10.5h16M8.5 3v4M15.5 3v4",
	more: "M5 12a.5.5 0 1 0 1 0a.5.5 0 1 0-1 0M11.5 12a.5.5 0 1 0 1 0a.5.5 0 1 0-1 0M18 12a.5.5 0 1 0 1 0a.5.5 0 1 0-1 0",
};

interface ToolProps {
	readonly name: string;
	/** The explanation at the mouse pointer. */
	readonly hint: string;
	readonly path: string;
	readonly onClick: () => void;
}

/** A button of the header. In a narrow window only its icon shows. */
function Tool({ name, hint, path, onClick }: ToolProps) {
	return (
		<button type="button" title={hint} onClick={onClick}>
			<Icon path={path} />
			<span class="tool-name">{name}</span>
		</button>
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
					<a href={addressOf(null)} aria-current={id === null ? "page" : undefined} title="Home">
						<Icon path={icons.home} />
						<span class="tool-name">Home</span>
					</a>
				</li>
				{shown.map((node) => (
					<li key={node?.id ?? "…"}>
						{node === null ? (
							"…"
						) : (
							<a href={addressOf(node.id)} dir="auto">
								{toText(node.name) || "Untitled"}
							</a>
						)}
					</li>
				))}
				{root && (
					<li>
						<span aria-current="page" dir="auto">
							{toText(root.name) || "Untitled"}
						</span>
					</li>
				)}
			</ol>
		</nav>
	);
}
