import { shortIdOf } from "../id.js";
import { byPlace, type Range, type Sibling, Siblings } from "../siblings.js";
import type {
	Answer,
	KeyRecord,
	Locator,
	NodeChange,
	NodeRecord,
	Query,
	StoredKey,
	StoredNode,
	Subtree,
} from "../storage.js";
import { Changes } from "./changes.js";
import { askAll, breath, type Reading } from "./protocol.js";

type ChildrenQuery = Extract<Query, { type: "children" }>;

/**
 * Changes that show: a reading that is run through them finds what the storage holds with everything that has been changed
 * so far, although nothing is committed yet. So the operations of a batch are the same as those that are made one by one.
 *
 * What the storage has answered is kept, since all of it belongs to one revision: operations that ask the same again and
 * again, as those of a long batch do, make no round trips.
 */
export class Overlay extends Changes {
	/** The changed records that are children of each parent now, without those that are kept back. */
	readonly #children = new Map<string | null, Siblings<Sibling>>();
	/** How many stored children of each parent have been changed: they may be elsewhere now. */
	readonly #changedChildren = new Map<string | null, number>();
	/** The changed records that are mirrors of each origin now. */
	readonly #mirrors = new Map<string, Set<string>>();
	/** The ids of new nodes by their short ids, without those of `#made`. */
	readonly #ids = new Map<string, string>();
	/** The records of new nodes, until somebody asks for a short id. */
	#made: (readonly NodeRecord[])[] = [];
	readonly #answers = new Map<string, unknown>();

	override add(records: readonly NodeRecord[]): void {
		super.add(records);
		if (records.length > 1) this.#made.push(records);
	}

	override put(before: NodeRecord | null, after: NodeRecord): void {
		this.#forget(after.id, before);
		super.put(before, after);
		if (before === null) this.#made.push([after]);
		this.settled(after);
		if (after.originId === null) return;
		const mirrors = this.#mirrors.get(after.originId) ?? new Set();
		this.#mirrors.set(after.originId, mirrors.add(after.id));
	}

	override remove(before: NodeRecord): void {
		this.#forget(before.id, before);
		super.remove(before);
	}

	/** Runs a reading on the storage with what has been changed. */
	*run<T>(reading: Reading<T>): Reading<T> {
		let step = reading.next([]);
		while (!step.done) {
			const queries = step.value;
			if (queries === breath) step = reading.next(yield queries);
			else if (this.empty) step = reading.next(yield* askAll(queries));
			else {
				const answers: unknown[] = [];
				for (const query of queries) answers.push(yield* this.#answer(query));
				step = reading.next(answers);
			}
		}
		return step.value;
	}

	*#answer(query: Query): Reading<Answer<Query>> {
		switch (query.type) {
			case "node":
				return yield* this.#at(query.at);
			case "children":
				return yield* this.#visible(query);
			case "ancestors":
				return yield* this.#ancestors(query.of);
			case "subtree":
				return yield* this.#subtree(query.of);
			case "keys":
				return yield* this.#keysOf(query.group);
			case "taken":
				// What is made here has ids of one source, which gives none twice.
				return query.shortIds.length === 0 ? [] : yield* this.#stored(query);
			case "receipt":
				// Receipts are added when all operations are done, and no operation asks whether there are any.
				return yield* this.#stored(query);
			// Each query is named, so that a new one has to be thought of.
			case "related":
			case "changes":
				throw new Error(`No operation asks for ${query.type}.`);
		}
	}

	/** What the storage itself answers. */
	*#stored<const Q extends Query>(query: Q): Reading<Answer<Q>> {
		const key = JSON.stringify(query);
		if (!this.#answers.has(key)) this.#answers.set(key, (yield* askAll([query]))[0]);
		return this.#answers.get(key) as Answer<Q>;
	}

	*#at(at: Locator): Reading<StoredNode | null> {
		const id = yield* this.#idOf(at);
		return id === null ? null : yield* this.#node(id);
	}

	*#idOf(at: Locator): Reading<string | null> {
		if ("id" in at) return at.id;
		if ("key" in at) {
			const change = this.key(at.key);
			if (change !== undefined) return change.after?.nodeId ?? null;
		} else {
			const id = this.#madeWith(at.shortId);
			if (id !== undefined) return id;
		}
		return (yield* this.#stored({ type: "node", at }))?.record.id ?? null;
	}

	/** What has become of a node. Those that are kept back are looked at only if the storage doesn't have it. */
	*#change(id: string): Reading<NodeChange | undefined> {
		const known = this.knownNode(id);
		if (known !== undefined || !this.keepsBack) return known;
		return (yield* this.#stored({ type: "node", at: { id } })) === null ? this.node(id) : undefined;
	}

	*#node(id: string): Reading<StoredNode | null> {
		const change = yield* this.#change(id);
		if (change?.after === null) return null;
		const stored = change?.before === null ? null : yield* this.#stored({ type: "node", at: { id } });
		const record = change?.after ?? stored?.record;
		return record === undefined ? null : yield* this.#completed(record, stored);
	}

	/** A record with its origin and its mirrors; `stored` is what the storage has of it. */
	*#completed(record: NodeRecord, stored: StoredNode | null): Reading<StoredNode> {
		const { id, originId } = record;
		const kept = (stored?.mirrorIds ?? []).filter((mirrorId) => this.knownNode(mirrorId) === undefined);
		const mirrors = this.#mirrors.get(id);
		const mirrorIds = mirrors === undefined ? kept : [...kept, ...mirrors].sort();
		if (originId === null) return { record, origin: null, mirrorIds };
		const change = yield* this.#change(originId);
		if (change !== undefined) return { record, origin: change.after, mirrorIds };
		if (stored?.record.originId === originId) return { record, origin: stored.origin, mirrorIds };
		const origin = yield* this.#stored({ type: "node", at: { id: originId } });
		return { record, origin: origin?.record ?? null, mirrorIds };
	}

	*#visible({ of, scope, ...range }: ChildrenQuery): Reading<StoredNode[]> {
		if (of === null) return yield* this.#childrenOf(null, range);
		const parent = yield* this.#at(of);
		if (parent === null) return [];
		const own = yield* this.#childrenOf(parent.record.id, range);
		if (scope === "own" || parent.origin === null) return own;
		const origins = yield* this.#childrenOf(parent.origin.id, range);
		return cut([...own, ...origins].sort(inOrder), range);
	}

	*#childrenOf(parentId: string | null, range: Range): Reading<StoredNode[]> {
		const isNew = parentId !== null && (yield* this.#change(parentId))?.before === null;
		if (isNew) this.settle();
		const children: StoredNode[] = [];
		for (const { record } of this.#children.get(parentId)?.range(range) ?? []) {
			children.push((yield* this.#node(record.id))!);
		}
		if (isNew) return children;
		for (const stored of yield* this.#unchanged(parentId, range)) {
			children.push(yield* this.#completed(stored.record, stored));
		}
		return cut(children.sort(inOrder), range);
	}

	/** The stored children that haven't been changed. */
	*#unchanged(parentId: string | null, { limit, fromLast = false, ...bounds }: Range): Reading<StoredNode[]> {
		const changed = this.#changedChildren.get(parentId) ?? 0;
		// As many more as may have gone, and in few steps, so that the answer will do for some time.
		const more = changed === 0 ? 0 : 2 ** Math.ceil(Math.log2(changed));
		const of = parentId === null ? null : { id: parentId };
		const query = { type: "children", of, scope: "own", ...bounds } as const;
		const bounded = limit === undefined ? query : ({ ...query, limit: limit + more, fromLast } as const);
		const stored = yield* this.#stored<ChildrenQuery>(bounded);
		const found: StoredNode[] = [];
		const wanted = limit ?? Number.POSITIVE_INFINITY;
		for (let seen = 0; seen < stored.length && found.length < wanted; seen++) {
			const node = stored[fromLast ? stored.length - 1 - seen : seen]!;
			if (this.knownNode(node.record.id) === undefined) found.push(node);
		}
		return found;
	}

	*#ancestors(of: Locator): Reading<string[]> {
		const lineage: string[] = [];
		let at = yield* this.#idOf(of);
		while (at !== null) {
			const change: NodeChange | undefined = yield* this.#change(at);
			if (change !== undefined) {
				if (change.after === null) return [];
				lineage.push(at);
				at = change.after.parentId;
				continue;
			}
			const stored: readonly string[] = yield* this.#stored({ type: "ancestors", of: { id: at } });
			const changed = stored.findIndex((id) => this.knownNode(id) !== undefined);
			lineage.push(...(changed < 0 ? stored : stored.slice(0, changed)));
			at = changed < 0 ? null : stored[changed]!;
		}
		return lineage;
	}

	*#subtree(of: Locator): Reading<Subtree> {
		const top = yield* this.#at(of);
		if (top === null) return { nodes: [], keys: [] };
		this.settle();
		const nodes: StoredNode[] = [top];
		const keys = new Map<string, KeyRecord>();
		/** The stored nodes below others, by their parents. */
		const below = new Map<string, StoredNode[]>();
		const known = new Set<string>();
		for (let place = 0; place < nodes.length; place++) {
			const { id } = nodes[place]!.record;
			// A node that came from elsewhere brings along what is below it.
			if (!known.has(id) && this.node(id)?.before !== null) {
				const stored = yield* this.#stored({ type: "subtree", of: { id } });
				for (const node of stored.nodes) {
					const { parentId } = node.record;
					if (known.has(node.record.id)) continue;
					known.add(node.record.id);
					if (parentId === null) continue;
					const siblings = below.get(parentId) ?? [];
					siblings.push(node);
					below.set(parentId, siblings);
				}
				for (const key of stored.keys) keys.set(key.key, key);
			}
			for (const node of below.get(id) ?? []) {
				if (this.node(node.record.id) === undefined) nodes.push(yield* this.#completed(node.record, node));
			}
			for (const { record } of this.#children.get(id)?.all() ?? []) nodes.push((yield* this.#node(record.id))!);
		}
		for (const { before, after } of this.keys) {
			if (after === null) keys.delete(before!.key);
			else keys.set(after.key, after);
		}
		const ids = new Set(nodes.map(({ record }) => record.id));
		return { nodes, keys: [...keys.values()].filter(({ nodeId }) => ids.has(nodeId)) };
	}

	*#keysOf(group: string): Reading<StoredKey[]> {
		const found: StoredKey[] = [];
		for (const { record, node } of yield* this.#stored({ type: "keys", group })) {
			if (this.key(record.key) !== undefined) continue;
			found.push({ record, node: (yield* this.#node(node.record.id))! });
		}
		for (const { after } of this.keys) {
			if (after?.group === group) found.push({ record: after, node: (yield* this.#node(after.nodeId))! });
		}
		return found;
	}

	protected override settled(record: NodeRecord): void {
		let siblings = this.#children.get(record.parentId);
		if (siblings === undefined) {
			siblings = new Siblings();
			this.#children.set(record.parentId, siblings);
		}
		siblings.add({ record });
	}

	#madeWith(shortId: string): string | undefined {
		for (const records of this.#made) for (const { id } of records) this.#ids.set(shortIdOf(id), id);
		this.#made = [];
		return this.#ids.get(shortId);
	}

	/** Takes a record out of the indexes before it changes; `before` is what the storage has, if it hasn't changed before. */
	#forget(id: string, before: NodeRecord | null): void {
		const change = before === null ? this.knownNode(id) : this.node(id);
		if (change === undefined) {
			if (before === null) return;
			this.#changedChildren.set(before.parentId, (this.#changedChildren.get(before.parentId) ?? 0) + 1);
			return;
		}
		const { after } = change;
		if (after === null) return;
		this.#children.get(after.parentId)!.remove(after);
		if (after.originId !== null) this.#mirrors.get(after.originId)!.delete(id);
	}
}

function inOrder(left: StoredNode, right: StoredNode): number {
	return byPlace(left.record, right.record);
}

/** The first or last of some sorted things, as many as are asked for. */
function cut<T>(sorted: readonly T[], { limit, fromLast }: Range): T[] {
	if (limit === undefined || sorted.length <= limit) return [...sorted];
	return fromLast ? sorted.slice(sorted.length - limit) : sorted.slice(0, limit);
}
