/**
 * Composables that show an outline in Vue components, and follow its changes.
 *
 * ```ts
 * const rows = useRows(outline, () => ({ root: props.root, expanded: expanded.value }));
 * const hits = useQuery(outline, async () => (words.value ? outline.search(words.value) : []));
 * ```
 *
 * A ref is undefined until its first value is ready. Its scope, mostly the component, closes everything. If a
 * read fails, the error goes to `onErrorCaptured` and to the error handler of the app. With the option `onError`,
 * it goes there alone. The last value stays. On a server, they read nothing: they begin when the component is
 * mounted.
 *
 * @module outlinekit/vue
 */
import {
	type ComputedRef,
	computed,
	type MaybeRefOrGetter,
	onScopeDispose,
	type ShallowRef,
	shallowRef,
	toValue,
	watch,
	watchPostEffect,
} from "vue";
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

/** A ref that a binding sets. */
export type Shown<T> = Readonly<ShallowRef<T>>;

/** The state and the actions of the undo history. */
export interface HistoryState extends HistoryActions {
	/** Whether there is a step to undo. */
	readonly canUndo: ComputedRef<boolean>;
	/** Whether there is a step to redo. */
	readonly canRedo: ComputedRef<boolean>;
}

/**
 * Returns the rows below a node and its expanded nodes. When an option changes, the rows stay until the new
 * ones are ready.
 */
export function useRows(outline: RowsOutline, options: MaybeRefOrGetter<RowsOptions> = {}): Shown<Rows | undefined> {
	const rows = shallowRef<Rows>();
	const kept = keepRows(
		outline,
		(value) => {
			rows.value = value;
		},
		failing(),
	);
	watchPostEffect(() => kept.set(toValue(options)));
	onScopeDispose(kept.end);
	return rows;
}

/**
 * Returns the result of a read, which is repeated after each commit. It begins again when a ref changes that
 * `read` uses before its first `await`; the old result stays until there is a new one.
 */
export function useQuery<O extends Pick<Outline, "subscribe">, T>(
	outline: O,
	read: (outline: O) => Promise<T>,
	options?: ErrorOptions,
): Shown<T | undefined> {
	return useOpened((onError) => openQuery(outline, read, onError), options);
}

/** Returns the node of a reference. It is `null` while there is none, and for the reference `null`. */
export function useNode(
	outline: Parameters<typeof liveNode>[0],
	ref: MaybeRefOrGetter<ReferenceText | null>,
	options?: ErrorOptions,
): Shown<OutlineNode | null | undefined> {
	return useOpened((onError) => liveNode(outline, toValue(ref), { onError }), options);
}

/**
 * Returns whether there are steps to undo and to redo, and the two actions. On a server and until the component is
 * mounted, there are none.
 */
export function useHistory(outline: HistoryOutline): HistoryState {
	const counts = changing(countsOf(outline), noSteps);
	return {
		...actionsOf(outline),
		canUndo: computed(() => counts.value.undo > 0),
		canRedo: computed(() => counts.value.redo > 0),
	};
}

/** Returns the status of a replica: the present work, the commits that wait, the open conflicts. */
export function useSyncStatus(replica: Pick<Replica, "status">): Shown<ReplicaStatus> {
	return useLive(replica.status);
}

/** Returns the current value of a `Live` that the caller opens and closes, also before it is ready. */
export function useLive<T>(live: Changing<T>): Shown<T> {
	return changing(live, live.current);
}

/** @param first - the value until effects run: on a server they never do */
function changing<T>(live: Changing<T>, first: T): Shown<T> {
	const current = shallowRef(first);
	const show = (value: T) => {
		current.value = value;
	};
	watchPostEffect((onCleanup) => {
		onCleanup(live.subscribe(show));
		show(live.current);
	});
	return current;
}

/** Opens a live value, and another one when what `open` has used changes. */
function useOpened<T>(
	open: (onError: Show<unknown>) => Live<T | undefined>,
	options?: ErrorOptions,
): Shown<T | undefined> {
	const shown = shallowRef<T>();
	const fail = options?.onError ?? failing();
	watchPostEffect((onCleanup) => {
		onCleanup(
			follow(open(fail), (value) => {
				shown.value = value;
			}),
		);
	});
	return shown;
}

/** Returns a function that passes errors to the error handlers of the component. */
function failing(): Show<unknown> {
	const failure = shallowRef<{ error: unknown }>();
	watch(
		failure,
		(now) => {
			throw now!.error;
		},
		{ flush: "sync" },
	);
	return (error) => {
		failure.value = { error };
	};
}
