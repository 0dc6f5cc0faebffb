/**
 * Primitives that show an outline in Solid components, and follow its changes.
 *
 * ```tsx
 * const rows = useRows(outline, () => ({ root: props.root, expanded: expanded() }));
 * const hits = useQuery(outline, async () => (words() ? outline.search(words()) : []));
 * return <For each={rows()?.rows}>{({ node }) => <li>{toText(node.name)}</li>}</For>;
 * ```
 *
 * An accessor returns undefined until its first value is ready. Its owner, mostly the component, closes
 * everything. If a read fails, the accessor throws the error, for the nearest `ErrorBoundary`. With the option
 * `onError`, the error goes there, and the last value stays. On a server, accessors read nothing.
 *
 * @module outlinekit/solid
 */
import { type Accessor, createEffect, createSignal, onCleanup } from "solid-js";
import { type Live, liveNode, type Rows } from "../../src/live/index.js";
import type { OutlineNode } from "../../src/node.js";
import type { Outline } from "../../src/outline.js";
import type { ReferenceText } from "../../src/reference/reference.js";
import type { Replica } from "../../src/sync/replica/replica.js";
import type { ReplicaStatus } from "../../src/sync/replica/status.js";
import {
	actionsOf,
	type Changing,
	countsOf,
	type ErrorOptions,
	follow,
	type HistoryActions,
	type HistoryOutline,
	keepRows,
	noSteps,
	openQuery,
	type RowsOptions,
	type RowsOutline,
	type Show,
} from "./shared.js";

export type { Changing, ErrorOptions, HistoryActions, HistoryOutline, RowsOptions, RowsOutline };

/** The state and the actions of the undo history. */
export interface HistoryState extends HistoryActions {
	/** Whether there is a step to undo. */
	readonly canUndo: Accessor<boolean>;
	/** Whether there is a step to redo. */
	readonly canRedo: Accessor<boolean>;
}

/**
 * Returns the rows below a node and its expanded nodes. When an option changes, the rows stay until the new
 * ones are ready.
 */
export function useRows(
	outline: RowsOutline,
	options: RowsOptions | Accessor<RowsOptions> = {},
): Accessor<Rows | undefined> {
	const [rows, show, fail] = shown<Rows>();
	const kept = keepRows(outline, show, fail);
	createEffect(() => kept.set(given(options)));
	onCleanup(kept.end);
	return rows;
}

/**
 * Returns the result of a read, which is repeated after each commit. It begins again when a signal changes
 * that `read` uses before its first `await`; the old result stays until there is a new one.
 */
export function useQuery<O extends Pick<Outline, "subscribe">, T>(
	outline: O,
	read: (outline: O) => Promise<T>,
	options?: ErrorOptions,
): Accessor<T | undefined> {
	return opened((onError) => openQuery(outline, read, onError), options);
}

/** Returns the node of a reference. It is `null` while there is none, and for the reference `null`. */
export function useNode(
	outline: Parameters<typeof liveNode>[0],
	ref: ReferenceText | null | Accessor<ReferenceText | null>,
	options?: ErrorOptions,
): Accessor<OutlineNode | null | undefined> {
	return opened((onError) => liveNode(outline, given(ref), { onError }), options);
}

/**
 * Returns whether there are steps to undo and to redo, and the two actions. On a server and until the component is
 * mounted, there are none.
 */
export function useHistory(outline: HistoryOutline): HistoryState {
	const counts = changing(countsOf(outline), noSteps);
	return { ...actionsOf(outline), canUndo: () => counts().undo > 0, canRedo: () => counts().redo > 0 };
}

/** Returns the status of a replica: the present work, the commits that wait, the open conflicts. */
export function useSyncStatus(replica: Pick<Replica, "status">): Accessor<ReplicaStatus> {
	return useLive(replica.status);
}

/** Returns the current value of a `Live` that the caller opens and closes, also before it is ready. */
export function useLive<T>(live: Changing<T>): Accessor<T> {
	return changing(live, live.current);
}

/** @param first - the value until effects run: on a server they never do */
function changing<T>(live: Changing<T>, first: T): Accessor<T> {
	const [current, set] = createSignal(first);
	const show = (value: T) => void set(() => value);
	// On a server, this does nothing.
	createEffect(() => {
		onCleanup(live.subscribe(show));
		show(live.current);
	});
	return current;
}

/** Opens a live value, and another one when what `open` has used changes. */
function opened<T>(
	open: (onError: Show<unknown>) => Live<T | undefined>,
	options?: ErrorOptions,
): Accessor<T | undefined> {
	const [value, show, fail] = shown<T | undefined>();
	createEffect(() => onCleanup(follow(open(options?.onError ?? fail), show)));
	return value;
}

/** A signal, and two functions: one sets it, the other has it throw an error until it is set again. */
function shown<T>(): [Accessor<T | undefined>, Show<T>, Show<unknown>] {
	const [read, set] = createSignal<() => T | undefined>(() => undefined);
	const fail = (error: unknown) => {
		set(() => () => {
			throw error;
		});
	};
	return [() => read()(), (value) => void set(() => () => value), fail];
}

function given<T extends object | string | null>(value: T | Accessor<T>): T {
	return typeof value === "function" ? value() : value;
}
