import type { OutlineEvent } from "../engine/event.js";
import { OutlineError, quoted } from "../errors.js";
import { assertFunction, fieldNames, fieldsOf } from "../fields.js";
import type { OutlineNode } from "../node.js";
import type { Outline } from "../outline.js";
import type { ReferenceText } from "../reference/reference.js";
import { ChildLists, originOf } from "./child-lists.js";
import { type Live, LiveValue, surface } from "./live.js";
import { LiveRoot } from "./root.js";

/** One line of an outline that is shown as an indented list. */
export interface Row {
	/**
	 * Tells the rows apart, and stays the same as long as the node is shown at this place: the node's id, and below a mirror
	 * the ids from the topmost mirror on, since there a node may be shown more than once.
	 */
	readonly key: string;
	/** As in `list`: under a mirror, its parent is the mirror. */
	readonly node: OutlineNode;
	/** 0 for the children of the root. */
	readonly depth: number;
	/** The key of the row above which it stands; null at depth 0. */
	readonly parentKey: string | null;
	/** Undefined until they have been looked up. Of a mirror that recurs: whether nodes were moved into it. */
	readonly hasChildren: boolean | undefined;
	/** Whether its children follow. */
	readonly expanded: boolean;
	/**
	 * Whether it shows a node that is above it already. The children of that node aren't unfolded once more; those of a mirror's own,
	 * which were moved into it, are.
	 */
	readonly recurring: boolean;
}

/** What is shown. */
export interface Rows {
	/** The node whose children are shown; null for the top level, undefined as long as there is no such node. */
	readonly root: OutlineNode | null | undefined;
	/** From top to bottom. */
	readonly rows: readonly Row[];
}

/** What {@link liveRows} takes. */
export interface LiveRowsOptions {
	/**
	 * A reference to the node whose children are shown. Default `null`: the top level. A key is followed: a node that is made for
	 * it appears, a shortcut that is set to another node shows that one, and `today` is another day after midnight. Following a
	 * key costs a read for each commit.
	 */
	root?: ReferenceText | null | undefined;
	/** The ids of the nodes whose children follow. */
	expanded?: Iterable<string> | undefined;
	/** Whether a node is left out, with what is below it. Default: none is. */
	hides?: ((node: OutlineNode) => boolean) | undefined;
	/**
	 * Called with what a reading throws, until the rows are closed; they stay as they were. Default: it surfaces as an unhandled
	 * rejection.
	 */
	onError?: ((error: unknown) => void) | undefined;
}

const optionNames = fieldNames<LiveRowsOptions>({ root: true, expanded: true, hides: true, onError: true });

/** The rows of an outline, as an outliner shows them, kept up to date by what is committed here and elsewhere. */
export interface LiveRows extends Live<Rows> {
	/** Whether a node's children follow it wherever it is shown. */
	isExpanded(id: string): boolean;
	/** Shows or hides the children of nodes. Resolves when they show. */
	expand(ids: Iterable<string>, expanded?: boolean): Promise<void>;
	/** Finds out which of some rows have children. Rows nobody has looked at don't say so, since it takes a reading for each. */
	look(rows: Iterable<Row>): Promise<void>;
	/** Leaves out other nodes than before. */
	hide(hides: (node: OutlineNode) => boolean): void;
}

/**
 * The rows below a node, with those of the nodes that are expanded: each in the order of `list`. It reads only what it shows,
 * and after each commit only what has become visible. A local commit shows before the operation that made it resolves.
 *
 * `ready` rejects with what reading throws; a root that doesn't exist is no error.
 *
 * @throws `closed`, and `invalid_argument` for an option of another type
 */
export function liveRows(outline: RowsOutline, options: LiveRowsOptions = {}): LiveRows {
	fieldsOf("liveRows", options, optionNames);
	const { root = null, expanded = [], hides = () => false, onError } = options;
	for (const [name, value] of Object.entries({ hides, onError: onError ?? surface })) assertFunction(name, value);
	assertIterable("expanded", expanded);
	for (const method of ["get", "list", "subscribe"] as const) assertFunction(`outline.${method}`, outline?.[method]);
	return new OutlineRows(outline, root, expanded, hides, onError);
}

/**
 * The methods of an outline that rows are made of. Without `today`, a root such as `today` doesn't move on at midnight.
 *
 * @inline
 */
type RowsOutline = Pick<Outline, "get" | "list" | "subscribe"> & Partial<Pick<Outline, "today">>;

function assertIterable(name: string, value: unknown): void {
	if (typeof value === "object" && value !== null && Symbol.iterator in value) return;
	throw new OutlineError("invalid_argument", `${name} is ${quoted(value)}. It must be an array or a set of ids.`);
}

class OutlineRows extends LiveValue<Rows> implements LiveRows {
	readonly ready: Promise<void>;
	readonly #outline: Pick<Outline, "list">;
	readonly #root: LiveRoot;
	readonly #expanded: Set<string>;
	readonly #lists = new ChildLists();
	/** The readings of children that are under way; each is told when it has been overtaken by a commit. */
	readonly #loading = new Map<string | null, { stale: boolean; done: Promise<void> }>();
	readonly #unsubscribe: () => void;
	readonly #onError: (error: unknown) => void;
	#hides: (node: OutlineNode) => boolean;

	constructor(
		outline: RowsOutline,
		root: string | null,
		expanded: Iterable<string>,
		hides: (node: OutlineNode) => boolean,
		onError: ((error: unknown) => void) | undefined,
	) {
		super({ root: undefined, rows: [] });
		this.#outline = outline;
		this.#expanded = new Set(expanded);
		this.#hides = hides;
		this.#onError = onError ?? surface;
		this.#root = new LiveRoot(outline, root, () => this.report(this.#show(), this.#onError), this.#onError);
		this.#unsubscribe = outline.subscribe((event) => this.#hear(event));
		const open = async () => {
			await this.#root.open();
			await this.#show();
		};
		this.ready = this.reportFirst(open(), onError);
	}

	override close(): void {
		this.#unsubscribe();
		this.#root.close();
		super.close();
	}

	isExpanded(id: string): boolean {
		return this.#expanded.has(id);
	}

	async expand(ids: Iterable<string>, expanded = true): Promise<void> {
		assertIterable("expand's list of ids", ids);
		for (const id of ids) {
			if (expanded) this.#expanded.add(id);
			else this.#expanded.delete(id);
		}
		await this.#show();
	}

	async look(rows: Iterable<Row>): Promise<void> {
		const unknown = [...rows].flatMap(({ node, recurring }) => this.#unknownOf(node, recurring));
		if (unknown.length === 0) return;
		await Promise.all(unknown.map((id) => this.#load(id)));
		this.#publish(this.#rowsNow().rows);
	}

	hide(hides: (node: OutlineNode) => boolean): void {
		assertFunction("hides", hides);
		this.#hides = hides;
		this.#publish(this.#rowsNow().rows);
	}

	/** Reads what is to be seen and isn't known, level by level, and shows all of it. */
	async #show(): Promise<void> {
		let shown = this.#rowsNow();
		while (shown.unknown.length > 0 && !this.closed) {
			await Promise.all(shown.unknown.map((id) => this.#load(id)));
			shown = this.#rowsNow();
		}
		this.#publish(shown.rows);
	}

	/** Reads the children of a node, or of the top level. One that is gone meanwhile has none. */
	#load(id: string | null): Promise<void> {
		const loading = this.#loading.get(id);
		if (loading !== undefined) return loading.done;
		const reading = { stale: false, done: Promise.resolve() };
		reading.done = (async () => {
			try {
				let nodes: readonly OutlineNode[];
				let originId: string | null;
				do {
					reading.stale = false;
					const list = await this.#outline.list(id);
					nodes = list.nodes;
					originId = list.mirror?.originId ?? null;
				} while (reading.stale && !this.closed);
				this.#lists.add(id, originId, nodes);
			} catch (error) {
				if (!(error instanceof OutlineError && error.code === "not_found")) throw error;
				this.#lists.add(id, null, []);
			} finally {
				this.#loading.delete(id);
			}
		})();
		this.#loading.set(id, reading);
		return reading.done;
	}

	#hear({ changes }: OutlineEvent): void {
		for (const reading of this.#loading.values()) reading.stale = true;
		const rootChanged = this.#root.hear(changes);
		const { structure, contents } = this.#lists.apply(changes);
		const stays = ([before, after]: readonly [OutlineNode, OutlineNode]) => this.#hides(before) === this.#hides(after);
		if (!structure && !rootChanged && [...contents.values()].every(stays)) {
			if (contents.size > 0) this.#publishContents(contents);
			return;
		}
		const { rows, unknown } = this.#rowsNow();
		this.#publish(rows);
		// What has come may be expanded.
		if (unknown.length > 0) this.report(this.#show(), this.#onError);
	}

	#publish(rows: readonly Row[]): void {
		this.publish({ root: this.#root.node, rows });
	}

	/** Shows nodes that have kept their places with what they are now. */
	#publishContents(contents: ReadonlyMap<string, readonly [OutlineNode, OutlineNode]>): void {
		const rows = this.current.rows.map((row) => {
			const node = contents.get(row.node.id)?.[1];
			if (node === undefined) return row;
			const { parentId } = row.node;
			return { ...row, node: node.parentId === parentId ? node : { ...node, parentId } };
		});
		this.#publish(rows);
	}

	/** The ids of the nodes whose children have to be known to tell which are below a row. */
	#unknownOf(node: OutlineNode, recurring: boolean): string[] {
		const originId = recurring ? originOf(node) : null;
		const wanted = originId === null ? [node.id] : [node.id, originId];
		return wanted.filter((id) => this.#lists.of(id) === undefined);
	}

	/**
	 * The children of a node; undefined if they aren't known. Of a mirror that recurs, only the children that were moved into it.
	 */
	#childrenOf(node: OutlineNode, recurring: boolean): readonly OutlineNode[] | undefined {
		const originId = recurring ? originOf(node) : null;
		if (originId === null) return this.#lists.of(node.id);
		if (this.#unknownOf(node, recurring).length > 0) return undefined;
		const shared = new Set(this.#lists.of(originId)!.map(({ id }) => id));
		return this.#lists.of(node.id)!.filter(({ id }) => !shared.has(id));
	}

	/** The rows as the lists have them, and the ids of the nodes whose children belong to them and aren't known. */
	#rowsNow(): { rows: readonly Row[]; unknown: readonly (string | null)[] } {
		const root = this.#root.node;
		if (root === undefined) return { rows: [], unknown: [] };
		const top = this.#lists.of(root?.id ?? null);
		if (top === undefined) return { rows: [], unknown: [root?.id ?? null] };
		const rows: Row[] = [];
		const unknown: string[] = [];
		const stack: Level[] = [new Level(top, null, root)];
		/** The ids of the nodes that are shown on the way down, in whatever guise, with how often. */
		const above = new Map<string, number>();
		if (root !== null) above.set(shownId(root), 1);
		for (let level = stack.at(-1); level !== undefined; level = stack.at(-1)) {
			const node = level.nodes[level.next++];
			if (node === undefined) {
				stack.pop();
				if (level.parent !== null && stack.length > 0) count(above, shownId(level.parent), -1);
				continue;
			}
			if (this.#hides(node)) continue;
			const key = level.prefix === null ? node.id : `${level.prefix}/${node.id}`;
			const recurring = above.has(shownId(node));
			const children = this.#childrenOf(node, recurring);
			const hasChildren = children?.some((child) => !this.#hides(child));
			// A node that stands above already isn't unfolded again.
			const unfolds = this.#expanded.has(node.id) && !(recurring && originOf(node) === null);
			rows.push({
				key,
				node,
				depth: stack.length - 1,
				parentKey: level.key,
				hasChildren,
				expanded: unfolds && hasChildren === true,
				recurring,
			});
			if (!unfolds) continue;
			if (children === undefined) unknown.push(...this.#unknownOf(node, recurring));
			else if (hasChildren) {
				const isMirror = node.mirror?.originId !== undefined;
				stack.push(new Level(children, key, node, level.prefix !== null || isMirror ? key : null));
				count(above, shownId(node), 1);
			}
		}
		return { rows, unknown };
	}
}

/** Counts once more, or once less. */
function count(counts: Map<string, number>, id: string, by: 1 | -1): void {
	const next = (counts.get(id) ?? 0) + by;
	if (next === 0) counts.delete(id);
	else counts.set(id, next);
}

/** Siblings on the way down. */
class Level {
	next = 0;
	readonly nodes: readonly OutlineNode[];
	/** The key of the row that they stand below; null for none. */
	readonly key: string | null;
	readonly parent: OutlineNode | null;
	/** What their keys begin with, below a mirror. */
	readonly prefix: string | null;

	constructor(
		nodes: readonly OutlineNode[],
		key: string | null,
		parent: OutlineNode | null,
		prefix: string | null = null,
	) {
		this.nodes = nodes;
		this.key = key;
		this.parent = parent;
		this.prefix = prefix;
	}
}

/** The id of the node whose content a node shows. */
function shownId(node: OutlineNode): string {
	return originOf(node) ?? node.id;
}
