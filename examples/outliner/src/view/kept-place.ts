import type { Row } from "outlinekit/live";
import { useLayoutEffect, useRef } from "preact/hooks";
import { differenceOf } from "../workspace/rows-difference.js";

interface KeptPlace {
	readonly scroller: () => HTMLElement | null;
	readonly rows: readonly Row[];
	/** The key of the row with the caret; undefined without one. */
	readonly key: string | undefined;
	/** Whether a command of the user runs, which may move the row. */
	readonly isMeant: boolean;
}

/**
 * Leaves the row with the caret at its place on the screen while other tabs, devices and programs add and
 * delete rows above it. Returns whether rows have just come or gone so.
 */
export function useKeptPlace({ scroller, rows, key, isMeant }: KeptPlace): boolean {
	const known = useRef(rows);
	const isOurs = isMeant || known.current === rows || key === undefined;
	// The document still shows the rows before.
	const place = isOurs || !haveOtherKeys(known.current, rows) ? undefined : placeOf(scroller(), key);
	known.current = rows;
	useLayoutEffect(() => {
		const now = place === undefined ? undefined : placeOf(scroller(), key!);
		if (now !== undefined) scroller()!.scrollTop += now - place!;
	});
	return place !== undefined;
}

function haveOtherKeys(before: readonly Row[], rows: readonly Row[]): boolean {
	const different = differenceOf(before, rows);
	return (
		different.before.length !== different.now.length ||
		different.before.some(({ key }, index) => key !== different.now[index]!.key)
	);
}

/** The height of the window at which a row is, if it is on the screen. */
function placeOf(scroller: HTMLElement | null, key: string): number | undefined {
	const row = scroller?.querySelector(`[data-row="${CSS.escape(key)}"]`);
	if (scroller === null || !row) return undefined;
	const [{ top, bottom }, page] = [row.getBoundingClientRect(), scroller.getBoundingClientRect()];
	return bottom > page.top && top < page.bottom ? top : undefined;
}
