import { OutlineError, quoted } from "./errors.js";
import { nodeView, type OutlineNode, originIdOf } from "./node.js";
import { ask, askAll, type Reading } from "./operation.js";
import { type NodeReference, notFound, type Reference } from "./reference.js";
import type { ChildrenScope, StoredNode } from "./storage.js";

/** What {@link Outline.walk} takes. */
export interface WalkOptions {
	/** How many levels below the start to go; the start itself is level 0, and the top level is 1. Default: all. */
	depth?: number | undefined;
	/** How many nodes to give at most; after so many the walk has a cursor to go on from. Default 10,000. */
	budget?: number | undefined;
	/** Whether to give completed nodes, with what is below them; the start is given all the same. Default `true`. */
	completed?: boolean | undefined;
	/**
	 * `follow`: below a mirror come its origin's children and its own, as in `list`. `stop`: only its own, so that no node
	 * comes twice. Default `follow`.
	 */
	mirrors?: "follow" | "stop" | undefined;
	/** The cursor of an earlier walk from the same start with the same options: goes on behind where that one ended. */
	cursor?: string | undefined;
}

/** A node where a walk has met it. */
export interface Occurrence {
	/** As in `list`: under a mirror, its parent is the mirror. */
	node: OutlineNode;
	/** The ids from the start to the node itself; from the top level, if that is where the walk starts. */
	path: string[];
}

/**
 * A walk over the visible tree, in the order in which it is shown, each node before those below it. An origin that is on the
 * path already is met once more, in the guise of a mirror, but not entered again. It reads as it goes: what others commit
 * meanwhile may show from there on.
 */
export interface Walk extends AsyncIterable<Occurrence> {
	/** Where to go on when the budget was used up; `null` as long as there is nothing behind. Opaque, and safe to keep. */
	readonly cursor: string | null;
}

/** The options of a walk, checked and complete. */
export interface WalkSettings {
	readonly depth: number;
	readonly budget: number;
	readonly completed: boolean;
	readonly mirrors: "follow" | "stop";
	/** For each level below the start, where the walk was; null for one that begins. */
	readonly from: readonly Mark[] | null;
}

/** Where a walk was among some siblings. */
type Mark = readonly [id: string, priority: number];

/** How many children are read at once, at least three, and of how many siblings. */
const pageSize = 64;
const siblingsAtOnce = 16;

/** Checks the options. @throws `invalid_argument` */
export function walkSettings(options: { readonly [F in keyof WalkOptions]?: unknown }): WalkSettings {
	const { depth = Number.POSITIVE_INFINITY, budget = 10_000, completed = true, mirrors = "follow", cursor } = options;
	if (!(depth === Number.POSITIVE_INFINITY || (Number.isSafeInteger(depth) && (depth as number) >= 0))) {
		throw refusal("depth", depth, "a number of levels from 0, or Infinity");
	}
	if (!(budget === Number.POSITIVE_INFINITY || (Number.isSafeInteger(budget) && (budget as number) >= 1))) {
		throw refusal("budget", budget, "a number of nodes from 1, or Infinity");
	}
	if (typeof completed !== "boolean") throw refusal("completed", completed, "true or false");
	if (mirrors !== "follow" && mirrors !== "stop") throw refusal("mirrors", mirrors, '"follow" or "stop"');
	const from = cursor === undefined ? null : marksOf(cursor);
	return { depth: depth as number, budget: budget as number, completed, mirrors, from };
}

/** Children that have been read, and whether there are more behind them. */
interface Page {
	readonly nodes: StoredNode[];
	readonly more: boolean;
}

/** A node on the path, and what is still to come below it. */
interface Level {
	/** `null` for the top level. */
	readonly parent: StoredNode | null;
	readonly scope: ChildrenScope;
	/** The origin that is on the path since here; `null` if it was there before. */
	readonly origin: string | null;
	/** The last child that has been given. */
	last: Mark | null;
	/** Those behind it that have been read; undefined if none have. */
	page: Page | undefined;
	/** The first children of some of those. */
	readonly ahead: Map<string, Page>;
}

/** Runs a reading on the outline. */
type Answer = <T>(reading: () => Reading<T>) => Promise<T>;

/** A walk under way. */
export class TreeWalk implements Walk {
	readonly #answer: Answer;
	readonly #start: Reference;
	readonly #settings: WalkSettings;
	#cursor: string | null = null;

	constructor(answer: Answer, start: Reference, settings: WalkSettings) {
		this.#answer = answer;
		this.#start = start;
		this.#settings = settings;
	}

	get cursor(): string | null {
		return this.#cursor;
	}

	async *[Symbol.asyncIterator](): AsyncGenerator<Occurrence, void, undefined> {
		const { depth, budget, from } = this.#settings;
		const start = this.#start.form === "root" ? null : await this.#answer(() => nodeAt(this.#start as NodeReference));
		const path = new Path(this.#settings.mirrors);
		const above = start === null ? [] : [start.record.id];
		let left = budget;
		let given: readonly Mark[] = [];
		this.#cursor = null;
		if (start !== null && from === null) {
			yield { node: nodeView(start), path: [...above] };
			left -= 1;
		}
		if (depth > 0) path.enter(start);
		if (from !== null) await this.#goTo(path, from);
		for (;;) {
			const node = await this.#next(path);
			if (node === undefined) return;
			if (left === 0) {
				this.#cursor = JSON.stringify(given);
				return;
			}
			const { parent } = path.level!;
			given = path.advance(node);
			yield { node: nodeView(node, parent?.record.id ?? null), path: [...above, ...given.map(([id]) => id)] };
			left -= 1;
			if (given.length < depth) path.enter(node);
		}
	}

	/** Goes to where an earlier walk has ended. Where a node has gone since, so has what was below it. */
	async #goTo(path: Path, marks: readonly Mark[]): Promise<void> {
		for (const [place, mark] of marks.entries()) {
			const level = path.level;
			if (level === undefined) return;
			level.last = mark;
			if (place + 1 >= this.#settings.depth) return;
			const node = await this.#answer(() => nodeById(mark[0]));
			if (node === null || this.#isLeftOut(node) || !isVisibleBelow(level, node) || !path.enter(node)) return;
		}
	}

	/** The next node, of the innermost level that has one. */
	async #next(path: Path): Promise<StoredNode | undefined> {
		for (let level = path.level; level !== undefined; level = path.level) {
			level.page ??= await this.#firstPage(path);
			for (let node = level.page.nodes.shift(); node !== undefined; node = level.page.nodes.shift()) {
				if (!this.#isLeftOut(node)) return node;
				level.last = markOf(node);
			}
			if (level.page.more) level.page = undefined;
			else path.leave();
		}
		return undefined;
	}

	/** The next children of the innermost level; of one that begins, those of its next siblings are read along. */
	async #firstPage(path: Path): Promise<Page> {
		const level = path.level!;
		const siblings = path.outer;
		const id = level.parent?.record.id;
		const known = id === undefined || level.last !== null ? undefined : siblings?.ahead.get(id);
		if (known !== undefined) return known;
		if (id === undefined || level.last !== null || siblings === undefined) {
			return this.#answer(() => childrenPage(level.parent, level.scope, level.last));
		}
		const next = (siblings.page?.nodes ?? []).filter((node) => !this.#isLeftOut(node)).slice(0, siblingsAtOnce - 1);
		const wanted = next.flatMap((node) => {
			const scope = path.scopeBeside(node);
			return scope === undefined ? [] : [{ node, scope }];
		});
		siblings.ahead.clear();
		const pages = await this.#answer(() => firstPages([{ node: level.parent!, scope: level.scope }, ...wanted]));
		for (const [place, { node }] of wanted.entries()) siblings.ahead.set(node.record.id, pages[place + 1]!);
		return pages[0]!;
	}

	#isLeftOut(node: StoredNode): boolean {
		return !this.#settings.completed && nodeView(node).completed;
	}
}

/** The way from the start of a walk to where it is. */
class Path {
	readonly #mirrors: "follow" | "stop";
	readonly #levels: Level[] = [];
	readonly #origins = new Set<string>();

	constructor(mirrors: "follow" | "stop") {
		this.#mirrors = mirrors;
	}

	/** The innermost level. */
	get level(): Level | undefined {
		return this.#levels.at(-1);
	}

	/** The level around it. */
	get outer(): Level | undefined {
		return this.#levels.at(-2);
	}

	/** Goes below a node, if there may be anything to give. */
	enter(parent: StoredNode | null): boolean {
		const scope = parent === null ? "own" : this.#scopeBelow(parent, null);
		if (scope === undefined) return false;
		const id = parent && originIdOf(parent);
		const origin = id === null || this.#origins.has(id) ? null : id;
		if (origin !== null) this.#origins.add(origin);
		this.#levels.push({ parent, scope, origin, last: null, page: undefined, ahead: new Map() });
		return true;
	}

	/** What of the children of a sibling of the innermost level's parent is to be given. */
	scopeBeside(node: StoredNode): ChildrenScope | undefined {
		return this.#scopeBelow(node, this.level!.origin);
	}

	/** Goes on to a child of the innermost level. Gives the marks of the way to it. */
	advance(child: StoredNode): Mark[] {
		this.level!.last = markOf(child);
		return this.#levels.map(({ last }) => last!);
	}

	leave(): void {
		const { origin } = this.#levels.pop()!;
		if (origin !== null) this.#origins.delete(origin);
	}

	/**
	 * What of the children of a node is to be given, undefined for nothing. The children of an origin come once on a path;
	 * `except` is an origin that isn't on the path of this node.
	 */
	#scopeBelow(node: StoredNode, except: string | null): ChildrenScope | undefined {
		const isMirror = node.origin !== null;
		const originId = originIdOf(node);
		const again = originId !== except && this.#origins.has(originId);
		if (!again && !(isMirror && this.#mirrors === "stop")) return "visible";
		return isMirror ? "own" : undefined;
	}
}

function* nodeAt(reference: NodeReference): Reading<StoredNode> {
	const [node] = yield* ask({ type: "node", at: reference.at });
	if (node === null) throw notFound(reference);
	return node;
}

function* nodeById(id: string): Reading<StoredNode | null> {
	const [node] = yield* ask({ type: "node", at: { id } });
	return node;
}

/** The first children of several nodes. */
function* firstPages(of: readonly { node: StoredNode; scope: ChildrenScope }[]): Reading<Page[]> {
	const queries = of.map(
		({ node, scope }) => ({ type: "children", of: { id: node.record.id }, scope, limit: pageSize }) as const,
	);
	const answers = yield* askAll(queries);
	return answers.map((nodes) => ({ nodes: [...nodes], more: nodes.length === pageSize }));
}

/** The children behind one that has been given. */
function* childrenPage(parent: StoredNode | null, scope: ChildrenScope, last: Mark | null): Reading<Page> {
	const of = parent && { id: parent.record.id };
	// A mirror's own child may have the priority of one of its origin's, and come behind it by its id.
	const [nodes] = yield* ask({
		type: "children",
		of,
		scope,
		limit: pageSize,
		...(last !== null && { after: last[1] - 1 }),
	});
	return { nodes: nodes.filter((node) => comesAfter(node, last)), more: nodes.length === pageSize };
}

function comesAfter({ record }: StoredNode, mark: Mark | null): boolean {
	if (mark === null) return true;
	const [id, priority] = mark;
	return record.priority > priority || (record.priority === priority && record.id > id);
}

function isVisibleBelow({ parent, scope }: Level, { record }: StoredNode): boolean {
	if (parent === null) return record.parentId === null;
	return record.parentId === parent.record.id || (scope === "visible" && record.parentId === parent.origin?.id);
}

function markOf({ record }: StoredNode): Mark {
	return [record.id, record.priority];
}

/** What a cursor says. @throws `invalid_argument` */
function marksOf(cursor: unknown): Mark[] {
	try {
		const marks: unknown = typeof cursor === "string" ? JSON.parse(cursor) : null;
		if (Array.isArray(marks) && marks.every(isMark)) return marks;
	} catch {
		// Then it is none.
	}
	throw refusal("cursor", cursor, "the cursor of an earlier walk");
}

function isMark(value: unknown): value is Mark {
	return Array.isArray(value) && value.length === 2 && typeof value[0] === "string" && Number.isSafeInteger(value[1]);
}

function refusal(option: string, given: unknown, allowed: string): OutlineError {
	return new OutlineError("invalid_argument", `${option} is ${quoted(given)}. It must be ${allowed}.`);
}
