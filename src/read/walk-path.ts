import { ask, askAll, type Operation } from "../engine/protocol.js";
import { OutlineError } from "../errors.js";
import { contentOf, nodeView, type OutlineNode, sizeOfRecord } from "../node.js";
import { type ChildrenScope, parentLocator, type StoredNode } from "../storage.js";

/** From so many ids on, a path is made when the caller asks for it: for each node of a line it would take too long. */
const longPath = 1000;

/** The point among some siblings that a walk has reached. */
export interface Mark {
	readonly id: string;
	/** Null if it isn't known, for a node on the path of a cursor. */
	readonly priority: number | null;
}

/** A node that a walk may go below. */
export interface Passed {
	/** Null for the top level. */
	readonly id: string | null;
	/** The origin's id, if the node is a mirror whose origin exists. */
	readonly originId: string | null;
}

/** Children that the walk has read, and whether more follow them. */
export interface Page {
	readonly nodes: StoredNode[];
	readonly more: boolean;
}

/** A node on the path, and its children that are still to come. */
export interface Level extends Passed {
	/** The level around it. The node is among the children there. */
	readonly outer: Level | undefined;
	readonly scope: ChildrenScope;
	/** The origin that this level adds to the path; null if it was there before, or makes no difference. */
	readonly origin: string | null;
	/** The last child returned; null before the first. */
	child: Mark | null;
	/** The child after which to continue: {@link Level.child}, or a later one that the walk leaves out. */
	read: Mark | null;
	/** The children that were read last, up to {@link mostRecent}, as they were then. */
	recent: readonly (Mark & { readonly priority: number })[];
	/** The ids of children that the walk has returned, and may read again; undefined for none. */
	passed: Set<string> | undefined;
	/** The children after that one, if the walk has read them. */
	page: Page | undefined;
	/** The first children of some of these, if the walk has read them. */
	ahead: Map<string, Page> | undefined;
}

/** The path from the start of a walk to its present node. */
export class Path {
	readonly #mirrors: "follow" | "stop";
	readonly #ids: string[] = [];
	readonly #origins = new Set<string>();
	#level: Level | undefined;
	#depth = 0;
	#given: Level | undefined;

	constructor(mirrors: "follow" | "stop") {
		this.#mirrors = mirrors;
	}

	/** The innermost level. */
	get level(): Level | undefined {
		return this.#level;
	}

	/** The number of levels. */
	get depth(): number {
		return this.#depth;
	}

	/** The level of the last node returned; undefined if there is none. Its outer levels lead to it. */
	get given(): Level | undefined {
		return this.#given;
	}

	/** Returns a node of the innermost level with its path. */
	occurrence(stored: StoredNode): { node: OutlineNode; path: string[] } {
		const level = this.#level!;
		const node = nodeView(stored, level.id);
		if (this.#ids.length < longPath) return { node, path: [...this.#ids, node.id] };
		let path: string[] | undefined;
		return {
			node,
			get path() {
				path ??= idsTo(node.id, level);
				return path;
			},
		};
	}

	/** Goes below a node, unless it can have no children to return there. Returns whether it did. */
	enter({ id, originId }: Passed): boolean {
		const scope = id === null ? "own" : this.#scopeBelow(id, originId, null);
		if (scope === undefined) return false;
		const shown = originId ?? id;
		const isNew = this.#mirrors === "follow" && shown !== null && !this.#origins.has(shown);
		if (isNew) this.#origins.add(shown);
		this.#level = {
			id,
			originId,
			outer: this.#level,
			scope,
			origin: isNew ? shown : null,
			child: null,
			read: null,
			recent: [],
			passed: undefined,
			page: undefined,
			ahead: undefined,
		};
		if (id !== null) this.#ids.push(id);
		this.#depth += 1;
		return true;
	}

	/** Returns the children to return of a sibling of the innermost level's node; undefined for none. */
	scopeBeside(id: string, originId: string | null): ChildrenScope | undefined {
		return this.#scopeBelow(id, originId, this.#level!.origin);
	}

	/** Continues with a child of the innermost level. */
	advance(child: Mark): void {
		const level = this.#level!;
		level.child = child;
		level.read = child;
		this.#given = level;
	}

	leave(): void {
		const { id, origin, outer } = this.#level!;
		if (origin !== null) this.#origins.delete(origin);
		if (id !== null) this.#ids.pop();
		this.#level = outer;
		this.#depth -= 1;
	}

	/**
	 * Returns the children to return of a node; undefined for none. With `stop`, each node has its own. With
	 * `follow`, the children of an origin occur once on a path. `except` is an origin that isn't on the path of
	 * this node.
	 */
	#scopeBelow(id: string, originId: string | null, except: string | null): ChildrenScope | undefined {
		if (this.#mirrors === "stop") return "own";
		const shown = originId ?? id;
		if (shown === except || !this.#origins.has(shown)) return "visible";
		return originId === null ? undefined : "own";
	}
}

/** Returns the ids from the start to a node of a level. */
function idsTo(id: string, level: Level): string[] {
	const ids = [id];
	for (let at: Level | undefined = level; at !== undefined; at = at.outer) if (at.id !== null) ids.push(at.id);
	return ids.reverse();
}

/** Returns a node as a walk passes it. */
export function passed({ record, origin }: StoredNode): Passed {
	return { id: record.id, originId: origin === null ? null : origin.id };
}

/** Returns the mark of a node among its siblings. */
export function markOf({ record }: StoredNode): Mark & { readonly priority: number } {
	return { id: record.id, priority: record.priority };
}

/** Whether a node is among the children of a level. */
export function isVisibleBelow({ id, originId, scope }: Level, { record }: StoredNode): boolean {
	return record.parentId === id || (scope === "visible" && originId !== null && record.parentId === originId);
}

/** Returns the error for a cursor that no longer leads anywhere. */
export function lost(): OutlineError {
	return new OutlineError(
		"invalid_argument",
		"The cursor no longer leads anywhere: nodes above its node have been moved or deleted since. Begin again, without a cursor.",
	);
}

/** The most children in one query, and the most siblings whose children are read together. */
const mostChildren = 64;
const mostSiblings = 16;

/**
 * The most children that a level remembers to continue after, if the last one is moved or deleted. Insertions at one
 * place seldom spread out so many siblings.
 */
export const mostRecent = 1024;

/**
 * The fewest children in one query. A mirror's own child and a child of its origin may have the same
 * priority. A page of these two and the next child still leads on.
 */
const fewestChildren = 3;

/** The number of characters of texts to read at once, roughly. */
const charactersAtOnce = 2 ** 20;

/** A node whose children the walk reads, and which of them. */
export type Wanted = Pick<Level, "id" | "scope">;

/** Reads the children of levels: many at once, and fewer if their texts are long. */
export class Pages {
	#children = mostChildren;

	/** The number of siblings whose children are read together. */
	get siblings(): number {
		return Math.max(1, Math.floor((mostSiblings * this.#children) / mostChildren));
	}

	/** Returns the first children of several nodes. */
	*first(of: readonly Wanted[]): Operation<Page[]> {
		const limit = this.#children;
		const queries = of.map(({ id, scope }) => ({ type: "children", of: { id: id! }, scope, limit }) as const);
		const answers = yield* askAll(queries);
		this.#measure(answers);
		return answers.map((nodes) => ({ nodes: [...nodes], more: nodes.length === limit }));
	}

	/** Returns the children after a mark, or the first children. */
	*next(level: Level, last: (Mark & { readonly priority: number }) | null, isSure = false): Operation<Page> {
		const { id, scope, passed } = level;
		const after = last === null ? {} : { after: last.priority - 1 };
		for (let limit = this.#children; ; limit *= 2) {
			const [found] = yield* ask({ type: "children", of: parentLocator(id), scope, limit, ...after });
			this.#measure([found]);
			if (last !== null && !isSure && !found.some(({ record }) => isAt(record, last))) {
				return yield* this.#afterChange(level, last);
			}
			const nodes = found.filter(({ record }) => {
				return last === null || (comesAfter(record, last) && passed?.has(record.id) !== true);
			});
			// In a damaged outline, more siblings than a page holds may have one priority.
			if (nodes.length > 0 || found.length < limit) return { nodes, more: found.length === limit };
		}
	}

	/**
	 * Returns the children after a mark whose node isn't at that priority any more: it was moved or deleted, or
	 * insertions have spread out the siblings around it. What followed a sibling that has kept its priority still does.
	 */
	*#afterChange(level: Level, last: Mark & { readonly priority: number }): Operation<Page> {
		const { recent } = level;
		const [found] = yield* ask({ type: "related", ids: recent.map(({ id }) => id) });
		const visible = found.filter((node) => isVisibleBelow(level, node));
		const records = new Map(visible.map(({ record }) => [record.id, record]));
		const now = recent.map(({ id }) => records.get(id));
		const kept = recent.findLastIndex((mark, index) => now[index]?.priority === mark.priority);
		level.passed ??= new Set();
		for (const { id } of recent.slice(kept + 1)) level.passed.add(id);
		if (kept !== -1) return yield* this.next(level, recent[kept]!, true);
		const left = now.filter((record) => record !== undefined);
		// Insertions keep the order of siblings. What followed the last one follows it now too, or where it was.
		const inOrder = left.every((record, index) => index === 0 || left[index - 1]!.priority <= record.priority);
		const moved = left.at(-1);
		// If there were more siblings, the walk has forgotten those before, which may have been moved too.
		const isSpread = recent.length < mostRecent || inOrder;
		return yield* this.next(level, isSpread && moved && moved.priority < last.priority ? moved : last, true);
	}

	/** Chooses the number of children in the next query, as if their texts were as long as these. */
	#measure(answers: readonly (readonly StoredNode[])[]): void {
		let count = 0;
		let size = 0;
		for (const nodes of answers) {
			count += nodes.length;
			for (const node of nodes) size += sizeOfRecord(contentOf(node));
		}
		if (count === 0) return;
		const fitting = Math.floor((charactersAtOnce * count) / size);
		this.#children = Math.min(mostChildren, Math.max(fewestChildren, fitting));
	}
}

function isAt({ id, priority }: StoredNode["record"], mark: Mark): boolean {
	return id === mark.id && priority === mark.priority;
}

function comesAfter(
	{ id, priority }: StoredNode["record"],
	mark: { readonly id: string; readonly priority: number },
): boolean {
	return priority > mark.priority || (priority === mark.priority && id > mark.id);
}
