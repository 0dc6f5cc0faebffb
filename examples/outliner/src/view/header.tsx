import "./header.css";
import type { OutlineNode } from "outlinekit";
import type { ComponentChildren } from "preact";
import { openFilter } from "../commands/filter.js";
import { goTo } from "../commands/go.js";
import { chordText } from "../commands/keyboard.js";
import { ancestorsOf } from "../filter/ancestors.js";
import { codeOf } from "../text/error-code.js";
import { shownText } from "../text/fragment.js";
import { addressOf } from "../workspace/place.js";
import { useEditor, useWorkspace } from "./context.js";
import { Icon } from "./icon.js";
import { icons } from "./icons.js";
import { useQuery } from "./query.js";
import { useLive } from "./rendering.js";
import { SaveStatus } from "./save-status.js";

/**
 * The header of the page: the path of the visible node, and the tools that the user needs everywhere.
 *
 * @param start - the elements at its beginning
 * @param children - signs beside the tools
 */
export function Header({
	start,
	children,
}: {
	readonly start: ComponentChildren;
	readonly children: ComponentChildren;
}) {
	const { root } = useLive(useWorkspace().rows);
	return (
		<header class="bar">
			<h1 class="unseen">{root ? shownText(root.name) || "Untitled" : "Outline"}</h1>
			{start}
			<Breadcrumbs />
			<SaveStatus />
			{children}
			<Tools />
		</header>
	);
}

/** The tools. The field keeps the focus while one is clicked, because commands work on it. */
function Tools() {
	const editor = useEditor();
	const { workspace } = editor;
	const { hidesCompleted } = useLive(workspace.preferences.choices);
	const open = (type: "search" | "palette" | "calendar") => workspace.dialog.set({ type });
	const filter = () => openFilter(workspace);
	const show = { when: () => true, settles: false, run: () => workspace.hideCompleted(false) };
	return (
		<nav class="tools" aria-label="Tools" onMouseDown={(event) => event.preventDefault()}>
			{hidesCompleted && (
				<Tool
					name="Show completed"
					hint={`Completed nodes are hidden: show them (${chordText("Mod+O")})`}
					path={icons.hidden}
					onClick={() => void editor.run(show)}
				/>
			)}
			<Tool
				name="Search"
				hint={`Go to a node (${chordText("Mod+K")})`}
				path={icons.search}
				onClick={() => open("search")}
			/>
			<Tool
				name="Filter"
				hint={`Show only what matches (${chordText("Mod+F")})`}
				path={icons.filter}
				onClick={() => void editor.run({ run: filter })}
			/>
			<Tool
				name="Today"
				hint={`Go to today (${chordText("Alt+Shift+T")})`}
				path={icons.today}
				onClick={() => void editor.run({ run: () => goTo(workspace, "today") })}
			/>
			<Tool
				name="Calendar"
				hint={`Go to a day (${chordText("Alt+Shift+C")})`}
				path={icons.calendar}
				onClick={() => open("calendar")}
				isSpare
			/>
			<button
				type="button"
				onClick={() => open("palette")}
				title={`All commands (${chordText("Mod+Shift+K")})`}
				aria-label="Commands"
			>
				<Icon path={icons.more} />
			</button>
		</nav>
	);
}

interface ToolProps {
	readonly name: string;
	/** The explanation at the mouse pointer. */
	readonly hint: string;
	readonly path: string;
	readonly onClick: () => void;
	/** Whether a phone leaves it out, because the sidebar has it. */
	readonly isSpare?: boolean;
}

/** A button of the header. In a narrow window only its icon shows. */
function Tool({ name, hint, path, onClick, isSpare = false }: ToolProps) {
	return (
		<button type="button" class={isSpare ? "spare" : undefined} title={hint} onClick={onClick}>
			<Icon path={path} />
			<span class="in-wide-windows">{name}</span>
		</button>
	);
}

/** Returns no nodes in place of an error of a read whose node is gone. */
function unlessGone(error: unknown): OutlineNode[] {
	if (codeOf(error) === "not_found") return [];
	throw error;
}

/** The way to the visible node. On a phone it is only the way back to the parent, with the class `up`. */
function Breadcrumbs() {
	const workspace = useWorkspace();
	const { root } = useLive(workspace.rows);
	const id = root?.id ?? null;
	// If another tab or device deletes the visible node, the page leaves it at once.
	const known = useQuery((outline) => ancestorsOf(outline, id).catch(unlessGone), [id]);
	const ancestors = known ?? [];
	const parent = ancestors.at(-1);
	const shown = ancestors.length > 4 ? [ancestors[0]!, null, ...ancestors.slice(-2)] : ancestors;
	return (
		<nav class="breadcrumbs" aria-label="Breadcrumbs">
			<ol>
				<li class={known?.length === 0 ? "up" : undefined}>
					<a href={addressOf(null)} aria-current={id === null ? "page" : undefined} title="Home">
						<Icon path={icons.home} />
						<span class="in-wide-windows">Home</span>
					</a>
				</li>
				{shown.map((node) => (
					<li key={node?.id ?? "…"} class={node !== null && node === parent ? "up" : undefined}>
						{node === null ? (
							"…"
						) : (
							<a href={addressOf(node.id)} dir="auto">
								{shownText(node.name) || "Untitled"}
							</a>
						)}
					</li>
				))}
				{root && (
					<li>
						<span aria-current="page" dir="auto">
							{shownText(root.name) || "Untitled"}
						</span>
					</li>
				)}
			</ol>
		</nav>
	);
}
