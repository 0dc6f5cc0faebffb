import type { Row } from "outlinekit/live";
import type { Difference } from "../workspace/rows-difference.js";
import { Glide } from "./glide.js";
import { Heights } from "./heights.js";

/** The rows before and behind the screen that are in the document too. */
const overscan = 8;

/** A row in the document, and its distance from the top of the list. */
export interface Item {
	readonly index: number;
	readonly key: string;
	readonly start: number;
}

/**
 * The part of a long list that is on the screen. Rows have heights of their own, which it measures when they come
 * into the document; until then it estimates them. Sizes and distances are in pixels.
 */
export class Viewport {
	readonly #estimate: (row: Row) => number;
	readonly #changed: () => void;
	#scroller: HTMLElement | undefined;
	#list: HTMLElement | undefined;
	#glide: Glide | undefined;
	#rows: readonly Row[] = [];
	readonly #heights = new Heights();
	/** The measured heights by the keys of the rows, also of rows that are folded away. */
	readonly #measured = new Map<string, number>();
	/** Elements that have come into the document. */
	readonly #fresh = new Set<HTMLElement>();
	readonly #observer = new ResizeObserver((entries) => this.#resized(entries));
	/** The distance of the list from the top of the page, and the height of the screen. */
	#margin = 0;
	#height = 0;
	/** The place of the screen on the page, as soon as the page is up to date. */
	#top = 0;
	/** The change of the place while a finger scrolls: until it rests, the rows are so much further up. */
	#held = 0;
	/** Whether the page isn't scrolled to this place yet. */
	#isDue = false;
	/** The row that has just been scrolled to. Rows that turn out to be taller may push it away. */
	#target: { readonly index: number } | undefined;
	/** The rows in the document. */
	#shown: readonly [first: number, last: number] = [0, 0];

	/**
	 * @param estimate - the height of a row that hasn't been in the document yet
	 * @param changed - called if other rows, or other places, are to be shown
	 */
	constructor(estimate: (row: Row) => number, changed: () => void) {
		this.#estimate = estimate;
		this.#changed = changed;
	}

	/** Follows an element that scrolls, with the list in it. Returns a function that ends it. */
	attach(scroller: HTMLElement, list: HTMLElement): () => void {
		const ended = new AbortController();
		const { signal } = ended;
		this.#scroller = scroller;
		this.#list = list;
		this.#glide = new Glide(scroller, () => this.#release(), signal);
		scroller.addEventListener("scroll", () => this.#scrolled(), { passive: true, signal });
		this.#observer.observe(scroller);
		this.#height = scroller.clientHeight;
		this.#changed();
		return () => {
			ended.abort();
			this.#observer.disconnect();
		};
	}

	/** Goes on with later rows. */
	follow(rows: readonly Row[], { start, before, now }: Difference): void {
		this.#rows = rows;
		const heights = now.map((row) => this.#measured.get(row.key) ?? this.#estimate(row));
		this.#heights.replace(start, before.length, heights);
		// Its index may mean another row.
		if (before.length !== now.length) this.#target = undefined;
	}

	/** The height of the list. */
	get total(): number {
		return this.#heights.total - this.#held;
	}

	/** The distance of a row from the top of the list; for the number of rows, the end of the last one. */
	topOf(index: number): number {
		return this.#heights.topOf(index) - this.#held;
	}

	/** The height of a row. */
	heightOf(index: number): number {
		return this.#heights.of(index);
	}

	/** The index of the row at a distance from the top of the list, or of the nearest row. */
	at(distance: number): number {
		return this.#heights.at(distance + this.#held);
	}

	/**
	 * The rows that have to be in the document.
	 *
	 * @param kept - the index of a row that always has to, since the caret is in it; -1 for none
	 */
	items(kept: number): Item[] {
		const [first, last] = this.#visible();
		this.#shown = [first, last];
		const indexes = Array.from({ length: last - first + 1 }, (_, index) => first + index);
		if (kept >= 0 && kept < first) indexes.unshift(kept);
		if (kept > last) indexes.push(kept);
		return indexes.map((index) => ({ index, key: this.#rows[index]!.key, start: this.topOf(index) }));
	}

	/** Gets to know the element of a row, which has its index in `data-index`. */
	readonly observe = (element: HTMLElement | null): void => {
		if (element === null) return;
		this.#fresh.add(element);
		this.#observer.observe(element);
	};

	/** Measures what has come into the document, and scrolls to where the screen has to be. */
	settle(): void {
		if (this.#isDue) {
			this.#isDue = false;
			this.#scrollTo(this.#top);
		}
		const margin = this.#list!.offsetTop;
		let isOther = margin !== this.#margin;
		this.#margin = margin;
		for (const element of this.#fresh) isOther = this.#measure(element, element.offsetHeight) || isOther;
		this.#fresh.clear();
		if (this.#target !== undefined) this.#aim(this.#target.index);
		if (isOther) this.#changed();
	}

	/** Scrolls as little as needed for a row to be on the screen. */
	scrollTo(index: number): void {
		if (!this.#aim(index)) return;
		const target = { index };
		this.#target = target;
		const forget = () => {
			if (this.#target === target) this.#target = undefined;
		};
		// By then the rows around it are measured.
		requestAnimationFrame(() => requestAnimationFrame(forget));
	}

	/** The indexes of the rows on the screen, and around it. */
	#visible(): [first: number, last: number] {
		// The list may just have become shorter than what the page is still scrolled to.
		const top = Math.min(this.#top - this.#margin, Math.max(this.#heights.total - this.#height, 0));
		const first = Math.max(this.#heights.at(top) - overscan, 0);
		const last = Math.min(this.#heights.at(top + this.#height) + overscan, this.#rows.length - 1);
		return [first, last];
	}

	#scrolled(): void {
		const top = this.#scroller!.scrollTop + this.#held;
		// The person scrolls.
		if (Math.abs(top - this.#top) > 1) this.#target = undefined;
		this.#top = top;
		const [first, last] = this.#visible();
		if (first !== this.#shown[0] || last !== this.#shown[1]) this.#changed();
	}

	#resized(entries: readonly ResizeObserverEntry[]): void {
		let isOther = false;
		for (const { target, borderBoxSize } of entries) {
			if (target === this.#scroller) {
				isOther ||= this.#height !== target.clientHeight;
				this.#height = target.clientHeight;
			} else if (!target.isConnected) this.#observer.unobserve(target);
			else isOther = this.#measure(target as HTMLElement, Math.round(borderBoxSize[0]!.blockSize)) || isOther;
		}
		if (isOther) this.#changed();
	}

	/** Takes the height of an element. Returns whether it is another one than before. */
	#measure(element: HTMLElement, height: number): boolean {
		const index = Number(element.dataset.index);
		const row = this.#rows[index];
		if (row === undefined || !element.isConnected) return false;
		const isFirst = !this.#measured.has(row.key);
		this.#measured.set(row.key, height);
		const before = this.#heights.of(index);
		if (height === before) return false;
		const top = this.#heights.topOf(index) + this.#margin;
		this.#heights.set(index, height);
		// Rows on the screen stay where they are. Of a row at its upper edge, the person sees the end.
		if (isFirst ? top < this.#top : top + before <= this.#top) this.#shift(height - before);
		return true;
	}

	#shift(delta: number): void {
		this.#top += delta;
		if (this.#glide!.isMoving) this.#held += delta;
		else this.#isDue = true;
	}

	/** Scrolls to where the screen has to be, after a finger has scrolled it. */
	#release(): void {
		if (this.#held === 0) return;
		this.#held = 0;
		this.#isDue = true;
		this.#changed();
	}

	/** Scrolls to a row if it isn't on the screen. Returns whether it wasn't. */
	#aim(index: number): boolean {
		const top = this.#heights.topOf(index) + this.#margin;
		const bottom = top + this.#heights.of(index);
		const end = this.#top + this.#height;
		// It is on the screen, or fills it.
		if ((top >= this.#top && bottom <= end) || (top <= this.#top && bottom >= end)) return false;
		this.#scrollTo(bottom > end ? bottom - this.#height : top);
		return true;
	}

	#scrollTo(top: number): void {
		this.#scroller!.scrollTop = top - this.#held;
		// The page may not reach so far.
		this.#top = this.#scroller!.scrollTop + this.#held;
	}
}
