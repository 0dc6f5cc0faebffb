import { askAll, type Reading } from "../engine/protocol.js";
import type { Locator, StoredNode } from "../storage.js";
import { Reach } from "./reach.js";

/** What stands above the nodes without a parent. No id is empty. */
const root = "";

/** How many lineages are asked for at once. They may be long, and many of them the same from some node on. */
const lineagesAtOnce = 64;

/**
 * What is known, at one revision, of where nodes stand with regard to one of them, the top: whether they are below it, and
 * whether they are visible there. It is found out from the node upwards, so that its cost is that of the way to the top (and
 * of the mirrors along it), however large the outline is.
 *
 * Visible is the subtree of the top; the origin of every mirror that is visible; and the subtree of that.
 */
export class Exploration {
	/** The id of the node that everything is seen from. */
	readonly top: string;
	readonly #inside: Reach;
	readonly #visible: Reach;
	/** The nodes all of whose ancestors are known. */
	readonly #located = new Reach(root);
	readonly #parents = new Map<string, string | null>();
	readonly #mirrors = new Map<string, readonly string[]>();
	/** What locators lead to. */
	readonly #ids = new Map<string, string | null>();
	/** The nodes outside whose mirrors have been looked at, with those of all nodes above. */
	readonly #followed = new Set<string>();

	constructor(top: string) {
		this.top = top;
		this.#inside = new Reach(top);
		this.#visible = new Reach(top);
	}

	/** Of how many nodes something is known. */
	get size(): number {
		return this.#parents.size;
	}

	/** Whether a node is known to be the top or below it. Settled by {@link Exploration.locate}. */
	isInside(id: string): boolean {
		return this.#inside.has(id);
	}

	/** Whether a node is known to be visible. Settled by {@link Exploration.explore}. */
	isVisible(id: string): boolean {
		return this.#visible.has(id);
	}

	/** The parent of a node, hidden or not; undefined if it isn't known. */
	parent(id: string): string | null | undefined {
		return this.#parents.get(id);
	}

	/** The id of the node that a locator leads to, `null` if there is none; undefined as long as it isn't known. */
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

	/** Learns of a node. */
	learn({ record, origin, mirrorIds }: StoredNode): void {
		this.#learnParent(record.id, record.parentId);
		// Where the origin stands isn't learned from here: its record comes along unmasked.
		if (origin !== null) this.learnMirror(record.id, origin.id);
		if (this.#mirrors.has(record.id)) return;
		this.#mirrors.set(record.id, mirrorIds);
		for (const mirrorId of mirrorIds) this.learnMirror(mirrorId, record.id);
	}

	/** Learns that one node is a mirror of another. */
	learnMirror(mirrorId: string, originId: string): void {
		this.#visible.connect(mirrorId, originId);
	}

	/** Finds out which of some nodes are inside. */
	*locate(ids: Iterable<string>): Reading<void> {
		for (;;) {
			const gaps = new Set<string>();
			for (const id of ids) {
				const gap = this.#gapAbove(id);
				if (gap !== undefined) gaps.add(gap);
			}
			if (gaps.size === 0) return;
			yield* this.#ask([...gaps], []);
		}
	}

	/** Finds out which of some nodes, and of the nodes above them up to the top, are visible. */
	*explore(ids: Iterable<string>): Reading<void> {
		const open = new Set(ids);
		for (;;) {
			const gaps = new Set<string>();
			const bare: string[] = [];
			// Grows while it is walked, by mirrors: what is above these is to be found out as well.
			for (const id of open) {
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

	/** Asks for what is above some nodes, and for the mirrors of others. */
	*#ask(gaps: readonly string[], bare: readonly string[]): Reading<void> {
		const lined = gaps.slice(0, lineagesAtOnce);
		// The rest climbs a level meanwhile, and may come to what the others have found.
		const stepped = [...gaps.slice(lineagesAtOnce), ...bare];
		const [related, ...lineages] = yield* askAll([
			{ type: "related", ids: stepped },
			...lined.map((id) => ({ type: "ancestors", of: { id } }) as const),
		] as const);
		for (const node of related) this.learn(node);
		for (const [place, id] of lined.entries()) this.#learnLineage(id, lineages[place]!);
		for (const id of stepped) {
			this.#learnParent(id, null);
			if (!this.#mirrors.has(id)) this.#mirrors.set(id, []);
		}
	}

	/** The first node above one (or itself) whose parent isn't known; undefined if it is known where the node stands. */
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
	 * The mirrors of a node and of those above it, as far as they haven't been followed; puts those that it doesn't know into
	 * `bare`.
	 */
	*#mirrorsAbove(id: string, bare: string[]): Generator<string> {
		for (let at: string | null = id; at !== null && !this.#followed.has(at); at = this.#parents.get(at) ?? null) {
			this.#followed.add(at);
			const mirrorIds = this.#mirrors.get(at);
			if (mirrorIds === undefined) bare.push(at);
			else yield* mirrorIds;
		}
	}

	/** What isn't there has no lineage, and stands nowhere. */
	#learnLineage(id: string, lineage: readonly string[]): void {
		if (lineage.length === 0) {
			this.#learnParent(id, null);
			this.#mirrors.set(id, []);
		}
		// From the root on, so that each step goes on where the one before has come to.
		for (let place = lineage.length - 1; place >= 0; place--) {
			this.#learnParent(lineage[place]!, lineage[place + 1] ?? null);
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
