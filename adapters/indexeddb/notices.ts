/**
 * The minimum number of milliseconds between two notices. Sending one takes a browser a quarter of the time
 * of a commit, and each makes every other tab read the database.
 */
const interval = 25;

/**
 * The milliseconds that a tab doesn't write after another tab has asked for its turn: longer than the longest pause
 * between two attempts at a write, which is 64.
 */
const turnTime = 100;

/** The message that asks for a turn. All other messages are notices. */
const turnWanted = "turn";

// Every host with IndexedDB has timers too.
declare function setTimeout(callback: () => void, milliseconds: number): Timer;
declare function clearTimeout(timer: Timer | null): void;

/** A timer: a number, and in Node an object. */
type Timer = number | { unref(): void };

/** The part of a `BroadcastChannel` that is used. */
interface Channel {
	onmessage: ((event: { readonly data: unknown }) => void) | null;
	postMessage(message: unknown): void;
	close(): void;
	/** Only in Node. */
	unref?(): void;
}

/** The parts of the global object that are used. Each may be missing. */
interface Surroundings {
	readonly BroadcastChannel?: new (name: string) => Channel;
	readonly document?: {
		readonly visibilityState: string;
		addEventListener(type: "visibilitychange" | "freeze" | "resume", listener: () => void): void;
		removeEventListener(type: "visibilitychange" | "freeze" | "resume", listener: () => void): void;
	};
	addEventListener?(type: "pageshow" | "pagehide", listener: () => void): void;
	removeEventListener?(type: "pageshow" | "pagehide", listener: () => void): void;
}

/**
 * Notices between the tabs of an outline. A notice says only that something may have changed; its receiver
 * reads the database. Without notices, a tab finds out when it writes.
 */
export class Notices {
	readonly #channel: Channel | null;
	readonly #end: () => void;
	/** Runs while no notice may be sent. */
	#timer: Timer | null = null;
	/** Whether there is a commit without a notice. */
	#due = false;
	/** Resolves when this tab may write again; null if it may. */
	#turnOfOther: Promise<void> | null = null;
	/** Whether this tab has just asked for its turn. */
	#asks = false;
	/** Whether the browser has frozen the page. */
	#isFrozen = false;

	/**
	 * Calls `listener` when there may be changes: on a notice, and when the page comes back from a state in
	 * which notices don't reach it.
	 */
	constructor(name: string, listener: () => void) {
		const page = globalThis as Surroundings;
		const { document } = page;
		this.#channel = openChannel(name);
		if (this.#channel !== null) {
			this.#channel.onmessage = ({ data }) => {
				// A frozen page gets messages, but no answers of the database. Its reads would hold up the writes of other tabs.
				if (this.#isFrozen) return;
				if (data === turnWanted) this.#giveWay();
				else listener();
			};
			// An open channel would keep a Node process alive.
			this.#channel.unref?.();
		}
		const shown = () => {
			if (document?.visibilityState === "visible") listener();
		};
		const frozen = () => {
			this.#isFrozen = true;
		};
		const resumed = () => {
			this.#isFrozen = false;
			listener();
		};
		document?.addEventListener("visibilitychange", shown);
		document?.addEventListener("freeze", frozen);
		document?.addEventListener("resume", resumed);
		const hidden = () => this.#send();
		if (document !== undefined) {
			page.addEventListener?.("pageshow", listener);
			// Timers may not run in a page that is being left.
			page.addEventListener?.("pagehide", hidden);
		}
		this.#end = () => {
			document?.removeEventListener("visibilitychange", shown);
			document?.removeEventListener("freeze", frozen);
			document?.removeEventListener("resume", resumed);
			page.removeEventListener?.("pageshow", listener);
			page.removeEventListener?.("pagehide", hidden);
		};
	}

	/** Sends a notice: at once, or soon if the last one was just sent. */
	notify(): void {
		if (this.#channel === null) return;
		this.#due = true;
		if (this.#timer === null) this.#send();
	}

	/**
	 * Resolves when this tab may write: at once, or when the turn of another tab has ended. Null in place of a promise
	 * that is resolved.
	 */
	get turn(): Promise<void> | null {
		return this.#turnOfOther;
	}

	/**
	 * Asks the other tabs not to write for a moment. A tab that writes without a pause has always sent its next write
	 * before another tab has read the last one.
	 */
	askForTurn(): void {
		if (this.#channel === null || this.#asks) return;
		this.#asks = true;
		this.#post(turnWanted);
		void moment().then(() => {
			this.#asks = false;
		});
	}

	/** Doesn't write for a moment, unless this tab waits for its turn too. */
	#giveWay(): void {
		if (this.#asks) return;
		this.#turnOfOther ??= moment().then(() => {
			this.#turnOfOther = null;
		});
	}

	/** Sends a notice that is still due, and stops listening. */
	close(): void {
		this.#send();
		clearTimeout(this.#timer);
		this.#channel?.close();
		this.#end();
	}

	/** Sends a message. If the browser refuses it, other tabs find out when they write. */
	#post(message: unknown): void {
		try {
			this.#channel?.postMessage(message);
		} catch {
			// The commit that it tells of is stored.
		}
	}

	#send(): void {
		if (!this.#due) return;
		this.#due = false;
		this.#post(null);
		clearTimeout(this.#timer);
		this.#timer = setTimeout(() => {
			this.#timer = null;
			this.#send();
		}, interval);
		if (typeof this.#timer === "object") this.#timer.unref();
	}
}

/** Resolves when a turn ends. */
function moment(): Promise<void> {
	return new Promise((resolve) => {
		setTimeout(resolve, turnTime);
	});
}

/** Returns a channel; null if there are none, or the browser's settings don't allow the page any. */
function openChannel(name: string): Channel | null {
	const { BroadcastChannel } = globalThis as Surroundings;
	if (BroadcastChannel === undefined) return null;
	try {
		return new BroadcastChannel(name);
	} catch {
		return null;
	}
}
