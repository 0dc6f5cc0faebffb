import type { OutlineNode } from "outlinekit";
import type { Row } from "outlinekit/live";
import { useLayoutEffect, useRef } from "preact/hooks";
import type { Item } from "./viewport.js";

interface Shown {
	readonly root: OutlineNode | null | undefined;
	readonly rows: readonly Row[];
	/** The rows on the screen. */
	readonly items: readonly Item[];
}

interface Motion extends Shown {
	/** Whether the rows go to their places at once, because the page scrolls along. */
	readonly isStill: boolean;
	/** The element that contains the title and the rows. */
	readonly sheet: () => HTMLElement;
}

const still = matchMedia("(prefers-reduced-motion: reduce)");
const timing = { duration: 140, easing: "cubic-bezier(0.2, 0.7, 0.3, 1)" };

/**
 * Moves rows to their new places when some are folded, unfolded, moved or dropped, and lets another node come
 * into sight softly. Only the rows on the screen move. A row that one creates or joins while writing is at
 * its place at once.
 */
export function useMotion({ root, rows, items, isStill, sheet }: Motion): void {
	const before = useRef<Shown>(undefined);
	useLayoutEffect(() => {
		const { current } = before;
		before.current = { root, rows, items };
		if (current === undefined || isStill || still.matches) return;
		if (current.root?.id !== root?.id) {
			sheet().animate([{ opacity: 0, translate: "0 6px" }, {}], timing);
		} else if (current.rows !== rows && !isWriting(current.rows, rows)) glide(sheet(), current, { root, rows, items });
	});
}

/** Whether the difference is a single row, or only the text of rows. */
function isWriting(before: readonly Row[], rows: readonly Row[]): boolean {
	return Math.abs(before.length - rows.length) === 1;
}

/** Lets the rows on the screen go from their old places to the new ones. */
function glide(sheet: HTMLElement, before: Shown, now: Shown): void {
	const places = new Map(before.items.map(({ key, start }) => [key, start]));
	for (const { index, key, start: place } of now.items) {
		const from = places.get(key);
		if (from === place) continue;
		const slot = sheet.querySelector(`.slot[data-index="${index}"]`);
		if (from !== undefined) {
			const frames = [from, place].map((each) => ({ transform: `translateY(${each}px)` }));
			slot?.animate(frames, timing);
		} else slot?.firstElementChild?.animate([{ opacity: 0 }, {}], timing);
	}
}
