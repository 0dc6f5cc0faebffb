import type { Viewport } from "./viewport.js";

/** The places of the rows on the screen, also of rows that aren't in the document. Sizes are in pixels. */
export class RowPositions {
	readonly #scroller: { readonly current: HTMLElement | null };
	readonly #list: { readonly current: HTMLElement | null };
	readonly #viewport: Viewport;

	/**
	 * @param scroller - the element that scrolls
	 * @param list - the element that contains the rows
	 */
	constructor(
		scroller: { readonly current: HTMLElement | null },
		list: { readonly current: HTMLElement | null },
		viewport: Viewport,
	) {
		this.#scroller = scroller;
		this.#list = list;
		this.#viewport = viewport;
	}

	get scroller(): HTMLElement {
		return this.#scroller.current!;
	}

	/** The height of the window at which the rows begin. */
	get top(): number {
		return this.#list.current!.getBoundingClientRect().top;
	}

	/** The height of the window at which the rows end. */
	get bottom(): number {
		return this.#list.current!.getBoundingClientRect().bottom;
	}

	/**
	 * The index of the row at a height of the window, or of the nearest row; and whether that is its lower
	 * half.
	 */
	at(y: number): { readonly index: number; readonly isLower: boolean } {
		const distance = y - this.top;
		const index = this.#viewport.at(distance);
		return { index, isLower: distance > this.topOf(index) + this.#viewport.heightOf(index) / 2 };
	}

	/**
	 * The distance of a row from the beginning of the list; for the number of rows, the end of the last one.
	 */
	topOf(index: number): number {
		return this.#viewport.topOf(index);
	}

	/** The indent of a level. */
	get indentation(): number {
		return Number.parseFloat(getComputedStyle(this.scroller).getPropertyValue("--indent"));
	}
}
