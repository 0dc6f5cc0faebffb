import {
	defaultRangeExtractor,
	elementScroll,
	observeElementOffset,
	observeElementRect,
	Virtualizer,
	type VirtualizerOptions,
} from "@tanstack/virtual-core";
import { useCallback, useLayoutEffect, useReducer, useRef, useState } from "preact/hooks";
import { flush } from "./rendering.js";

interface VirtualOptions {
	/** The items: the same array as long as their keys are the same. */
	readonly items: readonly { readonly key: string }[];
	readonly estimate: (index: number) => number;
	readonly scroller: () => HTMLElement | null;
	/** The distance of the list from the beginning of the scroller. */
	readonly margin: number;
	/** The index of the item that is always there, since the caret is in it; -1 for none. */
	readonly kept: number;
}

/** The items of a long list that are on the screen. */
export function useVirtual({
	items,
	estimate,
	scroller,
	margin,
	kept,
}: VirtualOptions): Virtualizer<HTMLElement, HTMLElement> {
	const [, rerender] = useReducer((version: number) => version + 1, 0);
	const mounted = useRef(false);
	// With another function, the library would add up the heights of all items again.
	const keyOf = useCallback((index: number) => items[index]!.key, [items]);
	const options: VirtualizerOptions<HTMLElement, HTMLElement> = {
		count: items.length,
		getItemKey: keyOf,
		estimateSize: estimate,
		getScrollElement: scroller,
		scrollMargin: margin,
		overscan: 8,
		observeElementRect,
		observeElementOffset,
		scrollToFn: elementScroll,
		rangeExtractor: (range) => {
			const indexes = defaultRangeExtractor(range);
			if (kept < 0 || indexes.includes(kept)) return indexes;
			return [...indexes, kept].sort((left, right) => left - right);
		},
		onChange: (_, isScrolling) => {
			if (!mounted.current) return;
			rerender(undefined);
			// A row that comes into sight has to be there in the same frame.
			if (isScrolling) flush();
		},
	};
	const [virtualizer] = useState(() => new Virtualizer(options));
	virtualizer.setOptions(options);
	useLayoutEffect(() => {
		mounted.current = true;
		return virtualizer._didMount();
	}, [virtualizer]);
	useLayoutEffect(() => virtualizer._willUpdate());
	return virtualizer;
}
