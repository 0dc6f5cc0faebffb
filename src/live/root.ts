import { type ChangedKey, looksTheSame, type OutlineEvent } from "../engine/event.js";
import { after } from "../engine/promises.js";
import type { OutlineError } from "../errors.js";
import { isId, isShortId } from "../id.js";
import type { OutlineNode } from "../node.js";
import type { Outline } from "../outline.js";
import { dayWords } from "../reference/calendar.js";
import { CurrentRead, unlessMissing } from "./current-read.js";

const minute = 60_000;

/**
 * The node of a reference, kept up to date. A full or short id always means the same node. A key may get a
 * node, or another one, so a key is looked up again after a commit that sets or drops it, and when a day begins.
 * After a lookup that failed, the next commit begins another one.
 */
export class LiveRoot {
	/** `null` for the top level; undefined while the reference has no node. */
	node: OutlineNode | null | undefined;
	readonly #outline: Pick<Outline, "get"> & Partial<Pick<Outline, "today">>;
	readonly #reference: string | null;
	/** A full or short id, with which the node's id ends; undefined for another reference. */
	readonly #ending: string | undefined;
	readonly #changed: () => void;
	readonly #onError: (error: unknown) => void;
	readonly #read: CurrentRead<OutlineNode | undefined>;
	/** False after a lookup that failed: then the next commit begins another one. */
	#known = true;
	#stopTimer: () => void = () => {};
	#closed = false;

	/**
	 * @param changed - called after each later lookup
	 */
	constructor(
		outline: Pick<Outline, "get"> & Partial<Pick<Outline, "today">>,
		reference: string | null,
		changed: () => void,
		onError: (error: unknown) => void,
	) {
		this.#outline = outline;
		this.#reference = reference;
		if (typeof reference === "string" && (isId(reference) || isShortId(reference)))
			this.#ending = reference.toLowerCase();
		this.#changed = changed;
		this.#onError = onError;
		if (reference === null) this.node = null;
		this.#read = new CurrentRead(
			() => {
				this.#known = false;
				return outline.get(reference!).catch(unlessMissing);
			},
			(found) => {
				// The event of a commit may have brought the same state.
				if (!looksTheSame(this.node ?? undefined, found)) this.node = found;
				this.#known = true;
			},
			() => this.#closed,
		);
	}

	/**
	 * Looks the node up for the first time.
	 *
	 * @throws the errors of `get`, except `not_found`
	 */
	async open(): Promise<void> {
		if (this.#reference === null) return;
		// The next day may begin while the node is looked up.
		if (dayWords.has(this.#reference)) this.#awaitTomorrow();
		await this.#read.start();
	}

	/** Looks the node up again, for example because its deletion can't be read any more. */
	reload(): Promise<void> {
		if (this.#reference === null) return Promise.resolve();
		this.#read.outdate();
		return this.#read.start();
	}

	/** Applies the changes of a commit. Returns whether they include the node. */
	apply({ changes, keys }: OutlineEvent): boolean {
		const change = changes.find(({ id }) => this.#means(id));
		if (change !== undefined) this.node = change.after;
		const concerned = keys.some(({ key, type }) => key === this.#reference || this.#isDay(type));
		if (!this.#read.outdate() && (concerned || !this.#known)) this.#lookUp();
		return change !== undefined;
	}

	close(): void {
		this.#closed = true;
		this.#stopTimer();
	}

	/** Whether an id is that of the node. A full or short id identifies the node even before it exists. */
	#means(id: string): boolean {
		return this.#ending === undefined ? id === this.node?.id : id.endsWith(this.#ending);
	}

	/** Whether a change of a key of this type may concern a reference such as `today`. */
	#isDay(type: ChangedKey["type"]): boolean {
		return type === "calendar" && dayWords.has(this.#reference);
	}

	#lookUp(): void {
		this.#read.start().then(
			() => {
				if (!this.#closed) this.#changed();
			},
			(error: unknown) => {
				if (!this.#closed) this.#onError(error);
			},
		);
	}

	/** Looks the node up again on the next day. In every time zone, a day begins at a full minute. */
	#awaitTomorrow(today = this.#outline.today?.()): void {
		if (today === undefined || this.#closed) return;
		this.#stopTimer = after(minute - (Date.now() % minute), () => {
			let day = today;
			try {
				day = this.#outline.today!();
			} catch (error) {
				if ((error as OutlineError | undefined)?.code === "closed") return;
				// The clock is wrong. The day stays until the clock is right again.
			}
			if (day !== today && !this.#read.outdate()) this.#lookUp();
			this.#awaitTomorrow(day);
		});
	}
}
