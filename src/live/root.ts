import type { OutlineChange } from "../engine/event.js";
import { after } from "../engine/promises.js";
import { OutlineError } from "../errors.js";
import { isId, isShortId } from "../id.js";
import type { OutlineNode } from "../node.js";
import type { Outline } from "../outline.js";

/** The keys that mean another node on another day. */
const days: ReadonlySet<unknown> = new Set(["today", "tomorrow", "next_week"]);

const minute = 60_000;

/**
 * The node that a reference means, kept up to date. A key is followed: after each commit, and when a day begins, it is looked up
 * again, for it may have got a node, or another one. A full or short id always means the same node.
 */
export class LiveRoot {
	/** `null` for the top level; undefined as long as there is no such node. */
	node: OutlineNode | null | undefined;
	readonly #outline: Pick<Outline, "get"> & Partial<Pick<Outline, "today">>;
	readonly #reference: string | null;
	readonly #followed: boolean;
	readonly #changed: () => void;
	readonly #onError: (error: unknown) => void;
	/** How often a commit has told of the node. */
	#told = 0;
	#looking: Promise<void> | null = null;
	#lookAgain = false;
	#stopTimer: () => void = () => {};
	#closed = false;

	/** @param changed - called when `node` has become another one, or has come or gone, since it was looked up first */
	constructor(
		outline: Pick<Outline, "get"> & Partial<Pick<Outline, "today">>,
		reference: string | null,
		changed: () => void,
		onError: (error: unknown) => void,
	) {
		this.#outline = outline;
		this.#reference = reference;
		this.#followed = typeof reference === "string" && !isId(reference) && !isShortId(reference);
		this.#changed = changed;
		this.#onError = onError;
		if (reference === null) this.node = null;
	}

	/** Looks the node up for the first time. @throws what `get` throws, but `not_found` */
	async open(): Promise<void> {
		if (this.#reference === null) return;
		await this.#look();
		if (days.has(this.#reference)) this.#awaitTomorrow();
	}

	/** Takes in what a commit has changed. Returns whether the node is among that. */
	hear(changes: readonly OutlineChange[]): boolean {
		const change = changes.find(({ id }) => id === this.#id);
		if (change !== undefined) {
			this.#told += 1;
			this.node = change.after;
		}
		if (this.#followed) this.#lookUp();
		return change !== undefined;
	}

	close(): void {
		this.#closed = true;
		this.#stopTimer();
	}

	get #id(): string | undefined {
		return this.node?.id ?? (isId(this.#reference ?? "") ? this.#reference!.toLowerCase() : undefined);
	}

	#lookUp(): void {
		const before = this.node?.id;
		this.#look().then(
			() => {
				if (!this.#closed && this.node?.id !== before) this.#changed();
			},
			(error: unknown) => {
				if (!this.#closed) this.#onError(error);
			},
		);
	}

	/** Looks the node up, once more if that is asked for meanwhile. */
	#look(): Promise<void> {
		this.#lookAgain = true;
		this.#looking ??= (async () => {
			try {
				while (this.#lookAgain && !this.#closed) {
					this.#lookAgain = false;
					const told = this.#told;
					const found = await this.#outline.get(this.#reference!).catch(unlessMissing);
					// What a commit has told of it meanwhile is newer.
					if (told === this.#told || found?.id !== this.node?.id) this.node = found;
				}
			} finally {
				this.#looking = null;
			}
		})();
		return this.#looking;
	}

	/** Looks again when another day has begun. Days begin with a minute, in every zone. */
	#awaitTomorrow(): void {
		const today = this.#outline.today?.();
		if (today === undefined || this.#closed) return;
		this.#stopTimer = after(minute - (Date.now() % minute), () => {
			try {
				if (this.#outline.today!() !== today) this.#lookUp();
				this.#awaitTomorrow();
			} catch {
				// The outline has been closed.
			}
		});
	}
}

function unlessMissing(error: unknown): undefined {
	if (!(error instanceof OutlineError && error.code === "not_found")) throw error;
	return undefined;
}
