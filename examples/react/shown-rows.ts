import type { Outline, OutlineNode } from "outlinekit";
import { type Live, type LiveRows, liveRows, type Rows } from "outlinekit/live";

/** The visible rows below a node. */
export interface Showing {
	/** The ids of the nodes whose children follow. */
	readonly expanded: ReadonlySet<string>;
	/** Whether completed nodes show. */
	readonly completed: boolean;
}

/**
 * Rows that take all their expanded ids at once, as components have them, and know whether they have
 * children.
 */
export class ShownRows implements Live<Rows> {
	readonly ready: Promise<void>;
	readonly #live: LiveRows;
	readonly #onError: (error: unknown) => void;
	#showing: Showing;

	constructor(outline: Outline, root: string | null, showing: Showing, onError: (error: unknown) => void) {
		const live = liveRows(outline, { root, expanded: showing.expanded, hides: hiding(showing), onError });
		const look = () => live.look(live.current.rows);
		live.subscribe(() => look().catch(onError));
		this.#live = live;
		this.#onError = onError;
		this.#showing = showing;
		this.ready = live.ready.then(look);
	}

	get current(): Rows {
		return this.#live.current;
	}

	subscribe(listener: () => void): () => void {
		return this.#live.subscribe(listener);
	}

	close(): void {
		this.#live.close();
	}

	/** Shows something else than before. */
	show(showing: Showing): void {
		const before = this.#showing;
		this.#showing = showing;
		if (showing.completed !== before.completed) this.#live.hide(hiding(showing));
		this.#expand(without(before.expanded, showing.expanded), false);
		this.#expand(without(showing.expanded, before.expanded), true);
	}

	#expand(ids: readonly string[], expanded: boolean): void {
		if (ids.length > 0) this.#live.expand(ids, expanded).catch(this.#onError);
	}
}

function hiding({ completed }: Showing): (node: OutlineNode) => boolean {
	return (node) => node.completed && !completed;
}

function without(ids: ReadonlySet<string>, others: ReadonlySet<string>): string[] {
	return [...ids].filter((id) => !others.has(id));
}
