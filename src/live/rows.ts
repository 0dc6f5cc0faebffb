import type { OutlineEvent } from "../engine/event.js";
import { OutlineError, quoted } from "../errors.js";
import { assertFunction, fieldNames, fieldsOf } from "../fields.js";
import type { OutlineNode } from "../node.js";
import type { Outline } from "../outline.js";
import type { ReferenceText } from "../reference/reference.js";
import { ChildLists, originOf } from "./child-lists.js";
import { type Live, LiveValue, surface } from "./live.js";
import { LiveRoot } from "./root.js";

/** One line of an indented list of nodes. */
export interface Row {
	/**
	 * Identifies the row. It stays the same while the row shows this node. It is the node's id. Below a mirror,
	 * it has the ids from the topmost mirror down to the node, because several rows may show the node there.
	 */
	readonly key: string;
	/** The node as `list` returns it: under a mirror, its parent is the mirror. */
	readonly node: OutlineNode;
	/** The number of rows above it in the tree: 0 for the children of the root. */
	readonly depth: number;
	/** The key of the parent's row; null at depth 0. */
	readonly parentKey: string | null;
	/** Undefined until the children are loaded. For a recurring mirror: whether nodes were moved into it. */
	readonly hasChildren: boolean | undefined;
	/** Whether its children follow it. */
	readonly expanded: boolean;
	/**
	 * Whether one of its ancestors already shows this node. Then no rows repeat the children of that node, but
	 * a mirror's own children, which were moved into it, have rows.
	 */
	readonly recurring: boolean;
}

/** The root and its rows. */
export interface Rows {
	/** The parent of the rows at depth 0; null for the top level, undefined if the reference has no node. */
	readonly root: OutlineNode | null | undefined;
	/** The rows from top to bottom. */
	readonly rows: readonly Row[];
}

/** The options of {@link liveRows}. */
export interface LiveRowsOptions {
	/**
	 * A reference to the parent of the rows at depth 0. Default `null`: the top level. The rows follow a key.
	 * They change if a node is created for the key, if a shortcut gets another node, and if `today` becomes
	 * another day. Following a key costs one read for each commit that sets or drops it.
	 */
	root?: ReferenceText | null | undefined;
	/** The ids of the expanded nodes: the rows of their children follow theirs. */
	expanded?: Iterable<string> | undefined;
	/** Whether the rows omit a node and its subtree. Default: no node is omitted. */
	hides?: ((node: OutlineNode) => boolean) | undefined;
	/**
	 * Receives the errors of reads, until the rows are closed; the rows stay as they were. Default: an error
	 * surfaces as an unhandled rejection.
	 */
	onError?: ((error: unknown) => void) | undefined;
}

const optionNames = fieldNames<LiveRowsOptions>({ root: true, expanded: true, hides: true, onError: true });

/** The rows of an outline as an outliner shows them. Local and remote commits keep them up to date. */
export interface LiveRows extends Live<Rows> {
	/** Whether the rows of a node's children follow each row of the node. */
	isExpanded(id: string): boolean;
	/** Shows or hides the children of nodes. Resolves when the rows are up to date. */
	expand(ids: Iterable<string>, expanded?: boolean): Promise<void>;
	/** Loads whether some rows have children. Rows don't load this themselves: it costs a read per row. */
	look(rows: Iterable<Row>): Promise<void>;
	/** Replaces the condition by which the rows omit nodes. */
	hide(hides: (node: OutlineNode) => boolean): void;
}

/**
 * Returns the rows below a node, including the children of the expanded nodes, each in the order of `list`.
 * It loads only the nodes it shows; after a commit, it loads only the nodes that have become visible. A local
 * commit shows before the operation that made it resolves.
 *
 * `ready` rejects with the errors of reads. A root that doesn't exist is no error.
 *
 * @throws `closed`; `invalid_argument` if an option has another type
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
 * The methods of an outline that the rows use. Without `today`, a root such as `today` keeps its day after
 * midnight.
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
	#lists = new ChildLists();
	/** The current loads of children. `stale` is set if a commit has happened since the load began. */
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
		this.#unsubscribe = outline.subscribe((event) => this.#applyCommit(event));
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

	/** Loads the missing children of expanded nodes, level by level, and then shows all rows. */
	async #show(): Promise<void> {
		let shown = this.#rowsNow();
		while (shown.unknown.length > 0 && !this.closed) {
			await Promise.all(shown.unknown.map((id) => this.#load(id)));
			shown = this.#rowsNow();
		}
		this.#publish(shown.rows);
	}

	/** Loads the children of a node, or of the top level. A node deleted meanwhile has none. */
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

	#applyCommit(event: OutlineEvent): void {
		for (const reading of this.#loading.values()) reading.stale = true;
		if (event.expired) {
			this.report(this.#reload(), this.#onError);
			return;
		}
		const rootChanged = this.#root.apply(event);
		const { structure, contents } = this.#lists.apply(event.changes);
		const stays = ([before, after]: readonly [OutlineNode, OutlineNode]) => this.#hides(before) === this.#hides(after);
		if (!structure && !rootChanged && [...contents.values()].every(stays)) {
			if (contents.size > 0) this.#publishContents(contents);
			return;
		}
		const { rows, unknown } = this.#rowsNow();
		this.#publish(rows);
		// A node that became visible may be expanded.
		if (unknown.length > 0) this.report(this.#show(), this.#onError);
	}

	/** Reads everything again, because deletions can't be read any more. */
	async #reload(): Promise<void> {
		this.#lists = new ChildLists();
		await this.#root.reload();
		await this.#show();
	}

	#publish(rows: readonly Row[]): void {
		this.publish({ root: this.#root.node, rows });
	}

	/** Replaces the nodes that kept their positions and changed in content. */
	#publishContents(contents: ReadonlyMap<string, readonly [OutlineNode, OutlineNode]>): void {
		const rows = this.current.rows.map((row) => {
			const node = contents.get(row.node.id)?.[1];
			if (node === undefined) return row;
			const { parentId } = row.node;
			return { ...row, node: node.parentId === parentId ? node : { ...node, parentId } };
		});
		this.#publish(rows);
	}

	/** The ids of the nodes whose children must be loaded to make the rows below this row. */
	#unknownOf(node: OutlineNode, recurring: boolean): string[] {
		const originId = recurring ? originOf(node) : null;
		const wanted = originId === null ? [node.id] : [node.id, originId];
		return wanted.filter((id) => this.#lists.of(id) === undefined);
	}

	/** The loaded children of a node, or undefined. For a recurring mirror, only the nodes moved into it. */
	#childrenOf(node: OutlineNode, recurring: boolean): readonly OutlineNode[] | undefined {
		const originId = recurring ? originOf(node) : null;
		if (originId === null) return this.#lists.of(node.id);
		if (this.#unknownOf(node, recurring).length > 0) return undefined;
		const shared = new Set(this.#lists.of(originId)!.map(({ id }) => id));
		return this.#lists.of(node.id)!.filter(({ id }) => !shared.has(id));
	}

	/** The rows of the loaded lists, and the ids of expanded nodes whose children aren't loaded yet. */
	#rowsNow(): { rows: readonly Row[]; unknown: readonly (string | null)[] } {
		const root = this.#root.node;
		if (root === undefined) return { rows: [], unknown: [] };
		const top = this.#lists.of(root?.id ?? null);
		if (top === undefined) return { rows: [], unknown: [root?.id ?? null] };
		const rows: Row[] = [];
		const unknown: string[] = [];
		const stack: Level[] = [new Level(top, null, root)];
		/** The ids of the nodes from the root down, with counts. A mirror counts as its origin. */
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
			// A node that is already shown by an ancestor isn't expanded again.
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

/** Adds to the count of an id. A count of 0 is removed. */
function count(counts: Map<string, number>, id: string, by: 1 | -1): void {
	const next = (counts.get(id) ?? 0) + by;
	if (next === 0) counts.delete(id);
	else counts.set(id, next);
}

/** The siblings of one level of the traversal. */
class Level {
	next = 0;
	readonly nodes: readonly OutlineNode[];
	/** The key of the parent's row; null for none. */
	readonly key: string | null;
	readonly parent: OutlineNode | null;
	/** The prefix of the siblings' keys below a mirror; null elsewhere. */
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

/** The id of the node whose content a node shows: a mirror shows its origin's. */
function shownId(node: OutlineNode): string {
	return originOf(node) ?? node.id;
}
