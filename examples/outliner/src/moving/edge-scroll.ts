/**
 * The distance from an edge at which a pointer scrolls, in pixels, and the speed at the edge, in pixels a
 * second.
 */
const reach = 56;
const fastest = 1800;

/** Scrolls as long as a pointer is near the upper or lower edge, the faster the nearer it is. */
export class EdgeScroll {
	readonly #scroller: HTMLElement;
	readonly #onScroll: () => void;
	#y = 0;
	#frame: number | undefined;

	/** @param onScroll - called after each step */
	constructor(scroller: HTMLElement, onScroll: () => void) {
		this.#scroller = scroller;
		this.#onScroll = onScroll;
	}

	/** Goes by a height of the window. */
	follow(y: number): void {
		this.#y = y;
		if (this.#frame === undefined && this.#speed !== 0)
			this.#frame = requestAnimationFrame((now) => this.#step(now, now));
	}

	stop(): void {
		if (this.#frame !== undefined) cancelAnimationFrame(this.#frame);
		this.#frame = undefined;
	}

	/** In pixels a second; negative upwards. */
	get #speed(): number {
		const { top, bottom } = this.#scroller.getBoundingClientRect();
		const above = Math.min(1, (top + reach - this.#y) / reach);
		const below = Math.min(1, (this.#y - bottom + reach) / reach);
		return above > 0 ? -fastest * above : below > 0 ? fastest * below : 0;
	}

	#step(now: number, before: number): void {
		this.#frame = undefined;
		const speed = this.#speed;
		if (speed === 0) return;
		this.#scroller.scrollTop += (speed * (now - before)) / 1000;
		this.#onScroll();
		this.#frame = requestAnimationFrame((next) => this.#step(next, now));
	}
}
