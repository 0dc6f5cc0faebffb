import { LazyModule } from "../engine/lazy-module.js";
import { ask, askAll, type Operation, type RunOperation } from "../engine/protocol.js";
import { invalidArgument } from "../errors.js";
import { assertBoolean, countArgument, fieldNames } from "../fields.js";
import { contentOf, nodeView, type OutlineNode, sizeOfRecord } from "../node.js";
import { Pace } from "../pace.js";
import { type NodeReference, notFound, type Reference } from "../reference/reference.js";
import type { StoredNode } from "../storage.js";
import type { Continuation } from "./walk-cursor.js";
import {
	isVisibleBelow,
	type Level,
	lost,
	type Mark,
	markOf,
	mostRecent,
	type Page,
	Pages,
	type Passed,
	Path,
	passed,
	type Wanted,
} from "./walk-path.js";

/** The options of {@link Outline.walk}. */
export interface WalkOptions {
	/** The most levels below the start. The start is level 0, and the top level is level 1. Default: all. */
	depth?: number | undefined;
	/** The most nodes to return. After them, the walk has a cursor to continue from. Default 10,000. */
	budget?: number | undefined;
	/**
	 * The most characters (UTF-16 code units) of names and notes; each node counts 64 more. Before a node that
	 * exceeds them, the walk ends with a cursor. It returns at least one node. Default `Infinity`.
	 */
	characters?: number | undefined;
	/** Whether to return completed nodes, with all below them. It always returns the start. Default `true`. */
	completed?: boolean | undefined;
	/**
	 * `follow`: below a mirror, the walk returns the children of its origin and its own, as in `list`. `stop`:
	 * only its own, so that every node occurs once. Default `follow`.
	 */
	mirrors?: "follow" | "stop" | undefined;
	/**
	 * The cursor of an earlier walk from the same start with the same options. This walk continues after the
	 * end of that one. If nodes near it have been moved or deleted since, or some thirty have come between two of
	 * them, that point shifts. If this happens more than 24 levels above it, the walk may throw
	 * `invalid_argument`: begin again, without a cursor.
	 */
	cursor?: string | undefined;
}

/** The names of the options. */
export const walkFields = fieldNames<WalkOptions>({
	depth: true,
	budget: true,
	characters: true,
	completed: true,
	mirrors: true,
	cursor: true,
});

/** A node at a point of a walk. */
export interface Occurrence {
	/** The node as in `list`: below a mirror, its parent is the mirror. */
	node: OutlineNode;
	/**
	 * The ids from the start to the node itself. From the top level if the walk starts there. A path of more
	 * than 1,000 ids is made when it is first read, and nothing else can be assigned.
	 */
	path: string[];
}

/**
 * A walk over the visible tree, in the order of display, each node before the nodes below it. If an origin is
 * on the path already, the walk returns its mirror, but not the children of the origin again. It reads during
 * the iteration, so it may show later commits from there on.
 */
export interface Walk extends AsyncIterable<Occurrence> {
	/**
	 * The cursor to continue from, after a walk that its budget or its characters have ended, or after the
	 * caller left the loop. In the second case, the last node comes again. `null` during the iteration, and
	 * after a complete walk. A text of up to 5,000 letters, digits, hyphens, dots and underscores, which the
	 * caller may store.
	 *
	 * @throws `too_large` if the path has more than 256 mirrors, one inside the other
	 */
	readonly cursor: string | null;
}

/** The options of a walk, checked and complete. */
export interface WalkSettings {
	readonly depth: number;
	readonly budget: number;
	readonly characters: number;
	readonly completed: boolean;
	readonly mirrors: "follow" | "stop";
	/** The cursor, well-formed; null to begin at the start. */
	readonly cursor: string | null;
}

/** Loaded if a walk ends before its end or continues an earlier one. Most do neither. */
const cursorModule = new LazyModule("The reader and writer of cursors", () => import("./walk-cursor.js"));

/** The form of a cursor: ids, priorities in base 36, and short ids in a row. */
const cursorForm = (() => {
	const id = "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}";
	const mark = `_${id}\\.-?[0-9a-z]{1,11}`;
	return new RegExp(`^(?:0|1(?:${mark}){0,24}|2_${id}_[0-9a-z]{1,7}_(?:[0-9a-f]{12}){0,256}(?:${mark}){1,24})$`);
})();

/** Checks the options of a walk. @throws `invalid_argument` */
export function walkSettings(options: { readonly [F in keyof WalkOptions]?: unknown }): WalkSettings {
	const { completed = true, mirrors = "follow", cursor } = options;
	const depth = countArgument("depth", options.depth, Number.POSITIVE_INFINITY, "levels", 0);
	const budget = countArgument("budget", options.budget, 10_000, "nodes", 1);
	const characters = countArgument("characters", options.characters, Number.POSITIVE_INFINITY, "characters", 1);
	assertBoolean("completed", completed);
	if (mirrors !== "follow" && mirrors !== "stop") throw invalidArgument("mirrors", mirrors, '"follow" or "stop"');
	if (cursor !== undefined && !(typeof cursor === "string" && cursorForm.test(cursor))) {
		throw invalidArgument("cursor", cursor, "the cursor of an earlier walk");
	}
	return { depth, budget, characters, completed, mirrors, cursor: cursor ?? null };
}

/** A walk, and its iteration. */
export class TreeWalk implements Walk {
	readonly #run: RunOperation;
	readonly #start: Reference;
	readonly #settings: WalkSettings;
	/** Returns the cursor. */
	#cursor = noCursor;

	constructor(run: RunOperation, start: Reference, settings: WalkSettings) {
		this.#run = run;
		this.#start = start;
		this.#settings = settings;
	}

	get cursor(): string | null {
		return this.#cursor();
	}

	async *[Symbol.asyncIterator](): AsyncGenerator<Occurrence, void, undefined> {
		const { depth, budget, characters, mirrors, cursor } = this.#settings;
		const reference = this.#start;
		this.#cursor = noCursor;
		const start = reference.form === "root" ? null : await this.#run(() => nodeAt(reference));
		if (start === undefined) return;
		const cursors = cursor === null ? undefined : await cursorModule.load();
		const from = cursors?.continuationIn(cursor!) ?? null;
		const path = new Path(mirrors);
		const pages = new Pages();
		const pace = new Pace();
		let left = budget;
		let room = characters;
		let begun = from !== null || start === null;
		let arrived = from === null;
		let ended = false;
		try {
			if (!begun) {
				yield { node: nodeView(start!), path: [start!.record.id] };
				begun = true;
				left -= 1;
				room -= sizeOf(start!);
			}
			const top = start === null ? { id: null, originId: null } : this.#passed(start);
			if (depth > 0) path.enter(top);
			if (from !== null) await this.#goTo(path, top, from, pace);
			arrived = true;
			for (;;) {
				const node = await this.#next(path, pages, pace);
				ended = node === undefined;
				if (node === undefined) return;
				const isFirst = left === budget;
				room -= sizeOf(node);
				if (left === 0 || (room < 0 && !isFirst)) return;
				yield path.occurrence(node);
				left -= 1;
				path.advance(markOf(node));
				if (path.depth < depth) path.enter(this.#passed(node));
			}
		} finally {
			if (!ended && arrived) {
				const { cursorText } = await cursorModule.load();
				this.#cursor = () => cursorText(begun ? path.given : null, mirrors === "follow");
			}
		}
	}

	/** Enters the levels of an earlier walk's cursor. If a node on them is gone, so are the nodes below it. */
	async #goTo(path: Path, top: Passed, { above, marks }: Continuation, pace: Pace): Promise<void> {
		if (path.level === undefined) return;
		const { pathTo } = await cursorModule.load();
		const nodesAbove = above === null ? [] : await this.#run(() => pathTo(top, above));
		for (const node of nodesAbove) {
			if (pace.isDue) await pace.turn();
			path.advance({ id: node.id!, priority: null });
			if (!path.enter(node)) throw lost();
		}
		const nodes = await this.#run(() => nodesById(marks));
		for (const [index, mark] of marks.entries()) {
			const level = path.level;
			path.advance(mark);
			if (path.depth >= this.#settings.depth) return;
			const node = nodes[index]!;
			if (node === null || this.#isLeftOut(node) || !isVisibleBelow(level, node)) return;
			if (!path.enter(this.#passed(node))) return;
		}
	}

	/** Returns the next node: of the innermost level that has one. */
	async #next(path: Path, pages: Pages, pace: Pace): Promise<StoredNode | undefined> {
		for (let level = path.level; level !== undefined; level = path.level) {
			if (level.page === undefined) {
				level.page = await this.#page(path, pages, pace);
				level.recent = [...level.recent, ...level.page.nodes.map(markOf)].slice(-mostRecent);
			}
			for (let node = level.page.nodes.shift(); node !== undefined; node = level.page.nodes.shift()) {
				if (!this.#isLeftOut(node)) return node;
				level.read = markOf(node);
			}
			if (level.page.more) level.page = undefined;
			else path.leave();
		}
		return undefined;
	}

	/**
	 * Returns the next children of the innermost level. For a new level, it reads ahead for its siblings too.
	 */
	async #page(path: Path, pages: Pages, pace: Pace): Promise<Page> {
		const level = path.level!;
		const { id, outer, read } = level;
		const known = id === null || read !== null ? undefined : outer?.ahead?.get(id);
		if (known !== undefined) return known;
		if (pace.isDue) await pace.turn();
		if (id === null || read !== null || outer === undefined) return this.#run(() => pageBehind(level, pages));
		const wanted: Wanted[] = [level];
		let room = pages.siblings - 1;
		for (const node of outer.page?.nodes ?? []) {
			if (room === 0) break;
			if (this.#isLeftOut(node)) continue;
			room -= 1;
			const { id, originId } = this.#passed(node);
			const scope = path.scopeBeside(id!, originId);
			if (scope !== undefined) wanted.push({ id, scope });
		}
		const found = await this.#run(() => pages.first(wanted));
		outer.ahead = new Map();
		for (let index = 1; index < wanted.length; index++) outer.ahead.set(wanted[index]!.id!, found[index]!);
		return found[0]!;
	}

	#isLeftOut(node: StoredNode): boolean {
		return !this.#settings.completed && contentOf(node).completedAt !== null;
	}

	/** Returns a node as the walk passes it. With `stop`, a mirror is a node like any other. */
	#passed(node: StoredNode): Passed {
		return this.#settings.mirrors === "stop" ? { id: node.record.id, originId: null } : passed(node);
	}
}

const noCursor = (): string | null => null;

function sizeOf(node: StoredNode): number {
	return sizeOfRecord(contentOf(node));
}

/** Returns the node where a walk starts; undefined if the inbox doesn't exist yet. @throws `not_found` */
function* nodeAt(reference: NodeReference): Operation<StoredNode | undefined> {
	const [node] = yield* ask({ type: "node", at: reference.at });
	if (node === null && reference.form !== "inbox") throw notFound(reference);
	return node ?? undefined;
}

function* nodesById(marks: readonly Mark[]): Operation<readonly (StoredNode | null)[]> {
	return yield* askAll(marks.map(({ id }) => ({ type: "node", at: { id } }) as const));
}

/** Returns the children of a level after the last one returned. @throws `invalid_argument` if it is gone */
function* pageBehind(level: Level, pages: Pages): Operation<Page> {
	const { read } = level;
	if (read === null) return yield* pages.next(level, null);
	const { id, priority } = read;
	if (priority !== null) return yield* pages.next(level, { id, priority });
	const [node] = yield* ask({ type: "node", at: { id } });
	if (node === null || !isVisibleBelow(level, node)) throw lost();
	const mark = { id, priority: node.record.priority };
	level.read = mark;
	if (level.child?.id === id) level.child = mark;
	return yield* pages.next(level, mark);
}
