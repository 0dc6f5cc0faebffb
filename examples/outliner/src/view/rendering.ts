import { options } from "preact";
import { useLayoutEffect, useReducer } from "preact/hooks";

let render: (() => void) | undefined;

// A command puts the caret into a new row, and the next key may be waiting: so it can force a rendering.
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

/** The source of a component: a `Live` of the package or a `Cell`. */
interface Readable<T> {
	readonly current: T;
	subscribe(listener: () => void): () => void;
}

/** The current value; a change renders the component again. */
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
