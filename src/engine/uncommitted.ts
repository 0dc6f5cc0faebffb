import { shortIdOf } from "../id.js";
import { byPlace, type Range } from "../siblings.js";
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
import { ChangedNode, ChangedRecords } from "./changed-records.js";
import { Changes } from "./changes.js";
import { addTo } from "./lists.js";
import { askAll, Counter, type Operation, pause, pausePoint } from "./protocol.js";

const none: readonly never[] = [];

type ChildrenQuery = Extract<Query, { type: "children" }>;

/** A query for {@link Uncommitted.askAhead}: for the own children of a node, or its ancestors. */
export type AheadQuery =
	| (ChildrenQuery & { readonly of: { readonly id: string } | null; readonly scope: "own" })
	| { readonly type: "ancestors"; readonly of: { readonly id: string } };

/** The number of ancestors that are read at once, if a storage can answer with so few. */
const lineAtOnce = 1000;

/** The most queries of a round trip. The lines of ancestors may be long. */
const askedTogether = { children: 16, ancestors: 4 };

/**
 * The uncommitted changes of a batch, and the outline as they leave it. An operation that {@link run} runs
 * reads the stored records with these changes. So it sees the changes of the operations before it, and its
 * code is the same as for a single call.
 *
 * All answers of the storage belong to one revision, so this object keeps them. The operations of a long
 * batch ask for the same parents again and again; only the first time takes a round trip.
 */
export class Uncommitted {
	readonly #index = new ChangedRecords((id): NodeChange | undefined => this.changes.indexedNode(id));
	/** Collects the changes. */
	readonly changes: Changes = new Changes(this.#index);
	readonly #answers = new Map<string, unknown>();
	/** The stored nodes by their ids; `null` for one that doesn't exist. Most queries of a batch are for these. */
	readonly #nodes = new Map<string, StoredNode | null>();
	/** The ids of stored parents, as lines of ancestors had them; `null` at the top level. Long lines share most of theirs. */
	readonly #parents = new Map<string, string | null>();

	/** Reads nodes, if it doesn't have them, in one round trip. Later queries for them take none. */
	*readAhead(ids: readonly string[]): Operation<void> {
		const unknown = ids.filter((id) => !this.#nodes.has(id));
		if (unknown.length === 0) return;
		const counter = new Counter();
		const [stored] = yield* askAll([{ type: "related", ids: unknown }]);
		const keep = (id: string, node: StoredNode | null) => {
			if (!this.#nodes.has(id)) this.#nodes.set(id, node);
		};
		for (const node of stored) {
			if (counter.isDue()) yield* pause();
			keep(node.record.id, node);
		}
		for (const id of unknown) {
			if (counter.isDue()) yield* pause();
			keep(id, null);
		}
	}

	/**
	 * Gets queries of one type answered, several in each round trip. The same queries later take none. Call it
	 * before the first change.
	 */
	*askAhead(queries: readonly AheadQuery[]): Operation<void> {
		for (let start = 0; start < queries.length; ) {
			const most = Math.min(askedTogether[queries[start]!.type], queries.length - start);
			// Powers of two, because a database keeps a statement for each number of queries.
			const count = 2 ** Math.floor(Math.log2(most));
			const asked = queries.slice(start, start + count);
			const answers: readonly unknown[] = yield* askAll(asked);
			// Some storages answer without a turn of the event loop.
			yield* pause();
			for (const [index, query] of asked.entries()) {
				if (query.type !== "children") yield* this.#learnLine(answers[index] as readonly string[], true);
				else {
					const children = this.#index.unchangedChildrenOf(query.of?.id ?? null);
					children.add(query, answers[index] as readonly StoredNode[], () => true);
				}
			}
			start += count;
		}
	}

	/** Runs an operation on the storage with the changes. */
	*run<T>(operation: Operation<T>): Operation<T> {
		let step = operation.next([]);
		while (!step.done) {
			const queries = step.value;
			if (queries === pausePoint) step = operation.next(yield queries);
			// Without changes and kept nodes the storage answers, but not a `related` query: its nodes are kept.
			else if (this.changes.empty && this.#nodes.size === 0 && queries[0]?.type !== "related")
				step = operation.next(yield* askAll(queries));
			else {
				const answers: unknown[] = [];
				for (const query of queries) {
					const known = this.#answerInMemory(query);
					answers.push(known === undefined ? yield* this.#answer(query) : known);
				}
				step = operation.next(answers);
			}
		}
		return step.value;
	}

	/** The answer to a query for which the storage isn't needed; undefined for others. A generator takes many times as long. */
	#answerInMemory(query: Query): Answer<Query> | undefined {
		if (query.type === "node") return "id" in query.at ? this.#nodeInMemory(query.at.id) : undefined;
		if (query.type === "children") return this.#knownChildren(query);
		return query.type === "taken" && query.shortIds.length === 0 ? none : undefined;
	}

	#answer(query: Query): Operation<Answer<Query>> {
		switch (query.type) {
			case "node":
				return this.#at(query.at);
			case "children":
				return this.#visible(query);
			case "ancestors":
				return this.#ancestors(query.of);
			case "subtree":
				return this.#subtree(query.of);
			case "keys":
				return this.#keysOf(query.group);
			case "taken":
				return this.#taken(query.shortIds);
			case "related":
				return this.#related(query.ids);
			case "documents":
				// Documents change after all operations have run.
				return this.#stored(query);
			// Each type has a case, so that the compiler asks for a case when a type is added.
			case "changes":
				throw new Error("No operation with uncommitted changes asks for the feed.");
		}
	}

	/** The answer of the storage, without the changes. */
	*#stored<const Q extends Query>(query: Q): Operation<Answer<Q>> {
		const key = JSON.stringify(query);
		if (!this.#answers.has(key)) this.#answers.set(key, (yield* askAll([query]))[0]);
		return this.#answers.get(key) as Answer<Q>;
	}

	*#taken(shortIds: readonly string[]): Operation<readonly string[]> {
		const stored = new Set(yield* this.#stored({ type: "taken", shortIds }));
		// A deletion may have set one free. Mostly none is taken, and all changes needn't be listed.
		for (const { before, after } of stored.size === 0 ? [] : this.changes.nodes)
			if (after === null) stored.delete(shortIdOf(before!.id));
		return shortIds.filter((shortId) => stored.has(shortId) || this.#index.idOf(shortId) !== undefined);
	}

	*#related(ids: readonly string[]): Operation<readonly StoredNode[]> {
		const counter = new Counter();
		yield* this.readAhead(ids);
		const found = new Map<string, StoredNode>();
		for (const id of ids) {
			if (counter.isDue()) yield* pause();
			const node = yield* this.#node(id);
			if (node === null) continue;
			found.set(id, node);
			for (const other of [...node.mirrorIds, ...(node.origin === null ? [] : [node.origin.id])]) {
				if (!found.has(other)) found.set(other, (yield* this.#node(other))!);
			}
		}
		return [...found.values()];
	}

	*#at(at: Locator): Operation<StoredNode | null> {
		const id = yield* this.#idOf(at);
		return id === null ? null : yield* this.#node(id);
	}

	*#idOf(at: Locator): Operation<string | null> {
		if ("id" in at) return at.id;
		if ("key" in at) {
			const change = this.changes.key(at.key);
			if (change !== undefined) return change.after?.nodeId ?? null;
		} else {
			const id = this.#index.idOf(at.shortId);
			if (id !== undefined) return id;
		}
		return (yield* this.#stored({ type: "node", at }))?.record.id ?? null;
	}

	/**
	 * The change of a node, if any. A deferred node may have this id, but most ids are stored. So it reads the storage
	 * first, and then seldom has to index the deferred nodes.
	 */
	*#change(id: string): Operation<NodeChange | undefined> {
		const known = this.changes.indexedNode(id);
		if (known !== undefined || !this.changes.defers) return known;
		return (yield* this.#storedNode(id)) === null ? this.changes.node(id) : undefined;
	}

	/** A node as the storage has it. */
	*#storedNode(id: string): Operation<StoredNode | null> {
		const known = this.#nodes.get(id);
		if (known !== undefined) return known;
		const [node] = yield* askAll([{ type: "node", at: { id } }]);
		this.#nodes.set(id, node);
		return node;
	}

	/** Returns a node from memory; null if there is none. Undefined for a mirror, and if the storage must be read. */
	#nodeInMemory(id: string): StoredNode | null | undefined {
		const change = this.changes.indexedNode(id);
		if (change?.after === null) return null;
		if (change === undefined && this.changes.defers) return undefined;
		const stored = change?.before === null ? null : this.#nodes.get(id);
		if (stored === undefined) return undefined;
		const record = change?.after ?? stored?.record;
		if (record === undefined) return null;
		return record.originId === null ? new ChangedNode(this.#index, record, null, stored) : undefined;
	}

	*#node(id: string): Operation<StoredNode | null> {
		const known = this.#nodeInMemory(id);
		if (known !== undefined) return known;
		const change = yield* this.#change(id);
		if (change?.after === null) return null;
		const stored = change?.before === null ? null : yield* this.#storedNode(id);
		const record = change?.after ?? stored?.record;
		return record === undefined ? null : yield* this.#withOrigin(record, stored);
	}

	/** Adds the origin and the mirrors to a record. @param stored - the same node as the storage has it */
	*#withOrigin(record: NodeRecord, stored: StoredNode | null): Operation<StoredNode> {
		const origin = record.originId === null ? null : yield* this.#originOf(record.originId, stored);
		return new ChangedNode(this.#index, record, origin, stored);
	}

	*#originOf(originId: string, stored: StoredNode | null): Operation<NodeRecord | null> {
		const change = yield* this.#change(originId);
		if (change !== undefined) return change.after;
		if (stored?.record.originId === originId) return stored.origin;
		return (yield* this.#storedNode(originId))?.record ?? null;
	}

	*#visible({ of, scope, ...range }: ChildrenQuery): Operation<StoredNode[]> {
		if (of === null) return yield* this.#childrenOf(null, range);
		const parent = yield* this.#at(of);
		if (parent === null) return [];
		const own = yield* this.#childrenOf(parent.record.id, range);
		if (scope === "own" || parent.origin === null) return own;
		const origins = yield* this.#childrenOf(parent.origin.id, range);
		return cut([...own, ...origins].sort(inOrder), range);
	}

	*#childrenOf(parentId: string | null, range: Range): Operation<StoredNode[]> {
		const isNew = parentId !== null && (yield* this.#change(parentId))?.before === null;
		if (isNew) this.changes.indexDeferred();
		const children: StoredNode[] = [];
		for (const { record } of this.#index.childrenOf(parentId)?.range(range) ?? []) {
			children.push((yield* this.#node(record.id))!);
		}
		if (isNew) return children;
		for (const stored of yield* this.#unchanged(parentId, range)) {
			children.push(yield* this.#withOrigin(stored.record, stored));
		}
		return cut(children.sort(inOrder), range);
	}

	/** The children of a node, if neither they nor it are mirrors and the storage isn't needed; undefined if not. */
	#knownChildren({ of, ...range }: ChildrenQuery): StoredNode[] | undefined {
		const parent = of !== null && "id" in of ? this.#nodeInMemory(of.id) : undefined;
		if (parent == null && of !== null) return undefined;
		const parentId = parent?.record.id ?? null;
		const isNew = parentId !== null && this.changes.indexedNode(parentId)?.before === null;
		const unchanged = isNew ? none : this.#index.unchangedChildrenOf(parentId).in(range);
		if (unchanged === undefined) return undefined;
		if (isNew) this.changes.indexDeferred();
		const children: StoredNode[] = [];
		for (const { record } of this.#index.childrenOf(parentId)?.range(range) ?? none) {
			const node = this.#nodeInMemory(record.id);
			if (!node) return undefined;
			children.push(node);
		}
		for (const stored of unchanged) {
			if (stored.record.originId !== null) return undefined;
			children.push(new ChangedNode(this.#index, stored.record, null, stored));
		}
		return unchanged.length === 0 ? children : cut(children.sort(inOrder), range);
	}

	/** The stored children without changes. */
	*#unchanged(parentId: string | null, range: Range): Operation<readonly StoredNode[]> {
		const children = this.#index.unchangedChildrenOf(parentId);
		for (;;) {
			const known = children.in(range);
			if (known !== undefined) return known;
			const of = parentId === null ? null : { id: parentId };
			const query: ChildrenQuery = { type: "children", of, scope: "own", ...children.unknown(range) };
			const [stored] = yield* askAll([query]);
			children.add(query, stored, (id) => this.changes.indexedNode(id) === undefined);
		}
	}

	*#ancestors(of: Locator): Operation<string[]> {
		const counter = new Counter();
		const ancestors: string[] = [];
		let at = yield* this.#idOf(of);
		for (let last = at, next = lineAtOnce; at !== null; ) {
			if (counter.isDue()) yield* pause();
			const known = this.changes.indexedNode(at) === undefined ? this.#parents.get(at) : undefined;
			const parentId: string | null | undefined = known === undefined ? yield* this.#parentOf(at) : known;
			if (parentId === undefined) return [];
			ancestors.push(at);
			at = parentId;
			// In a damaged outline the stored parents may form a cycle.
			if (at === last) return [...new Set(ancestors)];
			if (ancestors.length < next) continue;
			last = at;
			next *= 2;
		}
		return ancestors;
	}

	/** The id of the parent of a node; null at the top level, undefined if there is no such node. */
	*#parentOf(id: string): Operation<string | null | undefined> {
		const change = yield* this.#change(id);
		if (change !== undefined) return change.after?.parentId;
		if (!this.#parents.has(id)) {
			const [line] = yield* askAll([{ type: "ancestors", of: { id }, limit: lineAtOnce }]);
			yield* this.#learnLine(line, line.length < lineAtOnce);
		}
		return this.#parents.get(id);
	}

	/** Keeps the parents in a line of ancestors. @param isWhole - whether the line ends at the top level */
	*#learnLine(line: readonly string[], isWhole: boolean): Operation<void> {
		const counter = new Counter();
		for (const [index, id] of line.entries()) {
			if (counter.isDue()) yield* pause();
			const parentId = line[index + 1];
			if (parentId !== undefined || isWhole) this.#parents.set(id, parentId ?? null);
		}
	}

	*#subtree(of: Locator): Operation<Subtree> {
		const top = yield* this.#at(of);
		if (top === null) return { nodes: [], keys: [] };
		this.changes.indexDeferred();
		const nodes: StoredNode[] = [top];
		const keys = new Map<string, KeyRecord>();
		/** The stored nodes below a node of the subtree, by their parents. */
		const below = new Map<string, StoredNode[]>();
		const known = new Set<string>();
		const ids = new Set<string>();
		const counter = new Counter();
		for (let index = 0; index < nodes.length; index++) {
			if (counter.isDue()) yield* pause();
			const { id } = nodes[index]!.record;
			ids.add(id);
			// A node that was moved here has its stored subtree below it.
			if (!known.has(id) && this.changes.node(id)?.before !== null) {
				const stored = yield* this.#stored({ type: "subtree", of: { id } });
				for (const node of stored.nodes) {
					if (counter.isDue()) yield* pause();
					const { parentId } = node.record;
					if (known.has(node.record.id)) continue;
					known.add(node.record.id);
					if (parentId === null) continue;
					addTo(below, parentId, node);
				}
				for (const key of stored.keys) keys.set(key.key, key);
			}
			for (const node of below.get(id) ?? []) {
				if (counter.isDue()) yield* pause();
				if (this.changes.node(node.record.id) === undefined) nodes.push(yield* this.#withOrigin(node.record, node));
			}
			for (const { record } of this.#index.childrenOf(id)?.all() ?? []) {
				if (counter.isDue()) yield* pause();
				nodes.push((yield* this.#node(record.id))!);
			}
		}
		for (const { before, after } of this.changes.keys) {
			if (after === null) keys.delete(before!.key);
			else keys.set(after.key, after);
		}
		return { nodes, keys: [...keys.values()].filter(({ nodeId }) => ids.has(nodeId)) };
	}

	*#keysOf(group: string): Operation<StoredKey[]> {
		const found: StoredKey[] = [];
		for (const { record, node } of yield* this.#stored({ type: "keys", group })) {
			if (this.changes.key(record.key) !== undefined) continue;
			found.push({ record, node: (yield* this.#node(node.record.id))! });
		}
		for (const { after } of this.changes.keys) {
			if (after?.group === group) found.push({ record: after, node: (yield* this.#node(after.nodeId))! });
		}
		return found;
	}
}

function inOrder(left: StoredNode, right: StoredNode): number {
	return byPlace(left.record, right.record);
}

/** Returns the first or last elements of a sorted array, up to `limit`. */
function cut<T>(sorted: readonly T[], { limit, fromLast }: Range): T[] {
	if (limit === undefined || sorted.length <= limit) return [...sorted];
	return fromLast ? sorted.slice(sorted.length - limit) : sorted.slice(0, limit);
}
