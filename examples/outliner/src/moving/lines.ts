import type { Virtualizer } from "@tanstack/virtual-core";

/** Where the rows are on the screen, also those that aren't in the document. Sizes are in pixels. */
export class Lines {
	readonly #scroller: { readonly current: HTMLElement | null };
	readonly #list: { readonly current: HTMLElement | null };
	readonly #virtualizer: Virtualizer<HTMLElement, HTMLElement>;

	/**
	 * @param scroller - what scrolls
	 * @param list - what the rows are in
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

	/** The index of the row at a height of the window, the nearest one if there is none; and whether that is its lower half. */
	at(y: number): { readonly index: number; readonly isLower: boolean } {
		const { scrollMargin } = this.#virtualizer.options;
		const offset = y - this.#list.current!.getBoundingClientRect().top + scrollMargin;
		const item = this.#virtualizer.getVirtualItemForOffset(offset);
		return item === undefined
			? { index: 0, isLower: false }
			: { index: item.index, isLower: offset > item.start + item.size / 2 };
	}

	/** How far below the beginning of the list a row begins; for the number of rows, where the last one ends. */
	topOf(index: number): number {
		const item = this.#virtualizer.measurementsCache[index];
		return item === undefined ? this.#virtualizer.getTotalSize() : item.start - this.#virtualizer.options.scrollMargin;
	}

	/** How far a level is indented. */
	get indentation(): number {
		return Number.parseFloat(getComputedStyle(this.scroller).getPropertyValue("--indent"));
	}
}
