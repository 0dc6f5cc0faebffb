/** The milliseconds without a scroll after which a page has come to rest. */
const pause = 150;

/**
 * Whether fingers scroll an element, or it still glides on after them. A browser then ignores a place that a program
 * scrolls to, or stops gliding there.
 */
export class Glide {
	#isMoving = false;
	#hasFingers = false;
	#rest: ReturnType<typeof setTimeout> | undefined;

	/**
	 * @param onRest - called when it comes to rest
	 * @param ended - ends it
	 */
	constructor(element: HTMLElement, onRest: () => void, signal: AbortSignal) {
		const wait = () => {
			clearTimeout(this.#rest);
			if (this.#hasFingers || !this.#isMoving) return;
			this.#rest = setTimeout(() => {
				this.#isMoving = false;
				onRest();
			}, pause);
		};
		const touch = ({ touches }: TouchEvent) => {
			this.#hasFingers = touches.length > 0;
			this.#isMoving ||= this.#hasFingers;
			wait();
		};
		const options = { passive: true, signal };
		for (const type of ["touchstart", "touchend", "touchcancel"] as const)
			element.addEventListener(type, touch, options);
		element.addEventListener("scroll", wait, options);
		signal.addEventListener("abort", () => clearTimeout(this.#rest));
	}

	get isMoving(): boolean {
		return this.#isMoving;
	}
}
