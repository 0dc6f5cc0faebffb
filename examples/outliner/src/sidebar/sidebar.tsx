import "./sidebar.css";
import type { ComponentChildren } from "preact";
import { useRef } from "preact/hooks";
import { closeDialog, DialogFrame } from "../dialogs/frame.js";
import { useWorkspace } from "../view/context.js";
import { useSidebarShows } from "./button.js";
import { PlaceLists } from "./place-lists.js";

/** The sidebar beside the text, unless it is folded away or there is no room. */
export function Sidebar() {
	return useSidebarShows() ? (
		<Frame>
			<PlaceLists />
		</Frame>
	) : null;
}

/** The sidebar as a sheet over the text. A swipe to the side that it comes from closes it too. */
export function SidebarDialog() {
	const workspace = useWorkspace();
	const from = useRef<Touch>(undefined);
	return (
		<DialogFrame label="Sidebar" titled>
			<div
				class="sidebar-sheet"
				onTouchStart={({ touches }) => {
					from.current = touches[0]!;
				}}
				onTouchMove={(event) => {
					// Otherwise the browser scrolls on afterwards, and takes the next tap for the end of that.
					if (event.cancelable && isAcross(from.current, event.touches[0]!)) event.preventDefault();
				}}
				onTouchEnd={({ changedTouches: [to] }) => {
					if (isAcross(from.current, to!) && to!.clientX < from.current!.clientX - swipe) closeDialog(workspace);
				}}
			>
				<Frame>
					<PlaceLists onGo={() => closeDialog(workspace)} />
				</Frame>
			</div>
		</DialogFrame>
	);
}

/** The index in a list that a key leads to, perhaps beyond its ends; undefined for any other key. */
function placeBy(key: string, at: number, count: number): number | undefined {
	const places = new Map([
		["ArrowDown", at + 1],
		["ArrowUp", at - 1],
		["Home", 0],
		["End", count - 1],
	]);
	return places.get(key);
}

/** The shortest swipe, in pixels. */
const swipe = 50;

/** Whether a finger moves to a side, rather than up or down. */
function isAcross(from: Touch | undefined, to: Touch): boolean {
	return from !== undefined && Math.abs(to.clientX - from.clientX) > Math.abs(to.clientY - from.clientY);
}

function Frame({ children }: { readonly children: ComponentChildren }) {
	const onKeyDown = (event: KeyboardEvent & { currentTarget: HTMLElement }) => {
		if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
		const places = [...event.currentTarget.querySelectorAll<HTMLElement>("a, button")];
		const at = places.indexOf(document.activeElement as HTMLElement);
		const next = placeBy(event.key, at, places.length);
		if (next === undefined) return;
		event.preventDefault();
		places[next]?.focus();
	};
	return (
		<nav class="sidebar" aria-label="Sidebar" onKeyDown={onKeyDown}>
			{children}
		</nav>
	);
}
