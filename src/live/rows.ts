import type { OutlineEvent } from "../engine/event.js";
import { surface } from "../engine/listeners.js";
import { invalidArgument, OutlineError, quoted } from "../errors.js";
import { assertFunction, fieldNames, fieldsOf } from "../fields.js";
import type { OutlineNode } from "../node.js";
import type { Outline } from "../outline.js";
import { Pace } from "../pace.js";
import type { ReferenceText } from "../reference/reference.js";
import { ChildLists } from "./child-lists.js";
import { CurrentRead, unlessMissing } from "./current-read.js";
import { assertOutline, type Live, LiveValue } from "./live.js";
import { LiveRoot } from "./root.js";
import type { Row } from "./row.js";
import { RowList } from "./row-list.js";

export type { Row };

/** The root and its rows. */
export interface Rows {
	/** The parent of the rows at depth 0; null for the top level, undefined if the reference has no node. */
	readonly root: OutlineNode | null | undefined;
	/** The rows from top to bottom. A row that hasn't changed is the same object as before. */
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
	 * Loads for every row whether its node has children, as {@link LiveRows.look} does for single rows. Costs a
	 * read per row. Default `false`.
	 */
	look?: boolean | undefined;
	/**
	 * Receives the errors of reads, and of `hides` after a commit, until the rows or the outline are closed.
	 * The rows stay as they were.
	 * Default: an error surfaces as an unhandled rejection.
	 */
	onError?: ((error: unknown) => void) | undefined;
}

const optionNames = fieldNames<LiveRowsOptions>({ root: true, expanded: true, hides: true, look: true, onError: true });

/** The rows of an outline as an outliner shows them. Local and remote commits keep them up to date. */
export interface LiveRows extends Live<Rows> {
	/** Returns the row with a key, if there is one. */
	row(key: string): Row | undefined;
	/** Whether the rows of a node's children follow each row of the node. */
	isExpanded(id: string): boolean;
	/** Shows or hides the children of nodes. Resolves when the rows are up to date. */
	expand(ids: Iterable<string>, expanded?: boolean): Promise<void>;
	/**
	 * Loads whether some rows have children, which costs a read per row. The option `look` does it for all.
	 *
	 * @throws `invalid_argument` if the rows aren't iterable, or one of them is no row
	 */
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
	const { root = null, expanded = [], hides = () => false, look = false, onError } = options;
	for (const [name, value] of Object.entries({ hides, onError: onError ?? surface })) assertFunction(name, value);
	assertOutline(outline, ["get", "list", "subscribe"]);
	return new OutlineRows(outline, root, idsIn("expanded", expanded), hides, look, onError);
}

/**
 * The methods of an outline that the rows use. Without `today`, a root such as `today` keeps its day after
 * midnight.
 *
 * @inline
 */
type RowsOutline = Pick<Outline, "get" | "list" | "subscribe"> & Partial<Pick<Outline, "today">>;

function assertIterable(name: string, value: unknown, of: "ids" | "rows"): void {
	if (typeof value === "object" && value !== null && Symbol.iterator in value) return;
	throw invalidArgument(name, value, `an array or a set of ${of}`);
}

/** Returns the rows that `look` was given. @throws `invalid_argument` */
function rowsIn(value: Iterable<Row>): Row[] {
	assertIterable("look's list of rows", value, "rows");
	const rows = [...value];
	for (const row of rows as (Partial<Row> | null | undefined)[]) {
		if (typeof row?.node?.id === "string") continue;
		throw new OutlineError("invalid_argument", `look's list of rows has ${quoted(row)}. It must have rows.`);
	}
	return rows;
}

/** Returns a set of its own of the ids that an argument has. @throws `invalid_argument` */
export function idsIn(name: string, value: Iterable<string>): Set<string> {
	assertIterable(name, value, "ids");
	const ids = new Set(value);
	for (const id of ids) {
		if (typeof id === "string") continue;
		throw new OutlineError("invalid_argument", `${name} has ${quoted(id)}. It must have ids, such as node.id.`);
	}
	return ids;
}

class OutlineRows extends LiveValue<Rows> implements LiveRows {
	readonly ready: Promise<void>;
	readonly #outline: Pick<Outline, "list">;
	readonly #root: LiveRoot;
	readonly #expanded: Set<string>;
	readonly #lists = new ChildLists();
	readonly #list: RowList;
	/** The current loads of children. */
	readonly #loading = new Map<string | null, { read: Pick<CurrentRead<unknown>, "outdate">; done: Promise<void> }>();
	readonly #unsubscribe: () => void;
	readonly #onError: (error: unknown) => void;

	constructor(
		outline: RowsOutline,
		root: string | null,
		expanded: Set<string>,
		hides: (node: OutlineNode) => boolean,
		looks: boolean,
		onError: ((error: unknown) => void) | undefined,
	) {
		super({ root: undefined, rows: [] });
		this.#outline = outline;
		this.#expanded = expanded;
		this.#list = new RowList(this.#lists, this.#expanded, hides, looks);
		this.#onError = onError ?? surface;
		this.#root = new LiveRoot(outline, root, () => this.report(this.#loadThenPublish(), this.#onError), this.#onError);
		this.#unsubscribe = outline.subscribe((event) => this.#applyCommit(event));
		const open = async () => {
			await this.#root.open();
			await this.#loadThenPublish();
		};
		this.ready = this.reportFirst(open(), onError);
	}

	override close(): void {
		this.#unsubscribe();
		this.#root.close();
		super.close();
	}

	row(key: string): Row | undefined {
		return this.#list.row(key);
	}

	isExpanded(id: string): boolean {
		return this.#expanded.has(id);
	}

	async expand(ids: Iterable<string>, expanded = true): Promise<void> {
		const changed = [...idsIn("expand's list of ids", ids)];
		for (const id of changed) {
			if (expanded) this.#expanded.add(id);
			else this.#expanded.delete(id);
		}
		await this.#loadThenPublish(changed);
	}

	async look(rows: Iterable<Row>): Promise<void> {
		const unknown = this.#list.unknownBelow(rowsIn(rows));
		if (unknown.length === 0) return;
		await Promise.all(unknown.map((id) => this.#load(id)));
		this.#publishLoaded();
	}

	hide(hides: (node: OutlineNode) => boolean): void {
		assertFunction("hides", hides);
		this.#list.hide(hides);
		this.#publishThenLoad();
	}

	/**
	 * Loads the missing children of rows, level by level, and then shows all rows.
	 *
	 * @param ids - nodes that have been expanded or collapsed
	 */
	async #loadThenPublish(ids: readonly string[] = []): Promise<void> {
		const pace = new Pace();
		this.#list.update(this.#root.node, ids);
		for (let { unknown } = this.#list; unknown.length > 0 && !this.closed; { unknown } = this.#list) {
			await Promise.all(unknown.map((id) => this.#load(id)));
			if (pace.isDue) await pace.turn();
			this.#list.update(this.#root.node);
		}
		this.#publishChanged();
	}

	/** Loads the children of a node, or of the top level. A node deleted meanwhile has none. */
	#load(id: string | null): Promise<void> {
		const loading = this.#loading.get(id);
		if (loading !== undefined) return loading.done;
		const read = new CurrentRead(
			() => this.#outline.list(id).catch(unlessMissing),
			(list) => this.#lists.add(id, list?.mirror?.originId ?? null, list?.nodes ?? []),
			() => this.closed,
		);
		const done = read.start().finally(() => this.#loading.delete(id));
		this.#loading.set(id, { read, done });
		return done;
	}

	#applyCommit(event: OutlineEvent): void {
		for (const { read } of this.#loading.values()) read.outdate();
		if (event.expired) {
			this.report(this.#reload(), this.#onError);
			return;
		}
		this.#root.apply(event);
		this.#lists.apply(event.changes);
		try {
			this.#publishThenLoad();
		} catch (error) {
			// It comes from `hides`, and no caller waits for it here.
			this.#onError(error);
		}
	}

	/** Shows what is loaded, and loads the rest: a node that became visible may be expanded. */
	#publishThenLoad(): void {
		this.#publishLoaded();
		if (this.#list.unknown.length > 0) this.report(this.#loadThenPublish(), this.#onError);
	}

	/** Reads everything again, because deletions can't be read any more. */
	async #reload(): Promise<void> {
		this.#lists.clear();
		await this.#root.reload();
		await this.#loadThenPublish();
	}

	#publishLoaded(): void {
		this.#list.update(this.#root.node);
		this.#publishChanged();
	}

	/** Publishes the rows if they or the root have changed. */
	#publishChanged(): void {
		const next = { root: this.#root.node, rows: this.#list.rows };
		if (next.root !== this.current.root || next.rows !== this.current.rows) this.publish(next);
	}
}
