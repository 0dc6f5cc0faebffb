import { options } from "preact";
import { useLayoutEffect, useReducer, useRef } from "preact/hooks";

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
	return useDerived(source, () => source.current);
}

/**
 * A value that depends on a source. A change of the source renders the component again only if this value differs
 * from the one that shows.
 */
export function useDerived<T>(source: Readable<unknown>, derive: () => T): T {
	const [, rerender] = useReducer((count: number) => count + 1, 0);
	const value = derive();
	const shown = useRef({ value, derive });
	useLayoutEffect(() => {
		shown.current = { value, derive };
	});
	useLayoutEffect(() => {
		const update = () => {
			if (shown.current.derive() !== shown.current.value) rerender(undefined);
		};
		// It may have changed between rendering and now.
		update();
		return source.subscribe(update);
	}, [source]);
	return value;
}
