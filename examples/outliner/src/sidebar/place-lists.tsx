import type { OutlineEvent } from "outlinekit";
import type { ComponentChildren } from "preact";
import { useRef } from "preact/hooks";
import { goTo } from "../commands/go.js";
import { backToRows } from "../commands/navigation.js";
import type { SavedSearch } from "../filter/saved.js";
import { useEditor, useWorkspace } from "../view/context.js";
import { Icon } from "../view/icon.js";
import { icons } from "../view/icons.js";
import { useQuery } from "../view/query.js";
import { useLive } from "../view/rendering.js";
import { addressOf } from "../workspace/place.js";
import { type NamedPlace, type SidebarPlaces, sidebarPlaces } from "./places.js";

interface Going {
	/** Called before the page goes to a place. */
	readonly onGo?: (() => void) | undefined;
}

/** Today, the inbox, the calendar, shortcuts, saved searches, recent places and the trash. */
export function PlaceLists({ onGo }: Going) {
	const { dialog } = useWorkspace();
	const places = usePlaces();
	const { shortcuts = [], searches = [], searchesHome = null, recent = [] } = places ?? {};
	return (
		<>
			<ul>
				<TargetPlace target="today" name="Today" id={places?.today ?? null} onGo={onGo} />
				<TargetPlace target="inbox" name="Inbox" id={places?.inbox ?? null} onGo={onGo} />
				<DialogPlace dialog="calendar" name="Calendar" />
			</ul>
			<List
				name="Shortcuts"
				hint={shortcuts.length === 0 && "Add nodes from the menu of their bullets."}
				edit={
					<button
						type="button"
						class="quiet"
						aria-label="Edit the shortcuts"
						onClick={() => dialog.set({ type: "shortcuts" })}
					>
						Edit
					</button>
				}
			>
				{shortcuts.map((place) => (
					<NodePlace key={place.shortcut} place={place} icon="star" onGo={onGo} />
				))}
			</List>
			<List
				name="Saved searches"
				hint={searches.length === 0 && "Filter the outline, then save the search."}
				edit={
					searchesHome !== null && (
						<a class="quiet" href={addressOf(searchesHome)} aria-label="Edit the saved searches" onClick={onGo}>
							Edit
						</a>
					)
				}
			>
				{searches.map((search) => (
					<SearchPlace key={search.id} search={search} onGo={onGo} />
				))}
			</List>
			{recent.length > 0 && (
				<List name="Recent">
					{recent.map((place) => (
						<NodePlace key={place.id} place={place} icon="recent" onGo={onGo} />
					))}
				</List>
			)}
			<ul class="sidebar-foot">
				<DialogPlace dialog="trash" name="Trash" />
			</ul>
		</>
	);
}

/** The places, read again when a commit or a visit changes them; undefined before the first reading. */
function usePlaces(): SidebarPlaces | undefined {
	const { preferences } = useWorkspace();
	const visited = useLive(preferences.recent);
	const last = useRef<SidebarPlaces>(undefined);
	const concerns = ({ changes, keys }: OutlineEvent) => {
		const { watched, searchesHome } = last.current ?? {};
		const isHome = (parent: string | null | undefined) => parent != null && parent === searchesHome;
		return (
			keys.length > 0 ||
			watched === undefined ||
			changes.some(({ id, before, after }) => watched.has(id) || isHome(before?.parentId) || isHome(after?.parentId))
		);
	};
	const read = useQuery((outline) => sidebarPlaces(outline, visited), [visited], concerns);
	// While the places are read again, the former ones show.
	last.current = read ?? last.current;
	return last.current;
}

interface ListProps {
	readonly name: string;
	readonly hint?: string | false;
	/** The link or button that leads to where a person changes the list. */
	readonly edit?: ComponentChildren;
	readonly children: ComponentChildren;
}

function List({ name, hint, edit, children }: ListProps) {
	return (
		<section aria-label={name}>
			<div class="sidebar-head">
				<h2>{name}</h2>
				{edit}
			</div>
			{hint ? <p>{hint}</p> : <ul>{children}</ul>}
		</section>
	);
}

/** Today or the inbox, which are created when one goes there. */
function TargetPlace({
	target,
	name,
	id,
	onGo,
}: Going & { target: "today" | "inbox"; name: string; id: string | null }) {
	const editor = useEditor();
	const { workspace } = editor;
	const isCurrent = useIsCurrent(id, null) && id !== null;
	const go = () => {
		onGo?.();
		void editor.run({ run: () => goTo(workspace, target) });
	};
	return (
		<li>
			<button type="button" class="sidebar-place" aria-current={isCurrent ? "page" : undefined} onClick={go}>
				<Icon path={icons[target]} />
				<span class="sidebar-name">{name}</span>
			</button>
		</li>
	);
}

/** A dialog that opens in place of the sidebar, if that is one. */
function DialogPlace({ dialog: type, name }: { readonly dialog: "calendar" | "trash"; readonly name: string }) {
	const { dialog } = useWorkspace();
	return (
		<li>
			<button type="button" class="sidebar-place" aria-haspopup="dialog" onClick={() => dialog.set({ type })}>
				<Icon path={icons[type]} />
				<span class="sidebar-name">{name}</span>
			</button>
		</li>
	);
}

interface NodePlaceProps extends Going {
	readonly place: NamedPlace;
	readonly icon: "star" | "recent";
}

function NodePlace({ place: { id, name, shortcut }, icon, onGo }: NodePlaceProps) {
	return (
		<PlaceLink id={id} query={null} onGo={onGo}>
			<Icon path={icons[icon]} />
			<span class="sidebar-name">{name}</span>
			{shortcut !== undefined && shortcut !== name && <kbd>{shortcut}</kbd>}
		</PlaceLink>
	);
}

function SearchPlace({ search: { name, query, within, isLost }, onGo }: Going & { readonly search: SavedSearch }) {
	return (
		<PlaceLink id={isLost ? null : within} query={query} onGo={onGo}>
			<Icon path={icons.filter} />
			<span class="sidebar-name">{name}</span>
			{isLost && <small>Its place is deleted</small>}
		</PlaceLink>
	);
}

interface PlaceLinkProps extends Going {
	/** The id of a node; null for the top level. */
	readonly id: string | null;
	readonly query: string | null;
	readonly children: ComponentChildren;
}

function PlaceLink({ id, query, onGo, children }: PlaceLinkProps) {
	const workspace = useWorkspace();
	const isCurrent = useIsCurrent(id, query);
	const go = () => {
		onGo?.();
		// The page stays where it is, but for the caret.
		if (isCurrent) backToRows(workspace);
	};
	return (
		<li>
			<a
				class="sidebar-place"
				href={addressOf(id, query)}
				title={query ?? undefined}
				draggable={false}
				aria-current={isCurrent ? "page" : undefined}
				onClick={go}
			>
				{children}
			</a>
		</li>
	);
}

/** Whether the page shows a node, or the hits of a query there. */
function useIsCurrent(id: string | null, query: string | null): boolean {
	const workspace = useWorkspace();
	const { root } = useLive(workspace.rows);
	const filter = useLive(workspace.filter);
	return (root?.id ?? null) === id && (filter?.query ?? null) === query;
}
