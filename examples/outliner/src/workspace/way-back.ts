import type { Row } from "outlinekit/live";
import { Cell } from "./cell.js";

/** The row that the user was at in each place, so that a way back leads there. */
export class WayBack {
	/** The key of a row that has to come into sight without the caret; null for none. */
	readonly sight = new Cell<string | null>(null);
	/** The keys of the rows, by the ids of the nodes that showed then. */
	readonly #left = new Map<string | null, string>();
	/** The key of the row in the middle of the screen. */
	#middle: string | undefined;

	/** Follows the rows on the screen. */
	look(rows: readonly Row[]): void {
		this.#middle = rows[rows.length >> 1]?.key;
	}

	/**
	 * Keeps a place that the user leaves.
	 *
	 * @param key - the key of the row with the caret. Without a caret, the middle of the screen counts.
	 */
	leave(root: string | null, key = this.#middle): void {
		if (key !== undefined) this.#left.set(root, key);
	}

	/** Returns the key of the row that the user was at; none in a new place. */
	to(root: string | null): readonly string[] {
		const key = this.#left.get(root);
		return key === undefined ? [] : [key];
	}
}
