/**
 * Hooks that show an outline in React components, and follow its changes.
 *
 * ```tsx
 * function List({ outline }: { outline: Outline }) {
 *   const rows = useRows(outline)?.rows;
 *   return <ul>{rows?.map(({ key, node }) => <li key={key}>{toText(node.name)}</li>)}</ul>;
 * }
 * ```
 *
 * A hook returns undefined until its first value is ready. It closes everything when the component unmounts.
 * If a read fails, rendering throws the error, and the nearest error boundary shows it. With `onError`, the
 * error goes there, and the last value stays. On a server, hooks without Suspense read nothing.
 *
 * @module outlinekit/react
 */
import { use, useEffect, useMemo, useRef, useState, useSyncExternalStore } from "react";
import { OutlineError } from "../../src/errors.js";
import { type Live, liveNode, type Rows } from "../../src/live/index.js";
import type { OutlineNode } from "../../src/node.js";
import type { Outline } from "../../src/outline.js";
import type { ReferenceText } from "../../src/reference/reference.js";
import type { Replica } from "../../src/sync/replica/replica.js";
import type { ReplicaStatus } from "../../src/sync/replica/status.js";
import {
	actionsOf,
	type Changing,
	changeRows,
	countsOf,
	type ErrorOptions,
	follow,
	type HistoryActions,
	type HistoryOutline,
	isReady,
	type KeptRows,
	keepRows,
	noSteps,
	openQuery,
	openRows,
	type RowsOptions,
	type RowsOutline,
	type Show,
} from "./shared.js";

export type { Changing, ErrorOptions, HistoryActions, HistoryOutline, RowsOptions, RowsOutline };

/** The state and the actions of the undo history. */
export interface HistoryState extends HistoryActions {
	/** Whether there is a step to undo. */
	readonly canUndo: boolean;
	/** Whether there is a step to redo. */
	readonly canRedo: boolean;
}

/**
 * Returns the rows below a node and its expanded nodes. When an option changes, the rows stay until the new
 * ones are ready. React compares the options by identity: keep `expanded` and `hides` in state, `useMemo` or
 * `useCallback`.
 */
export function useRows(outline: RowsOutline, options: RowsOptions = {}): Rows | undefined {
	const [rows, show, fail] = useShown<Rows>();
	const kept = useRef<KeptRows>(undefined);
	const { root, expanded, hides, look, onError } = options;
	useEffect(() => {
		kept.current = keepRows(outline, show, fail);
		return kept.current.end;
	}, [outline]);
	useEffect(() => kept.current!.set(options), [outline, root, expanded, hides, look, onError]);
	return rows;
}

/**
 * Returns the result of a read, which is repeated after each commit. When a dependency changes, the old
 * result stays until there is a new one.
 *
 * @param deps - the values that `read` uses besides the outline, as in `useEffect`
 * @param options - like `read`, they apply from the last change of a dependency on
 */
export function useQuery<O extends Pick<Outline, "subscribe">, T>(
	outline: O,
	read: (outline: O) => Promise<T>,
	deps: readonly unknown[] = [],
	options?: ErrorOptions,
): T | undefined {
	if (!Array.isArray(deps)) {
		throw new OutlineError("invalid_argument", "deps must be an array. The options follow it.");
	}
	return useOpened(queryOf(outline, read), [outline, ...deps], options);
}

/** Returns the node of a reference. It is `null` while there is none, and for the reference `null`. */
export function useNode(
	outline: Parameters<typeof liveNode>[0],
	ref: ReferenceText | null,
	options?: ErrorOptions,
): OutlineNode | null | undefined {
	return useOpened(nodeOf(outline, ref), [outline, ref], options);
}

/**
 * Returns whether there are steps to undo and to redo, and the two actions. On a server and until the component is
 * mounted, there are none.
 */
export function useHistory(outline: HistoryOutline): HistoryState {
	const { undo, redo } = useChanging(
		useMemo(() => countsOf(outline), [outline]),
		() => noSteps,
	);
	return { ...actionsOf(outline), canUndo: undo > 0, canRedo: redo > 0 };
}

/** Returns the status of a replica: the present work, the commits that wait, the open conflicts. */
export function useSyncStatus(replica: Pick<Replica, "status">): ReplicaStatus {
	return useLive(replica.status);
}

/** Returns the current value of a `Live` that the caller opens and closes, also before it is ready. */
export function useLive<T>(live: Changing<T>): T {
	return useChanging(live, () => live.current);
}

/**
 * Returns the rows as {@link useRows} does, but suspends until they are ready.
 *
 * @param key - distinguishes two lists with the same root that don't expand the same nodes
 */
export function useSuspenseRows(outline: RowsOutline, options: Omit<RowsOptions, "onError"> = {}, key = ""): Rows {
	const { root, expanded, hides, look } = options;
	const live = useShared(outline, ["rows", root, look, key], (onError) => openRows(outline, options, onError));
	const [, , fail] = useShown();
	useEffect(() => void changeRows(live, options).catch(fail), [live, expanded, hides]);
	return useLive(live);
}

/**
 * Returns the result of a read as {@link useQuery} does, but suspends until there is one. In a transition,
 * the old result stays until there is a new one.
 *
 * @param key - a name for the read, and the values that it uses besides the outline. Components with the same
 * key share one read
 */
export function useSuspenseQuery<O extends Pick<Outline, "subscribe">, T>(
	outline: O,
	read: (outline: O) => Promise<T>,
	key: readonly [string, ...unknown[]],
): T {
	return useLive(useShared(outline, ["query", ...key], queryOf(outline, read))) as T;
}

/** Returns the node of a reference as {@link useNode} does, but suspends until it is loaded. */
export function useSuspenseNode(
	outline: Parameters<typeof liveNode>[0],
	ref: ReferenceText | null,
): OutlineNode | null {
	return useLive(useShared(outline, ["node", ref], nodeOf(outline, ref)))!;
}

/** @param onServer - returns the value on a server, and until the browser has taken over its page */
function useChanging<T>(live: Changing<T>, onServer: () => T): T {
	const subscribe = useMemo(() => (listener: () => void) => live.subscribe(listener), [live]);
	return useSyncExternalStore(subscribe, () => live.current, onServer);
}

/** Opens a live value, and passes it the receiver of its errors. */
type Open<L> = (onError: Show<unknown>) => L;

function queryOf<O extends Pick<Outline, "subscribe">, T>(
	outline: O,
	read: (outline: O) => Promise<T>,
): Open<Live<T | undefined>> {
	return (onError) => openQuery(outline, read, onError);
}

function nodeOf(
	outline: Parameters<typeof liveNode>[0],
	ref: ReferenceText | null,
): Open<Live<OutlineNode | null | undefined>> {
	return (onError) => liveNode(outline, ref, { onError });
}

/** Opens a live value when the component mounts, and another one when a dependency changes. */
function useOpened<T>(open: Open<Live<T>>, deps: readonly unknown[], options?: ErrorOptions): T | undefined {
	const [value, show, fail] = useShown<T>();
	// Not while rendering: React may discard a rendering without notice.
	useEffect(() => follow(open(options?.onError ?? fail), show), deps);
	return value;
}

/** A state of the component, and two functions: one sets it, the other has rendering throw an error. */
function useShown<T>(): [T | undefined, Show<T>, Show<unknown>] {
	const [value, set] = useState<T>();
	return [value, (next) => set(() => next), (error) => set(raise(error))];
}

function raise(error: unknown): () => never {
	return () => {
		throw error;
	};
}

/** A live value that components share. A component that suspends has no state of its own to keep it in. */
interface Shared<L> {
	readonly live: L;
	/** Set the state of each mounted component. */
	readonly users: Set<(state: unknown) => void>;
	/** Closes it if no component uses it. */
	readonly release: () => void;
}

const sharedByOutline = new WeakMap<object, Map<string, Shared<unknown>>>();

/** The time in which React mounts a component whose value is ready, in milliseconds. */
const mounting = 5000;
/** The time in which React renders a component again whose first read has failed, in milliseconds. */
const retrying = 1000;

// Every host has it, although it isn't part of ECMAScript.
declare function setTimeout(callback: () => void, milliseconds: number): { unref?(): void };

/** Calls a function later. Keeps no process alive. */
function later(callback: () => void, milliseconds: number): void {
	setTimeout(callback, milliseconds).unref?.();
}

/** For keys: JSON alone makes all sets and maps alike, and `null` of undefined. It also refuses a bigint. */
function distinct(_: string, value: unknown): unknown {
	if (value instanceof Set || value instanceof Map) return [...value];
	return ["object", "string", "boolean"].includes(typeof value) ? value : typeof value + String(value);
}

/** Returns the live value for a key. Suspends until it is ready. */
function useShared<L extends Live<unknown>>(outline: object, keys: readonly unknown[], open: Open<L>): L {
	const known = (sharedByOutline.get(outline) ?? new Map()) as Map<string, Shared<L>>;
	sharedByOutline.set(outline, known);
	const key = JSON.stringify(keys, distinct);
	const shared = known.get(key) ?? share(known, key, open);
	const [, set] = useState<unknown>();
	useEffect(() => {
		shared.users.add(set);
		// While the component was hidden, the value may have been closed.
		if (known.get(key) !== shared) set({});
		return () => {
			shared.users.delete(set);
			later(shared.release, mounting);
		};
	}, [shared]);
	use(shared.live.ready);
	return shared.live;
}

function share<L extends Live<unknown>>(all: Map<string, Shared<L>>, key: string, open: Open<L>): Shared<L> {
	const users: Shared<L>["users"] = new Set();
	const drop = () => {
		if (all.get(key) === shared) all.delete(key);
	};
	let begun = false;
	const live = open((error) => {
		// The next rendering begins again. After the first error, React renders once more to be sure.
		if (begun) drop();
		for (const set of users) set(raise(error));
	});
	const release = () => {
		if (users.size > 0) return;
		drop();
		live.close();
	};
	const shared: Shared<L> = { live, users, release };
	isReady(live).then((ready) => {
		begun = ready;
		later(release, ready ? mounting : retrying);
	});
	all.set(key, shared);
	return shared;
}
