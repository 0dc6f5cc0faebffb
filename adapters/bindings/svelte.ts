/**
 * Stores that show an outline in Svelte components, and follow its changes.
 *
 * ```svelte
 * <script>
 *   let words = $state("");
 *   const rows = useRows(outline);
 *   const hits = useQuery(outline, async (outline, words) => (words ? outline.search(words) : []), () => words);
 * </script>
 *
 * {#each $rows?.rows ?? [] as { key, node } (key)}<li>{toText(node.name)}</li>{/each}
 * {#each hits.current ?? [] as { node } (node.id)}<li>{toText(node.name)}</li>{/each}
 * ```
 *
 * Each is a store (`$rows`), and has the same value with runes (`rows.current`). The value is undefined until
 * it is ready. It is open while a component uses it. If a read fails, `current` throws the error, for the
 * nearest `<svelte:boundary>`. A store has no way for errors: for `$rows`, they become unhandled rejections.
 * With `onError`, an error goes there, and the last value stays. On a server, stores read nothing.
 *
 * @module outlinekit/svelte
 */
import { createSubscriber } from "svelte/reactivity";
import { type Readable, toStore } from "svelte/store";
import { surface } from "../../src/engine/listeners.js";
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
	openQuery,
	type RowsOptions,
	type RowsOutline,
	type Show,
} from "./shared.js";

export type { Changing, ErrorOptions, HistoryActions, HistoryOutline, RowsOptions, RowsOutline };

/** A value as a store and as a property that runes follow. */
export interface Shown<T> extends Readable<T> {
	/** The value now. An effect or a template that reads it runs again when it changes. */
	readonly current: T;
}

/** A value, a store of it, or a function that reads runes. */
export type Input<T> = T | Readable<T> | (() => T);

// While Svelte renders a page on a server, it subscribes to stores, and uses only their first value.
const onServer = !("document" in globalThis);

/** Whether there are steps to undo and to redo. */
export interface HistoryState {
	/** Whether there is a step to undo. */
	readonly canUndo: boolean;
	/** Whether there is a step to redo. */
	readonly canRedo: boolean;
}

/**
 * Returns the rows below a node and its expanded nodes. When an option changes, the rows stay until the new
 * ones are ready.
 */
export function useRows(outline: RowsOutline, options: Input<RowsOptions> = {}): Shown<Rows | undefined> {
	return shown((show, fail) => {
		const kept = keepRows(outline, show, fail);
		const stop = each(options, kept.set, fail);
		return () => {
			stop();
			kept.end();
		};
	});
}

/**
 * Returns the result of a read, which is repeated after each commit. When the input changes, it begins again;
 * the old result stays until there is a new one.
 *
 * @param input - passed to `read`
 */
export function useQuery<O extends Pick<Outline, "subscribe">, T, I = undefined>(
	outline: O,
	read: (outline: O, input: I) => Promise<T>,
	input?: Input<I>,
	options?: ErrorOptions,
): Shown<T | undefined> {
	return opened(input as Input<I>, (value, onError) => openQuery(outline, read, onError, value), options);
}

/** Returns the node of a reference. It is `null` while there is none, and for the reference `null`. */
export function useNode(
	outline: Parameters<typeof liveNode>[0],
	ref: Input<ReferenceText | null>,
	options?: ErrorOptions,
): Shown<OutlineNode | null | undefined> {
	return opened(ref, (value, onError) => liveNode(outline, value, { onError }), options);
}

/** Returns whether there are steps to undo and to redo, and the two actions. */
export function useHistory(outline: HistoryOutline): Shown<HistoryState> & HistoryActions {
	const stateOf = ({ undo, redo }: Outline["history"]) => ({ canUndo: undo > 0, canRedo: redo > 0 });
	const counts = countsOf(outline);
	const state = useLive<HistoryState>({
		get current() {
			return stateOf(counts.current);
		},
		subscribe: (listener) => counts.subscribe((now) => listener(stateOf(now))),
	});
	return Object.assign(state, actionsOf(outline));
}

/** Returns the status of a replica: the present work, the commits that wait, the open conflicts. */
export function useSyncStatus(replica: Pick<Replica, "status">): Shown<ReplicaStatus> {
	return useLive(replica.status);
}

/** Returns a `Live` that the caller opens and closes as a store, also before it is ready. */
export function useLive<T>(live: Changing<T>): Shown<T> {
	const watch = createSubscriber((update) => live.subscribe(update));
	return {
		subscribe(run) {
			run(live.current);
			return onServer ? () => {} : live.subscribe(run);
		},
		get current() {
			watch();
			return live.current;
		},
	};
}

/** Opens a live value for an input, and another one when the input changes. */
function opened<I, T>(
	input: Input<I>,
	open: (value: I, onError: Show<unknown>) => Live<T | undefined>,
	options?: ErrorOptions,
): Shown<T | undefined> {
	return shown<T | undefined>((show, fail) => {
		let end = () => {};
		const use = (value: I) => {
			end();
			end = follow(open(value, options?.onError ?? fail), show);
		};
		const stop = each(input, use, fail);
		return () => {
			stop();
			end();
		};
	});
}

/**
 * Calls a function with an input, and after each change of it. Returns a function that ends this.
 * Throws what the function throws at first.
 *
 * @param fail - gets what the function throws after a change. From an effect of Svelte's stores, that
 * would reach no boundary, and would stop other effects of the page
 */
function each<I>(input: Input<I>, use: (value: I) => void, fail: Show<unknown>): () => void {
	const source = typeof input === "function" ? toStore(input as () => I) : input;
	if (typeof source !== "object" || source === null || !("subscribe" in source)) {
		use(source as I);
		return () => {};
	}
	let begun = false;
	let thrown: { readonly error: unknown } | undefined;
	const stop = source.subscribe((value) => {
		try {
			use(value);
		} catch (error) {
			if (begun) fail(error);
			else thrown = { error };
		}
	});
	begun = true;
	if (thrown === undefined) return stop;
	stop();
	throw thrown.error;
}

/** Returns a value that is open while it has subscribers. */
function shown<T>(start: (show: Show<T>, fail: Show<unknown>) => () => void): Shown<T | undefined> {
	const subscribers = new Set<{ run(value: T | undefined): void; fail(error: unknown): void }>();
	let current: T | undefined;
	let failure: { readonly error: unknown } | undefined;
	let stop: () => void;
	const subscribe = (run: Show<T | undefined>, fail: Show<unknown>) => {
		const subscriber = { run, fail };
		if (subscribers.size === 0) {
			stop = start(
				(value) => {
					current = value;
					failure = undefined;
					for (const { run } of [...subscribers]) run(value);
				},
				(error) => {
					failure = { error };
					for (const { fail } of [...subscribers]) fail(error);
				},
			);
		}
		subscribers.add(subscriber);
		return () => {
			if (!subscribers.delete(subscriber) || subscribers.size > 0) return;
			stop();
			current = failure = undefined;
		};
	};
	const watch = createSubscriber((update) => subscribe(update, update));
	return {
		subscribe(run) {
			run(current);
			return onServer ? () => {} : subscribe(run, surface);
		},
		get current() {
			watch();
			if (failure !== undefined) throw failure.error;
			return current;
		},
	};
}
