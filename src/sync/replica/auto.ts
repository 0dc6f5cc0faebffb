import { after, steadyTime } from "../../engine/promises.js";
import { locked } from "./locks.js";
import { type Remote, type RemoteSignal, secondsAskedBy } from "./remote.js";

// Browsers have these.
declare const addEventListener:
	| ((type: "online" | "visibilitychange", listener: () => void, options: { signal: RemoteSignal }) => void)
	| undefined;
declare const document: { readonly visibilityState: string } | undefined;
declare const AbortController: new () => { readonly signal: RemoteSignal; abort(): void };

/** The milliseconds after a commit until it is sent, together with the commits that follow at once. */
const coalescing = 3;

/**
 * The least milliseconds after a commit until a tab sends it that doesn't lead. The browser may have frozen the tab
 * that leads, or doesn't let tabs notify each other.
 */
const patience = 10_000;

/** The pauses after failures, in milliseconds: the first, and the longest. */
const firstPause = 1000;
const longestPause = 60_000;

/** A watch of the server that ends sooner, in milliseconds, counts as failed. */
const shortWatch = 10_000;

/** The milliseconds between exchanges if the remote can't tell of changes. */
const polling = 30_000;

/** The parts of a replica that its automatic exchanges use. */
export interface AutoHost {
	readonly remote: Remote;
	/** Exchanges, and returns the revision reached. Calls {@link Auto.failed} if it fails. */
	sync(): Promise<number>;
	/** Returns the id of this device. */
	device(): Promise<string>;
	/** Whether there are entries to send. */
	pending(): boolean;
}

/**
 * Exchanges automatically: after commits, when the server tells of changes, when the network returns, and
 * after failures with growing pauses. Of several tabs, one leads and does so: the one that was shown last, because
 * browsers slow hidden tabs down or freeze them. The others send only commits that the leader hasn't sent after ten
 * seconds.
 */
export class Auto {
	readonly #host: AutoHost;
	readonly #signal: RemoteSignal;
	#pause = firstPause;
	/** Cancels the timer of the next exchange, if there is one. */
	#cancel = () => {};
	/** The reason of the next exchange: `soon` after a commit, `failed` after a failure. */
	#next: "soon" | "later" | "failed" | null = null;
	/** The {@link steadyTime} from which the server accepts requests again. */
	#notBefore = 0;
	#running = false;
	#again = false;
	/** The number of locks with which it leads: two for a moment if a tab begins that is alone and shown. */
	#leads = 0;
	/** Ends the watch of the server; null while there is none. */
	#endWatch: (() => void) | null = null;
	/** Whether the last watch of the server ended at once. Then the pauses grow, as after failures. */
	#isDeaf = false;
	/** The revision that the device has reached. */
	#reached = 0;
	/** The highest revision that the server has announced since the last exchange began. */
	#told = 0;

	/** @param signal - ends it */
	constructor(host: AutoHost, signal: RemoteSignal) {
		this.#host = host;
		this.#signal = signal;
		if (typeof addEventListener === "function") {
			addEventListener("online", () => this.#online(), { signal });
			addEventListener("visibilitychange", () => this.#shown(), { signal });
		}
		void this.#begin();
		this.#shown();
	}

	/**
	 * Exchanges soon, unless it waits after a failure.
	 *
	 * @param soon - false: within ten seconds
	 */
	wake(soon = true): void {
		if (this.#next === "failed" || this.#next === "soon") return;
		if (this.#running) this.#again = true;
		else if (soon) this.#scheduleSoon();
		else if (this.#next === null) this.#schedule(patience, "later");
	}

	/** Tries again later, because an exchange has failed: one of its own, or one that the host's user has asked for. */
	failed(error: unknown): void {
		this.#defer(error);
		if (!this.#signal.aborted) this.#schedule(this.#nextPause(), "failed");
	}

	/**
	 * Ends the wait after a failure, because an exchange has succeeded: one of its own, or one that the host's user has
	 * asked for. A server may accept requests again long before the time that it has told.
	 */
	succeeded(): void {
		this.#notBefore = 0;
		if (this.#next === "failed") this.#schedule(0, "soon");
	}

	/** Leads when no other tab does, or at once in place of another tab. */
	async #begin(steals = false): Promise<void> {
		let holds = false;
		const lead = () => {
			holds = true;
			return this.#lead();
		};
		try {
			const device = await this.#host.device();
			await locked(`outlinekit/auto/${device}`, this.#signal, lead, undefined, steals);
		} catch {
			// The local storage can't be read, the replica has ended, or a tab that is shown leads now.
			if (this.#signal.aborted) return;
			if (holds) this.#leads -= 1;
			// An exchange gives the status the error of the local storage.
			else this.#schedule(0, "failed");
			if (this.#leads === 0) this.#endWatch?.();
			if (!steals) after(this.#nextPause(), () => void this.#begin());
		}
	}

	/** Works until it has to end. */
	#lead(): Promise<void> {
		if (this.#signal.aborted) return Promise.resolve();
		this.#leads += 1;
		if (this.#leads === 1) this.#schedule(0, "soon");
		return new Promise((resolve) =>
			this.#signal.addEventListener("abort", () => {
				this.#leads = 0;
				this.#endWatch?.();
				this.#cancel();
				resolve();
			}),
		);
	}

	/** Takes the lead, unless this tab has it. */
	#shown(): void {
		if (this.#leads === 0 && typeof document === "object" && document.visibilityState === "visible")
			void this.#begin(true);
	}

	#online(): void {
		if (!this.#leads && this.#next !== "failed") return;
		this.#pause = firstPause;
		// A connection from before the loss of the network may stay silent for a minute until it fails.
		this.#endWatch?.();
		this.#isDeaf = false;
		this.#schedule(0, "failed");
	}

	#scheduleSoon(): void {
		this.#schedule(this.#leads ? coalescing : patience * (1 + Math.random()), "soon");
	}

	#schedule(milliseconds: number, reason: "soon" | "later" | "failed"): void {
		this.#cancel();
		this.#next = reason;
		const wait = Math.min(Math.max(milliseconds, this.#notBefore - steadyTime()), longestPause);
		this.#cancel = after(wait, () => void this.#run());
	}

	async #run(): Promise<void> {
		const hasFailed = this.#next === "failed";
		this.#next = null;
		// After a failure, a tab that doesn't lead tries again too, so that its status is true.
		if (this.#signal.aborted || this.#running || !(this.#leads || hasFailed || this.#host.pending())) return;
		this.#running = true;
		this.#again = false;
		// A server that is set back to an older copy may not have this revision for long, however often it is asked.
		this.#told = 0;
		try {
			this.#reached = await this.#host.sync();
			if (!this.#isDeaf) this.#pause = firstPause;
			this.#running = false;
			if (this.#signal.aborted) return;
			this.#watch();
			if (this.#again || this.#host.pending() || this.#told > this.#reached) this.#scheduleSoon();
			else if (this.#leads && this.#host.remote.watch === undefined) this.#schedule(polling, "later");
		} catch {
			// The status has the error, and the replica has called `failed`.
			this.#running = false;
		}
	}

	/** Listens to the server. When that ends, an exchange finds out whether the server can be reached. */
	#watch(): void {
		const { remote } = this.#host;
		if (!this.#leads || remote.watch === undefined || this.#endWatch !== null) return;
		const controller = new AbortController();
		const end = () => {
			this.#endWatch = null;
			controller.abort();
		};
		this.#endWatch = end;
		const began = steadyTime();
		const listener = (revision: number) => {
			this.#told = Math.max(this.#told, revision);
			if (revision > this.#reached) this.wake();
		};
		void remote
			.watch(this.#reached, listener, controller.signal)
			.catch((error: unknown) => this.#defer(error))
			.then(() => {
				if (this.#endWatch !== end) return;
				this.#endWatch = null;
				this.#isDeaf = steadyTime() - began < shortWatch;
				if (!this.#signal.aborted && this.#next === null && !this.#running) this.#schedule(this.#nextPause(), "later");
			});
	}

	/** Remembers how long the server asks to wait, if it does so. Adds a part, so that devices don't return at once. */
	#defer(error: unknown): void {
		this.#notBefore = steadyTime() + secondsAskedBy(error) * 1000 * (1 + Math.random() / 4);
	}

	/** Returns the length of the next pause, which varies so that many devices don't return at once. */
	#nextPause(): number {
		const pause = this.#pause * (0.5 + Math.random() / 2);
		this.#pause = Math.min(2 * this.#pause, longestPause);
		return pause;
	}
}
