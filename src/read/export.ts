import { nodeView, type OutlineNode } from "../node.js";
import { Pace } from "../pace.js";
import type { StoredNode } from "../storage.js";

/**
 * Iterates over every node of an outline. A generator would take three turns for each value, but within a
 * chunk of the storage there is nothing to await.
 */
export class NodeExport implements AsyncIterableIterator<OutlineNode, undefined> {
	readonly #begin: () => AsyncIterable<readonly StoredNode[]>;
	#chunks: AsyncIterator<readonly StoredNode[]> | null = null;
	#chunk: readonly StoredNode[] = [];
	/** The index of the next node in the chunk. */
	#next = 0;
	/** The end of the call under way. Later calls wait for it, in their order. */
	#turn: Promise<unknown> | null = null;
	#ended = false;
	/** A storage in memory answers without a pause. */
	readonly #pace = new Pace();

	/** @param begin - called with the first call of `next` */
	constructor(begin: () => AsyncIterable<readonly StoredNode[]>) {
		this.#begin = begin;
	}

	[Symbol.asyncIterator](): this {
		return this;
	}

	next(): Promise<IteratorResult<OutlineNode, undefined>> {
		if (this.#turn === null && this.#next < this.#chunk.length) return Promise.resolve(this.#take());
		return this.#inTurn(() => this.#advance());
	}

	return(): Promise<IteratorResult<OutlineNode, undefined>> {
		return this.#inTurn(async () => {
			this.#end();
			await this.#chunks?.return?.();
			return done;
		});
	}

	#take(): IteratorResult<OutlineNode, undefined> {
		return { done: false, value: nodeView(this.#chunk[this.#next++]!) };
	}

	async #advance(): Promise<IteratorResult<OutlineNode, undefined>> {
		try {
			while (!this.#ended && this.#next === this.#chunk.length) {
				this.#chunks ??= this.#begin()[Symbol.asyncIterator]();
				if (this.#pace.isDue) await this.#pace.turn();
				const step = await this.#chunks.next();
				if (step.done) this.#end();
				else {
					this.#chunk = step.value;
					this.#next = 0;
				}
			}
			return this.#ended ? done : this.#take();
		} catch (error) {
			this.#end();
			throw error;
		}
	}

	#end(): void {
		this.#ended = true;
		this.#chunk = [];
		this.#next = 0;
	}

	async #inTurn<T>(work: () => Promise<T>): Promise<T> {
		const before = this.#turn;
		const turn = (async () => {
			await before?.catch(() => {});
			return work();
		})();
		this.#turn = turn;
		try {
			return await turn;
		} finally {
			if (this.#turn === turn) this.#turn = null;
		}
	}
}

const done = { done: true, value: undefined } as const;
