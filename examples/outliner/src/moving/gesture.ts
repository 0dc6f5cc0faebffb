import { EdgeScroll } from "./edge-scroll.js";

/** The position of a pointer in the window, in pixels, and whether Alt is held. */
export interface Pointer {
	readonly x: number;
	readonly y: number;
	readonly altKey: boolean;
}

/** The handlers of a gesture, from putting a pointer down to lifting it. */
export interface Gesture {
	/**
	 * Whether the gesture has begun, for the first point and another one. Until then the browser acts as usual.
	 */
	readonly begins: (from: Pointer, to: Pointer) => boolean;
	/** It is meant, or the pointer is elsewhere, or the page has scrolled below it. */
	readonly move: (pointer: Pointer) => void;
	/** The pointer was lifted. */
	readonly end: () => void;
	/** The browser has cancelled the gesture. */
	readonly cancel: () => void;
}

/**
 * The time that a finger must rest to begin a gesture, in milliseconds, and the allowed movement, in pixels.
 */
const longPress = 250;
export const tremble = 8;

/**
 * Follows a pointer from its first touch. A finger has to rest for a moment; if it moves earlier, there is no
 * gesture.
 */
export function follow(down: PointerEvent, scroller: HTMLElement, gesture: Gesture): void {
	const ended = new AbortController();
	const options = { signal: ended.signal, capture: true };
	const isTouch = down.pointerType === "touch";
	const from = pointerOf(down);
	let pointer = from;
	let begun = false;
	const scroll = new EdgeScroll(scroller, () => gesture.move(pointer));

	const move = () => {
		gesture.move(pointer);
		scroll.follow(pointer.y);
	};
	const begin = () => {
		begun = true;
		followKeys(options, {
			onAlt: (altKey) => {
				pointer = { ...pointer, altKey };
				gesture.move(pointer);
			},
			onEscape: cancel,
		});
		// Rows come and go while the page scrolls: the pointer belongs to what stays.
		scroller.setPointerCapture(down.pointerId);
		move();
	};
	const stop = () => {
		ended.abort();
		scroll.stop();
		if (begun) swallowClick();
	};
	const cancel = () => {
		stop();
		if (begun) gesture.cancel();
	};
	const held = isTouch ? setTimeout(begin, longPress) : undefined;
	ended.signal.addEventListener("abort", () => clearTimeout(held));

	const onMove = (event: PointerEvent) => {
		if (event.pointerId !== down.pointerId) return;
		pointer = pointerOf(event);
		if (begun) move();
		else if (isTouch) {
			if (Math.hypot(pointer.x - from.x, pointer.y - from.y) > tremble) cancel();
		} else if (gesture.begins(from, pointer)) begin();
	};
	const onUp = ({ pointerId }: PointerEvent) => {
		if (pointerId !== down.pointerId) return;
		stop();
		if (begun) gesture.end();
	};
	addEventListener("pointermove", onMove, options);
	addEventListener("pointerup", onUp, options);
	addEventListener("pointercancel", ({ pointerId }) => pointerId === down.pointerId && cancel(), options);
	// A long press means this, and not a menu.
	if (isTouch) addEventListener("contextmenu", (event) => event.preventDefault(), options);
}

interface KeyHandlers {
	readonly onAlt: (isHeld: boolean) => void;
	readonly onEscape: () => void;
}

/** Follows the keys during a gesture: Alt changes its meaning, and Escape cancels it. */
function followKeys(options: AddEventListenerOptions, { onAlt, onEscape }: KeyHandlers): void {
	const onKey = (event: KeyboardEvent) => {
		if (event.key === "Alt") {
			event.preventDefault();
			onAlt(event.type === "keydown");
		} else if (event.key === "Escape" && event.type === "keydown") {
			event.preventDefault();
			event.stopPropagation();
			onEscape();
		}
	};
	addEventListener("keydown", onKey, options);
	addEventListener("keyup", onKey, options);
}

function pointerOf({ clientX, clientY, altKey }: PointerEvent): Pointer {
	return { x: clientX, y: clientY, altKey };
}

/**
 * Stops the click that a browser sends after a gesture. Not all browsers send it to the pointer's element.
 */
function swallowClick(): void {
	const ended = new AbortController();
	const swallow = (event: Event) => {
		event.preventDefault();
		event.stopPropagation();
	};
	addEventListener("click", swallow, { capture: true, once: true, signal: ended.signal });
	// It comes with the lifting or never; after a cancel the lifting is still to come.
	addEventListener("pointerup", () => setTimeout(() => ended.abort()), { once: true, signal: ended.signal });
	addEventListener("pointerdown", () => ended.abort(), { once: true, signal: ended.signal });
}
