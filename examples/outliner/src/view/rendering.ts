import { options } from "preact";
import { useLayoutEffect, useReducer } from "preact/hooks";

let render: (() => void) | undefined;

// A command puts the caret into what it has just made, and the next key may be waiting: rendering can be called for.
options.debounceRendering = (renderNow) => {
	if (render === undefined) queueMicrotask(flush);
	render = renderNow;
};

/** Brings the page up to date now, rather than at the end of the turn. */
export function flush(): void {
	const now = render;
	render = undefined;
	now?.();
}

/** What a component reads: a `Live` of the package or a `Cell`. */
interface Readable<T> {
	readonly current: T;
	subscribe(listener: () => void): () => void;
}

/** The current value; the component is rendered anew when it changes. */
export function useLive<T>(source: Readable<T>): T {
	const [, rerender] = useReducer((count: number) => count + 1, 0);
	const shown = source.current;
	useLayoutEffect(() => {
		// It may have changed between rendering and now.
		if (source.current !== shown) rerender(undefined);
		return source.subscribe(() => rerender(undefined));
	}, [source]);
	return shown;
}
