/**
 * So many milliseconds pass between two notices, at least: sending one takes a browser a quarter of the time of a commit, and
 * each makes every other tab look.
 */
const interval = 25;

// Everywhere where there is IndexedDB there are timers too.
declare function setTimeout(callback: () => void, milliseconds: number): Timer;
declare function clearTimeout(timer: Timer | null): void;

/** What a timer is: a number, and in Node an object. */
type Timer = number | { unref(): void };

/** The part of a `BroadcastChannel` that is used. */
interface Channel {
	onmessage: (() => void) | null;
	postMessage(message: unknown): void;
	close(): void;
	/** In Node alone. */
	unref?(): void;
}

/** The parts of the global object that are used; none is there everywhere. */
interface Surroundings {
	readonly BroadcastChannel?: new (name: string) => Channel;
	readonly document?: {
		readonly visibilityState: string;
		addEventListener(type: "visibilitychange", listener: () => void): void;
		removeEventListener(type: "visibilitychange", listener: () => void): void;
	};
	addEventListener?(type: "pageshow" | "pagehide", listener: () => void): void;
	removeEventListener?(type: "pageshow" | "pagehide", listener: () => void): void;
}

/**
 * How the tabs of an outline tell each other that there is something new. A notice says no more than that: whoever gets one
 * looks. Where there are none, a tab finds out when it writes.
 */
export class Notices {
	readonly #channel: Channel | null;
	readonly #end: () => void;
	/** Runs while no notice may be sent. */
	#timer: Timer | null = null;
	/** Whether there is something that the others haven't been told. */
	#untold = false;

	/** Calls `listener` when there may be something new: on a notice, and when the page is back from where none reach it. */
	constructor(name: string, listener: () => void) {
		const page = globalThis as Surroundings;
		const { document } = page;
		this.#channel = openChannel(name);
		if (this.#channel !== null) {
			this.#channel.onmessage = listener;
			// It would keep a process of Node alive.
			this.#channel.unref?.();
		}
		const shown = () => {
			if (document?.visibilityState === "visible") listener();
		};
		document?.addEventListener("visibilitychange", shown);
		const hidden = () => this.#send();
		if (document !== undefined) {
			page.addEventListener?.("pageshow", listener);
			// No timer of a page that goes away can be relied on.
			page.addEventListener?.("pagehide", hidden);
		}
		this.#end = () => {
			document?.removeEventListener("visibilitychange", shown);
			page.removeEventListener?.("pageshow", listener);
			page.removeEventListener?.("pagehide", hidden);
		};
	}

	/** Tells the others: at once, or if they have just been told of something else, soon. */
	tell(): void {
		if (this.#channel === null) return;
		this.#untold = true;
		if (this.#timer === null) this.#send();
	}

	/** No more notices; the others are told before what they haven't been. */
	close(): void {
		this.#send();
		clearTimeout(this.#timer);
		this.#channel?.close();
		this.#end();
	}

	#send(): void {
		if (!this.#untold) return;
		this.#untold = false;
		this.#channel?.postMessage(null);
		clearTimeout(this.#timer);
		this.#timer = setTimeout(() => {
			this.#timer = null;
			this.#send();
		}, interval);
		if (typeof this.#timer === "object") this.#timer.unref();
	}
}

/** Null where there are no channels, or the browser's settings allow the page none. */
function openChannel(name: string): Channel | null {
	const { BroadcastChannel } = globalThis as Surroundings;
	if (BroadcastChannel === undefined) return null;
	try {
		return new BroadcastChannel(name);
	} catch {
		return null;
	}
}
