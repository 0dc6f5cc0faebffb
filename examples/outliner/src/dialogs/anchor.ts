import { caretRect } from "../text/caret.js";
import { activeField } from "../text/field.js";

/** A point of the window, in pixels. */
export interface Point {
	readonly x: number;
	readonly y: number;
}

/** The line of text, or the point, beside which a dialog opens. In pixels of the window. */
export interface Anchor {
	readonly x: number;
	readonly top: number;
	readonly bottom: number;
}

/** The distances of a dialog from its line, and from the edges of the window. */
const gap = 6;
const edge = 12;
/** The least height of a dialog that leaves its line in sight, a good height, and the greatest one. */
const least = 180;
const enough = 340;
const greatest = 640;

/** The line with the caret; undefined without one. */
export function caretAnchor(): Anchor | undefined {
	const field = activeField();
	const rect = field === null ? undefined : caretRect(field);
	return rect && { x: rect.left, top: rect.top, bottom: rect.bottom };
}

/** Puts a dialog below its anchor, or above it if there is more room. The line stays in sight. */
export function placeAt(dialog: HTMLElement, { x, top, bottom }: Anchor): void {
	const height = visualViewport?.height ?? innerHeight;
	const [above, below] = [top - gap - edge, height - bottom - gap - edge];
	const isBelow = below >= enough || below >= above;
	const room = Math.min(greatest, Math.max(least, isBelow ? below : above), height - 2 * edge);
	const start = Math.min(bottom + gap, height - edge - room);
	const end = Math.min(innerHeight - top + gap, innerHeight - edge - room);
	dialog.style.setProperty("--x", `${x}px`);
	dialog.style.setProperty("--room", `${room}px`);
	dialog.style.setProperty("--start", isBelow ? `${Math.max(edge, start)}px` : "auto");
	dialog.style.setProperty("--end", isBelow ? "auto" : `${Math.max(edge, end)}px`);
}
