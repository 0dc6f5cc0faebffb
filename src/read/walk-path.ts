import { ask, askAll, type Operation } from "../engine/protocol.js";
import { OutlineError } from "../errors.js";
import { contentOf, sizeOfRecord } from "../node.js";
import type { ChildrenScope, StoredNode } from "../storage.js";

/** Where a walk is among some siblings. */
export interface Mark {
	readonly id: string;
	/** Null if it isn't known: of a node on the way to where a walk goes on. */
	readonly priority: number | null;
}

/** A node that a walk may go below. */
export interface Passed {
	/** Null for the top level. */
	readonly id: string | null;
	/** Of a mirror whose origin is there: the origin's id. */
	readonly originId: string | null;
}

/** Children that have been read, and whether there are more behind them. */
export interface Page {
	readonly nodes: StoredNode[];
	readonly more: boolean;
}

/** A node on the path, and the children of it that are still to come. */
export interface Level extends Passed {
	/** The level around it, which has the node among its children. */
	readonly outer: Level | undefined;
	readonly scope: ChildrenScope;
	/** The origin that is on the path since here; null if it was there before, or if that makes no difference. */
	readonly origin: string | null;
	/** The child that was given last; null before the first. */
	child: Mark | null;
	/** The child behind which to go on: {@link Level.child}, or one after it that is left out. */
	read: Mark | null;
	/** The children behind that one that have been read; undefined if none have. */
	page: Page | undefined;
	/** The first children of some of those; undefined if none have been read. */
	ahead: Map<string, Page> | undefined;
}

/** The way from the start of a walk to where it is. */
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

	/** How many levels there are. */
	get depth(): number {
		return this.#depth;
	}

	/** The level of the node that was given last; undefined if none was. Its outer levels lead there too. */
	get given(): Level | undefined {
		return this.#given;
	}

	/** The ids from the start to a node of the innermost level. */
	pathTo(id: string): string[] {
		return [...this.#ids, id];
	}

	/** Goes below a node, if there may be anything to give. */
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
			page: undefined,
			ahead: undefined,
		};
		if (id !== null) this.#ids.push(id);
		this.#depth += 1;
		return true;
	}

	/** Returns which children of a sibling of the innermost level's node are to be given; undefined for none. */
	scopeBeside(id: string, originId: string | null): ChildrenScope | undefined {
		return this.#scopeBelow(id, originId, this.#level!.origin);
	}

	/** Goes on to a child of the innermost level. */
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
	 * Returns which children of a node are to be given, undefined for none. With `stop` every node has its own. Else the
	 * children of an origin come once on a path, and `except` is an origin that isn't on the path of this node.
	 */
	#scopeBelow(id: string, originId: string | null, except: string | null): ChildrenScope | undefined {
		if (this.#mirrors === "stop") return "own";
		const shown = originId ?? id;
		if (shown === except || !this.#origins.has(shown)) return "visible";
		return originId === null ? undefined : "own";
	}
}

/** Returns a node as a walk passes it. */
export function passed({ record, origin }: StoredNode): Passed {
	return { id: record.id, originId: origin === null ? null : origin.id };
}

/** Returns where a node stands among its siblings. */
export function markOf({ record }: StoredNode): Mark {
	return { id: record.id, priority: record.priority };
}

/** Whether a node is among the children of a level. */
export function isVisibleBelow({ id, originId, scope }: Level, { record }: StoredNode): boolean {
	return record.parentId === id || (scope === "visible" && originId !== null && record.parentId === originId);
}

/** The refusal of a cursor that can't be followed any more. */
export function lost(): OutlineError {
	return new OutlineError(
		"invalid_argument",
		"The cursor is of a place that isn't where it was: nodes above it have been moved or deleted since. Begin again, without a cursor.",
	);
}

/** The most children that are read at once, and of how many siblings. */
const mostChildren = 64;
const mostSiblings = 16;

/** A mirror's own child may have the priority of one of its origin's. The two and the next make a page that leads on. */
const fewestChildren = 3;

/** About how many characters of texts are read at once. */
const charactersAtOnce = 2 ** 20;

/** A node whose children are to be read, and which of them. */
export type Wanted = Pick<Level, "id" | "scope">;

/** Reads the children of levels: many at once, and fewer where texts are long. */
export class Pages {
	#children = mostChildren;

	/** Of how many siblings the children are to be read at once. */
	get siblings(): number {
		return Math.max(1, Math.floor((mostSiblings * this.#children) / mostChildren));
	}

	/** The first children of several nodes. */
	*first(of: readonly Wanted[]): Operation<Page[]> {
		const limit = this.#children;
		const queries = of.map(({ id, scope }) => ({ type: "children", of: { id: id! }, scope, limit }) as const);
		const answers = yield* askAll(queries);
		this.#measure(answers);
		return answers.map((nodes) => ({ nodes: [...nodes], more: nodes.length === limit }));
	}

	/** The children behind one that has been given or left out, or the first ones. */
	*next({ id, scope }: Level, last: (Mark & { readonly priority: number }) | null): Operation<Page> {
		const limit = this.#children;
		const after = last === null ? {} : { after: last.priority - 1 };
		const [nodes] = yield* ask({ type: "children", of: id === null ? null : { id }, scope, limit, ...after });
		this.#measure([nodes]);
		return {
			nodes: last === null ? [...nodes] : nodes.filter(({ record }) => comesAfter(record, last)),
			more: nodes.length === limit,
		};
	}

	/** Takes the next children for as long as these. */
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

function comesAfter(
	{ id, priority }: StoredNode["record"],
	mark: { readonly id: string; readonly priority: number },
): boolean {
	return priority > mark.priority || (priority === mark.priority && id > mark.id);
}
