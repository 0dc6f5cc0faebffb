import { addTo } from "../engine/lists.js";
import { askAll, Counter, type Operation, pause } from "../engine/protocol.js";
import type { Locator, StoredNode } from "../storage.js";

/** The parent of the nodes at the top level. No id is empty. */
const root = "";

/** The most lineages in one request. They may be long, and many may share their ends. */
const lineagesAtOnce = 64;

/**
 * Knows, for one node (the top) at one revision, which nodes are in its subtree and which are visible from
 * it. Reads the ancestors of each node, and follows their mirrors. So its cost doesn't depend on the size of
 * the outline.
 *
 * Visible are the subtree of the top, the origin of each visible mirror, and the subtree of that origin.
 */
export class Exploration {
	/** The id of the top. */
	readonly top: string;
	readonly #inside: Reach;
	readonly #visible: Reach;
	/** The nodes whose ancestors are all known. */
	readonly #located = new Reach(root);
	readonly #parents = new Map<string, string | null>();
	readonly #mirrors = new Map<string, readonly string[]>();
	/** The ids of nodes by locator; `null` for a locator without a node. */
	readonly #ids = new Map<string, string | null>();
	/** The nodes outside whose mirrors, and the mirrors of whose ancestors, have been followed. */
	readonly #followed = new Set<string>();

	constructor(top: string) {
		this.top = top;
		this.#inside = new Reach(top);
		this.#visible = new Reach(top);
	}

	/** The number of nodes with a known parent. */
	get size(): number {
		return this.#parents.size;
	}

	/** Whether a node is the top or below it. Call {@link Exploration.locate} before. */
	isInside(id: string): boolean {
		return this.#inside.has(id);
	}

	/** Whether a node is visible. Call {@link Exploration.explore} before. */
	isVisible(id: string): boolean {
		return this.#visible.has(id);
	}

	/** The id of a node's parent, even a hidden one; undefined if it isn't known. */
	parent(id: string): string | null | undefined {
		return this.#parents.get(id);
	}

	/** The id of the node that a locator names; `null` if there is none, undefined if it isn't known yet. */
	find(at: Locator): string | null | undefined {
		if (!("id" in at)) return this.#ids.get(JSON.stringify(at));
		return this.#inside.has(at.id) || this.#located.has(at.id) ? at.id : undefined;
	}

	/** Learns the answer to an `ancestors` query. */
	learnLineage(of: Locator, lineage: readonly string[]): void {
		if ("id" in of) this.#learnLineage(of.id, lineage);
		else {
			this.#ids.set(JSON.stringify(of), lineage[0] ?? null);
			if (lineage[0] !== undefined) this.#learnLineage(lineage[0], lineage);
		}
	}

	/** Learns the parent, the origin and the mirrors of a node. */
	learn({ record, origin, mirrorIds }: StoredNode): void {
		this.#learnParent(record.id, record.parentId);
		// Doesn't learn the origin's parent: a scope around this one may have to hide it, but leaves this record
		// as it is.
		if (origin !== null) this.learnMirror(record.id, origin.id);
		if (this.#mirrors.has(record.id)) return;
		this.#mirrors.set(record.id, mirrorIds);
		for (const mirrorId of mirrorIds) this.learnMirror(mirrorId, record.id);
	}

	/** Learns that a node is a mirror of another node. */
	learnMirror(mirrorId: string, originId: string): void {
		this.#visible.connect(mirrorId, originId);
	}

	/** Finds out which nodes are inside. */
	*locate(ids: Iterable<string>): Operation<void> {
		const counter = new Counter();
		for (;;) {
			const gaps = new Set<string>();
			for (const id of ids) {
				if (counter.isDue()) yield* pause();
				const gap = this.#gapAbove(id);
				if (gap !== undefined) gaps.add(gap);
			}
			if (gaps.size === 0) return;
			yield* this.#ask([...gaps], []);
		}
	}

	/** Finds out which nodes and which of their ancestors up to the top are visible. */
	*explore(ids: Iterable<string>): Operation<void> {
		const open = new Set(ids);
		const counter = new Counter();
		for (;;) {
			const gaps = new Set<string>();
			const bare: string[] = [];
			// Mirrors join the set during the loop, because this needs their ancestors too.
			for (const id of open) {
				if (counter.isDue()) yield* pause();
				const gap = this.#gapAbove(id);
				if (gap !== undefined) {
					gaps.add(gap);
					continue;
				}
				open.delete(id);
				if (!this.#inside.has(id)) for (const mirrorId of this.#mirrorsAbove(id, bare)) open.add(mirrorId);
			}
			if (gaps.size === 0 && bare.length === 0) return;
			yield* this.#ask([...gaps], bare);
			for (const id of bare) for (const mirrorId of this.#mirrors.get(id)!) open.add(mirrorId);
		}
	}

	/** Reads the lineages of the nodes in `gaps`, and the mirrors of the nodes in `bare`. */
	*#ask(gaps: readonly string[], bare: readonly string[]): Operation<void> {
		const lined = gaps.slice(0, lineagesAtOnce);
		// The rest climbs a level at the same time, and may meet the lineages that this request reads.
		const stepped = [...gaps.slice(lineagesAtOnce), ...bare];
		const [related, ...lineages] = yield* askAll([
			{ type: "related", ids: stepped },
			...lined.map((id) => ({ type: "ancestors", of: { id } }) as const),
		] as const);
		const counter = new Counter();
		for (const node of related) {
			if (counter.isDue()) yield* pause();
			this.learn(node);
		}
		for (const [index, id] of lined.entries()) this.#learnLineage(id, lineages[index]!);
		for (const id of stepped) {
			this.#learnParent(id, null);
			if (!this.#mirrors.has(id)) this.#mirrors.set(id, []);
		}
	}

	/** The nearest ancestor of a node, or the node, whose parent isn't known; undefined if there is none. */
	#gapAbove(id: string): string | undefined {
		const passed = new Set<string>();
		for (let at = id; !this.#inside.has(at) && !this.#located.has(at) && !passed.has(at); ) {
			const parent = this.#parents.get(at);
			if (parent === undefined) return at;
			if (parent === null) return undefined;
			passed.add(at);
			at = parent;
		}
		return undefined;
	}

	/**
	 * The mirrors of a node and of its ancestors that haven't been followed yet. Adds the nodes whose mirrors
	 * aren't known to `bare`.
	 */
	*#mirrorsAbove(id: string, bare: string[]): Generator<string> {
		for (let at: string | null = id; at !== null && !this.#followed.has(at); at = this.#parents.get(at) ?? null) {
			this.#followed.add(at);
			const mirrorIds = this.#mirrors.get(at);
			if (mirrorIds === undefined) bare.push(at);
			else yield* mirrorIds;
		}
	}

	/** Learns the parents in a lineage. A node that doesn't exist has an empty one. */
	#learnLineage(id: string, lineage: readonly string[]): void {
		if (lineage.length === 0) {
			this.#learnParent(id, null);
			this.#mirrors.set(id, []);
		}
		// From the top level down, so that each edge begins at a node that is reached already.
		for (let index = lineage.length - 1; index >= 0; index--) {
			this.#learnParent(lineage[index]!, lineage[index + 1] ?? null);
		}
	}

	#learnParent(id: string, parentId: string | null): void {
		if (this.#parents.has(id)) return;
		this.#parents.set(id, parentId);
		this.#located.connect(parentId ?? root, id);
		if (parentId === null) return;
		this.#inside.connect(parentId, id);
		this.#visible.connect(parentId, id);
	}
}

/** The nodes that edges, learned one by one, connect with a start. All edges together take linear time. */
export class Reach {
	readonly #reached: Set<string>;
	/** The ends of edges whose beginnings aren't reached yet. */
	readonly #waiting = new Map<string, string[]>();

	constructor(start: string) {
		this.#reached = new Set([start]);
	}

	/** Whether a path leads to an id. */
	has(id: string): boolean {
		return this.#reached.has(id);
	}

	/** Adds an edge. */
	connect(from: string, to: string): void {
		if (!this.#reached.has(from)) {
			addTo(this.#waiting, from, to);
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
