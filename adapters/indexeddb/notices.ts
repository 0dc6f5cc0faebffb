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
	addEventListener?(type: "pageshow", listener: () => void): void;
	removeEventListener?(type: "pageshow", listener: () => void): void;
}

/**
 * How the tabs of an outline tell each other that there is something new. A notice says no more than that: whoever gets one
 * looks. Where there are none, a tab finds out when it writes.
 */
export class Notices {
	readonly #channel: Channel | null;
	readonly #end: () => void;

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
		if (document !== undefined) page.addEventListener?.("pageshow", listener);
		this.#end = () => {
			document?.removeEventListener("visibilitychange", shown);
			page.removeEventListener?.("pageshow", listener);
		};
	}

	/** Tells the others. */
	tell(): void {
		this.#channel?.postMessage(null);
	}

	/** No more notices. */
	close(): void {
		this.#channel?.close();
		this.#end();
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
