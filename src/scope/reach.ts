/** What can be reached from a start in a graph that comes to be known edge by edge. All edges together take linear time. */
export class Reach {
	readonly #reached: Set<string>;
	/** The ends of edges whose beginnings haven't been reached yet. */
	readonly #waiting = new Map<string, string[]>();

	constructor(start: string) {
		this.#reached = new Set([start]);
	}

	/** Whether an id has been reached. */
	has(id: string): boolean {
		return this.#reached.has(id);
	}

	/** From one, the other can be reached. */
	connect(from: string, to: string): void {
		if (!this.#reached.has(from)) {
			const waiting = this.#waiting.get(from);
			if (waiting === undefined) this.#waiting.set(from, [to]);
			else waiting.push(to);
			return;
		}
		if (!this.#waiting.has(to)) {
			this.#reached.add(to);
			return;
		}
		const pending = [to];
		for (let id = pending.pop(); id !== undefined; id = pending.pop()) {
			if (this.#reached.has(id)) continue;
			this.#reached.add(id);
			for (const next of this.#waiting.get(id) ?? []) pending.push(next);
			this.#waiting.delete(id);
		}
	}
}
