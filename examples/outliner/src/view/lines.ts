import type { Virtualizer } from "@tanstack/virtual-core";

/** The places of the rows on the screen, also of rows that aren't in the document. Sizes are in pixels. */
export class Lines {
	readonly #scroller: { readonly current: HTMLElement | null };
	readonly #list: { readonly current: HTMLElement | null };
	readonly #virtualizer: Virtualizer<HTMLElement, HTMLElement>;

	/**
	 * @param scroller - the element that scrolls
	 * @param list - the element that contains the rows
	 */
	constructor(
		scroller: { readonly current: HTMLElement | null },
		list: { readonly current: HTMLElement | null },
		virtualizer: Virtualizer<HTMLElement, HTMLElement>,
	) {
		this.#scroller = scroller;
		this.#list = list;
		this.#virtualizer = virtualizer;
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
		const { scrollMargin } = this.#virtualizer.options;
		const offset = y - this.top + scrollMargin;
		const item = this.#virtualizer.getVirtualItemForOffset(offset);
		return item === undefined
			? { index: 0, isLower: false }
			: { index: item.index, isLower: offset > item.start + item.size / 2 };
	}

	/**
	 * The distance of a row from the beginning of the list; for the number of rows, the end of the last one.
	 */
	topOf(index: number): number {
		const item = this.#virtualizer.measurementsCache[index];
		return item === undefined ? this.#virtualizer.getTotalSize() : item.start - this.#virtualizer.options.scrollMargin;
	}

	/** The indent of a level. */
	get indentation(): number {
		return Number.parseFloat(getComputedStyle(this.scroller).getPropertyValue("--indent"));
	}
}
