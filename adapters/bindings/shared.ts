import { assertFunction } from "../../src/fields.js";
import type { HistoryStep } from "../../src/history/history.js";
import {
	type Live,
	type LiveRows,
	type LiveRowsOptions,
	liveQuery,
	liveRows,
	type Rows,
} from "../../src/live/index.js";
import { idsIn } from "../../src/live/rows.js";
import type { Outline } from "../../src/outline.js";

/** A value that changes: a {@link Live}, or the status of a replica. */
export type Changing<T> = Pick<Live<T>, "current" | "subscribe">;

/**
 * The options of `useRows`: the same as of `liveRows`. `look` is true by default, because most trees mark the
 * nodes that have children. With `onError`, an error goes there alone.
 */
export type RowsOptions = LiveRowsOptions;

/** The option `onError`: errors of reads go there, and the last value stays. */
export type ErrorOptions = Pick<RowsOptions, "onError">;

/** The methods of an outline that rows use. @inline */
export type RowsOutline = Parameters<typeof liveRows>[0];

/** The part of an outline that undoes. @inline */
export type HistoryOutline = Pick<Outline, "undo" | "redo" | "history" | "watchHistory">;

/** The actions of an outline's history, as `Outline` has them. */
export interface HistoryActions {
	/** Undoes the last step. */
	undo(): Promise<HistoryStep | null>;
	/** Redoes the last undone step. */
	redo(): Promise<HistoryStep | null>;
}

/** Returns the numbers of steps of an outline's history, which change. */
export function countsOf(outline: HistoryOutline): Changing<Outline["history"]> {
	return {
		get current() {
			return outline.history;
		},
		subscribe: (listener) => outline.watchHistory(listener),
	};
}

/**
 * The numbers of steps on a server, and in a browser until the component is mounted. A page from a server keeps
 * the attributes that it has, even if the first rendering in the browser has other ones.
 */
export const noSteps: Outline["history"] = { undo: 0, redo: 0 };

/** Returns the actions of an outline's history. */
export function actionsOf(outline: HistoryOutline): HistoryActions {
	return { undo: () => outline.undo(), redo: () => outline.redo() };
}

/** Shows a value. */
export type Show<T> = (value: T) => void;

/** Resolves once the first read of a live value has ended, to whether it has succeeded. */
export function isReady({ ready }: Live<unknown>): Promise<boolean> {
	return ready.then(
		() => true,
		() => false,
	);
}

/**
 * Shows a live value from its first value on. Returns a function that closes it. If the first read fails, the
 * value shows as soon as a later read succeeds.
 */
export function follow<T>(live: Live<T>, show: Show<T>): () => void {
	let wanted = true;
	isReady(live).then((ready) => {
		if (!wanted) return;
		live.subscribe(show);
		if (ready) show(live.current);
	});
	return () => {
		wanted = false;
		live.close();
	};
}

/** Opens a query of a read, which may have an input. */
export function openQuery<O extends Pick<Outline, "subscribe">, T, I extends readonly unknown[]>(
	outline: O,
	read: (outline: O, ...input: I) => Promise<T>,
	onError: Show<unknown>,
	...input: I
): Live<T | undefined> {
	assertFunction("read", read);
	return liveQuery(outline, () => read(outline, ...input), { onError });
}

/** The options of rows, as they are now. */
const optionsOf = new WeakMap<LiveRows, RowsOptions & { readonly expanded: ReadonlySet<string> }>();

/** Opens rows with all options. */
export function openRows(outline: RowsOutline, options: RowsOptions, onError: Show<unknown>): LiveRows {
	// The caller may change its own set.
	const given = { ...options, expanded: idsIn("expanded", options.expanded ?? []) };
	const rows = liveRows(outline, { ...given, look: options.look ?? true, onError });
	optionsOf.set(rows, given);
	return rows;
}

/** Sets the options `hides` and `expanded` of rows. Resolves when the rows are up to date. */
export async function changeRows(rows: LiveRows, { hides, expanded }: RowsOptions): Promise<void> {
	const before = optionsOf.get(rows)!;
	const now = idsIn("expanded", expanded ?? []);
	optionsOf.set(rows, { ...before, hides, expanded: now });
	if (before.hides !== hides) rows.hide(hides ?? (() => false));
	const added = (from: ReadonlySet<string>, to: ReadonlySet<string>) => [...to].filter((id) => !from.has(id));
	await Promise.all([rows.expand(added(now, before.expanded), false), rows.expand(added(before.expanded, now))]);
}

/** Rows whose options may change. */
export interface KeptRows {
	/** Sets the options. Another root means other rows, which show when they are ready. */
	set(options: RowsOptions): void;
	/** Closes the rows. */
	end(): void;
}

/** Keeps rows up to date, and shows them. Their errors go to the present `onError`, or to the framework. */
export function keepRows(outline: RowsOutline, show: Show<Rows>, fail: Show<unknown>): KeptRows {
	let live: LiveRows | undefined;
	let present: RowsOptions = {};
	let end = () => {};
	const report = (error: unknown) => (present.onError ?? fail)(error);
	return {
		set(options) {
			const current = live;
			const { root, look } = present;
			present = options;
			if (current && root === options.root && look === options.look) {
				changeRows(current, options).catch((error) => live === current && report(error));
			} else {
				end();
				// If the options can't be used, the next ones open rows again.
				live = undefined;
				live = openRows(outline, options, report);
				end = follow(live, show);
			}
		},
		end() {
			end();
			live = undefined;
		},
	};
}
