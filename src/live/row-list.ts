import type { OutlineNode } from "../node.js";
import type { ChildLists } from "./child-lists.js";
import { endBelow, keepsBelow, kept, keyBelow, prefixBelow, type Row, shownId } from "./row.js";
import { type Children, dependencies, type RowPlace, Unfolding } from "./unfolding.js";

/**
 * The number of rows that are revised one by one. Each is looked up in the array of all rows, so beyond this
 * it takes less time to make all rows again.
 */
const mostRevised = 100;

/** The most rows that are passed to a function one by one. */
const mostArguments = 1000;

/**
 * The rows of the loaded children. After a change it makes only the rows that differ. The other rows stay the
 * same objects: for these, a change only copies the array.
 */
export class RowList {
	readonly #lists: ChildLists;
	readonly #unfolding: Unfolding;
	/** The parent of the rows at depth 0: null for the top level, undefined if there is none. */
	#root: OutlineNode | null | undefined;
	#rows: readonly Row[] = [];
	/** The rows as this update changes them: a copy, because a host may have the earlier ones. */
	#revised: Row[] | undefined;
	#byKey = new Map<string, Row>();
	/** The keys of the rows that depend on the children of a node, unless the key is the node's id. */
	readonly #otherKeys = new Map<string, Set<string>>();
	/** The children for which there are rows below a row, by its key; null for the root. */
	readonly #children = new Map<string | null, Children>();
	/** The rows that a revision has removed: if they come back unchanged, they are the same objects. */
	readonly #removed = new Map<string, Row>();
	/** The nodes of rows whose children have to be loaded. */
	readonly #unknown = new Set<string | null>();
	/** Whether the children of every row have to be loaded, not only those of expanded ones. */
	readonly #loadsAll: boolean;
	/** False after a change that an error of `hides` interrupted: then the next change makes all rows. */
	#isWhole = true;

	constructor(
		lists: ChildLists,
		expanded: ReadonlySet<string>,
		hides: (node: OutlineNode) => boolean,
		loadsAll = false,
	) {
		this.#lists = lists;
		this.#unfolding = new Unfolding(lists, expanded, hides);
		this.#loadsAll = loadsAll;
	}

	/** The rows from top to bottom. */
	get rows(): readonly Row[] {
		return this.#rows;
	}

	/** Returns the row with a key. */
	row(key: string): Row | undefined {
		return this.#byKey.get(key);
	}

	/** Returns the ids of the nodes whose children have to be loaded: null for the top level. */
	get unknown(): readonly (string | null)[] {
		for (const id of this.#unknown) if (!this.#lacks(id)) this.#unknown.delete(id);
		return [...this.#unknown];
	}

	/** Returns the ids of the nodes whose children must be loaded to make the rows below some rows. */
	unknownBelow(rows: readonly Row[]): string[] {
		return rows.flatMap(({ node, recurring }) => this.#unfolding.unknownOf(node, recurring));
	}

	/** Replaces the condition by which the rows omit nodes. */
	hide(hides: (node: OutlineNode) => boolean): void {
		this.#unfolding.hides = hides;
		this.#isWhole = false;
		this.#remake();
		this.#isWhole = true;
	}

	/**
	 * Follows the changes of the lists.
	 *
	 * @param root - the parent of the rows at depth 0
	 * @param ids - nodes that have been expanded or collapsed
	 */
	update(root: OutlineNode | null | undefined, ids: Iterable<string> = []): void {
		const known = this.#root;
		this.#root = root;
		const changed = new Set([...this.#lists.takeChanged(), ...ids]);
		const isSameRoot = known === root || (known != null && root != null && keepsBelow(known, root));
		const revises = this.#isWhole && isSameRoot;
		this.#isWhole = false;
		if (!revises || !this.#revise(changed)) this.#remake();
		this.#isWhole = true;
		this.#removed.clear();
		this.#revised = undefined;
	}

	/** Makes all rows. A row that equals its earlier state is the same object. */
	#remake(): void {
		const before = this.#byKey;
		this.#byKey = new Map();
		this.#otherKeys.clear();
		this.#children.clear();
		this.#unknown.clear();
		const top = this.#top();
		const rows = top === undefined ? [] : this.#rowsOf(top, null, before);
		const isSame = rows.length === this.#rows.length && rows.every((row, index) => row === this.#rows[index]);
		if (!isSame) this.#rows = rows;
	}

	/** The children of the root. */
	#top(): Children | undefined {
		const root = this.#root;
		if (root === undefined) return undefined;
		const top = this.#lists.of(root?.id ?? null);
		if (top === undefined) this.#unknown.add(root?.id ?? null);
		return top;
	}

	/** Revises the rows that depend on the children of some nodes. Returns false if these are too many. */
	#revise(ids: ReadonlySet<string | null>): boolean {
		if (this.#root === undefined) return true;
		const keys = new Set<string>();
		for (const id of ids) {
			if (id !== null && this.#byKey.has(id)) keys.add(id);
			for (const key of this.#otherKeys.get(id ?? "") ?? []) keys.add(key);
			if (keys.size > mostRevised) return false;
		}
		const isTop = ids.has(this.#root?.id ?? null);
		// A row that moves keeps its key, so it has to be removed before it is added again.
		for (const adds of [false, true]) {
			if (isTop) {
				const [before, now] = [this.#children.get(null), this.#top()];
				if (before === undefined || now === undefined || !this.#reviseChildren(null, before, now, adds)) return false;
			}
			for (const key of keys) {
				const row = this.#byKey.get(key);
				if (row !== undefined && !this.#reviseRow(row, row.node, adds)) return false;
			}
		}
		return true;
	}

	/**
	 * Removes the rows below a row whose nodes have gone; or replaces the row, and adds the new rows below it.
	 * Returns false if too many rows have changed.
	 */
	#reviseRow(before: Row, node: OutlineNode, adds: boolean): boolean {
		const children = this.#unfolding.childrenOf(node, before.recurring);
		const now = kept(before, this.#rowOf(node, before, children));
		const shown = this.#children.get(before.key);
		if (shown !== undefined && !now.expanded) {
			const index = this.#rows.indexOf(before);
			this.#replace(index + 1, endBelow(this.#rows, index), [], before);
			this.#children.delete(before.key);
		}
		if (adds && now !== before) {
			this.#splice(this.#rows.indexOf(before), 1, [now]);
			this.#byKey.set(now.key, now);
		}
		if (!now.expanded || shown === children) return true;
		const row = adds ? now : before;
		if (shown !== undefined) return this.#reviseChildren(row, shown, children!, adds);
		if (!adds) return true;
		const index = this.#rows.indexOf(row);
		this.#replace(index + 1, index + 1, children!, row);
		return true;
	}

	/** Removes or adds the rows of a row's children that differ. Returns false if these are too many. */
	#reviseChildren(parent: Row | null, before: Children, now: Children, adds: boolean): boolean {
		const prefix = parent && prefixBelow(parent);
		const { start, tail, restated } = this.#unfolding.compare(before, now);
		if (restated.length > mostRevised) return false;
		const key = parent?.key ?? null;
		const [endBefore, endNow] = [before.length - tail, now.length - tail];
		const firstOf = (from: number, to: number) => {
			for (let at = from; at < to; at++) {
				const row = this.#byKey.get(keyBelow(prefix, before[at]!.id));
				if (row !== undefined) return this.#rows.indexOf(row);
			}
			return undefined;
		};
		if (start < (adds ? endNow : endBefore)) {
			const end = firstOf(endBefore, before.length) ?? this.#endOf(parent);
			const first = firstOf(start, endBefore) ?? end;
			this.#replace(first, end, adds ? now.slice(start, endNow) : [], parent);
		}
		if (!adds) {
			this.#children.set(key, before.toSpliced(start, endBefore - start));
			return true;
		}
		this.#children.set(key, now);
		return restated.every((node) => {
			const row = this.#byKey.get(keyBelow(prefix, node.id));
			return row === undefined || this.#reviseRow(row, node, true);
		});
	}

	/** The index behind the rows below a row, or below the root. */
	#endOf(parent: Row | null): number {
		return parent === null ? this.#rows.length : endBelow(this.#rows, this.#rows.indexOf(parent));
	}

	/** Replaces some rows by rows of nodes and of their subtrees. */
	#replace(start: number, end: number, nodes: Children, parent: Row | null): void {
		for (const row of this.#rows.slice(start, end)) {
			this.#removed.set(row.key, row);
			this.#forget(row);
		}
		this.#splice(start, end - start, this.#rowsOf(nodes, parent, this.#removed));
	}

	/** Replaces some rows. Copies of many rows are much garbage, so an update makes one copy. */
	#splice(start: number, count: number, rows: readonly Row[]): void {
		if (rows.length > mostArguments)
			this.#revised = this.#rows.slice(0, start).concat(rows, this.#rows.slice(start + count));
		// A copy has no room for more rows.
		else if (this.#revised === undefined && rows.length >= count)
			this.#revised = this.#rows.toSpliced(start, count, ...rows);
		else {
			this.#revised ??= this.#rows.slice();
			this.#revised.splice(start, count, ...rows);
		}
		this.#rows = this.#revised;
	}

	#forget(row: Row): void {
		this.#byKey.delete(row.key);
		this.#children.delete(row.key);
		for (const id of dependencies(row)) {
			const keys = this.#otherKeys.get(id);
			keys?.delete(row.key);
			if (keys?.size === 0) this.#otherKeys.delete(id);
		}
	}

	#remember(row: Row): void {
		this.#byKey.set(row.key, row);
		for (const id of dependencies(row)) {
			const keys = this.#otherKeys.get(id);
			if (keys === undefined) this.#otherKeys.set(id, new Set([row.key]));
			else keys.add(row.key);
		}
	}

	/** Makes the rows of nodes below a row, and of their subtrees. Uses earlier rows that are the same. */
	#rowsOf(nodes: Children, parent: Row | null, earlier: ReadonlyMap<string, Row>): Row[] {
		const rows: Row[] = [];
		const depth = parent === null ? 0 : parent.depth + 1;
		const stack: Level[] = [{ nodes, next: 0, parent, prefix: parent && prefixBelow(parent) }];
		const above = this.#above(parent);
		this.#children.set(parent?.key ?? null, nodes);
		for (let level = stack.at(-1); level !== undefined; level = stack.at(-1)) {
			const node = level.nodes[level.next++];
			if (node === undefined) {
				stack.pop();
				if (stack.length > 0) count(above, shownId(level.parent!.node), -1);
				continue;
			}
			if (this.#unfolding.hides(node)) continue;
			const key = keyBelow(level.prefix, node.id);
			const place = {
				key,
				depth: depth + stack.length - 1,
				parentKey: level.parent?.key ?? null,
				recurring: above.has(shownId(node)),
			};
			const children = this.#unfolding.childrenOf(node, place.recurring);
			const row = kept(earlier.get(key), this.#rowOf(node, place, children));
			rows.push(row);
			this.#remember(row);
			if (!row.expanded) continue;
			this.#children.set(key, children!);
			stack.push({ nodes: children!, next: 0, parent: row, prefix: prefixBelow(row) });
			count(above, shownId(node), 1);
		}
		return rows;
	}

	/** Returns a node's row at a place. If its children have to be loaded for that, notes it. */
	#rowOf(node: OutlineNode, place: RowPlace, children: Children | undefined): Row {
		if (children === undefined && this.#needs(node, place.recurring))
			for (const id of this.#unfolding.unknownOf(node, place.recurring)) this.#unknown.add(id);
		return this.#unfolding.rowOf(node, place, children);
	}

	/** Whether a node's children have to be loaded. */
	#needs(node: OutlineNode, recurring: boolean): boolean {
		return this.#loadsAll || this.#unfolding.unfolds(node, recurring);
	}

	/** Whether a row lacks the children of a node, because they aren't loaded. */
	#lacks(id: string | null): boolean {
		if (this.#lists.of(id) !== undefined) return false;
		if (this.#root !== undefined && id === (this.#root?.id ?? null)) return true;
		if (id === null) return false;
		const needs = (key: string) => {
			const row = this.#byKey.get(key);
			return row !== undefined && this.#needs(row.node, row.recurring);
		};
		return needs(id) || [...(this.#otherKeys.get(id) ?? [])].some(needs);
	}

	/** The ids of the nodes from the root down to a row, with counts. A mirror counts as its origin. */
	#above(row: Row | null): Map<string, number> {
		const above = new Map<string, number>();
		if (this.#root) count(above, shownId(this.#root), 1);
		for (let at = row ?? undefined; at !== undefined; ) {
			count(above, shownId(at.node), 1);
			at = at.parentKey === null ? undefined : this.#byKey.get(at.parentKey);
		}
		return above;
	}
}

/** The siblings of one level of the traversal. */
interface Level {
	readonly nodes: Children;
	next: number;
	readonly parent: Row | null;
	/** The prefix of the siblings' keys below a mirror; null elsewhere. */
	readonly prefix: string | null;
}

/** Adds to the count of an id. A count of 0 is removed. */
function count(counts: Map<string, number>, id: string, by: 1 | -1): void {
	const next = (counts.get(id) ?? 0) + by;
	if (next === 0) counts.delete(id);
	else counts.set(id, next);
}
