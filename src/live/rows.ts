import type { OutlineEvent } from "../change.js";
import { OutlineError, quoted } from "../errors.js";
import { assertFunction, fieldsOf } from "../fields.js";
import { isId } from "../id.js";
import type { OutlineNode } from "../node.js";
import type { Outline } from "../outline.js";
import { ChildLists, originOf } from "./child-lists.js";
import { type Live, LiveValue, surface } from "./live.js";

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
	/** Undefined as long as nobody has looked. */
	readonly hasChildren: boolean | undefined;
	/** Whether its children follow. */
	readonly expanded: boolean;
	/** Whether it shows a node that is above it already, so that it isn't unfolded once more. */
	readonly recurring: boolean;
}

/** What is shown. */
export interface Rows {
	/** The node whose children are shown; null for the top level, undefined if it is gone. */
	readonly root: OutlineNode | null | undefined;
	/** From top to bottom. */
	readonly rows: readonly Row[];
}

/** What {@link liveRows} takes. */
export interface LiveRowsOptions {
	/** A reference to the node whose children are shown, looked up once. Default `null`: the top level. */
	root?: string | null | undefined;
	/** The ids of the nodes whose children follow. */
	expanded?: Iterable<string> | undefined;
	/** Whether a node is left out, with what is below it. Default: none is. */
	hides?: ((node: OutlineNode) => boolean) | undefined;
	/**
	 * Told what a later reading throws, until they are closed; rows stay as they were. Default: it surfaces as an unhandled
	 * rejection.
	 */
	onError?: ((error: unknown) => void) | undefined;
}

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
export function liveRows(
	outline: Pick<Outline, "get" | "list" | "subscribe">,
	options: LiveRowsOptions = {},
): LiveRows {
	fieldsOf("liveRows", options);
	const { root = null, expanded = [], hides = () => false, onError = surface } = options;
	for (const [name, value] of Object.entries({ hides, onError })) assertFunction(name, value);
	assertIterable("expanded", expanded);
	return new OutlineRows(outline, { root, expanded, hides, onError });
}

/** The options, checked, with the defaults filled in. */
type Given = { [K in keyof LiveRowsOptions]-?: Exclude<LiveRowsOptions[K], undefined> };

function assertIterable(name: string, value: unknown): void {
	if (typeof value === "object" && value !== null && Symbol.iterator in value) return;
	throw new OutlineError("invalid_argument", `${name} is ${quoted(value)}. It must be an array or a set of ids.`);
}

class OutlineRows extends LiveValue<Rows> implements LiveRows {
	readonly ready: Promise<void>;
	readonly #outline: Pick<Outline, "get" | "list">;
	/** Undefined as long as the reference to the root hasn't been looked up, and if it is one to nothing. */
	#rootId: string | null | undefined;
	readonly #expanded: Set<string>;
	readonly #lists = new ChildLists();
	/** The readings of children that are under way; each is told when it has been overtaken by a commit. */
	readonly #loading = new Map<string | null, { stale: boolean; done: Promise<void> }>();
	readonly #unsubscribe: () => void;
	#root: OutlineNode | null | undefined;
	/** Whether a commit has told of the root. */
	#rootTold = false;
	#hides: (node: OutlineNode) => boolean;

	constructor(
		outline: Pick<Outline, "get" | "list" | "subscribe">,
		{ root, expanded, hides, onError }: Readonly<Given>,
	) {
		super({ root: undefined, rows: [] });
		this.#outline = outline;
		if (root === null) this.#rootId = null;
		else if (isId(root)) this.#rootId = root.toLowerCase();
		this.#expanded = new Set(expanded);
		this.#hides = hides;
		this.#unsubscribe = outline.subscribe((event) => this.#hear(event, onError));
		this.ready = this.#open(root);
		this.ready.catch(() => {});
	}

	override close(): void {
		this.#unsubscribe();
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
		const unknown = [...rows].filter(({ node }) => this.#lists.of(node.id) === undefined);
		if (unknown.length === 0) return;
		await Promise.all(unknown.map(({ node }) => this.#load(node)));
		this.#publish(this.#rowsNow().rows);
	}

	hide(hides: (node: OutlineNode) => boolean): void {
		assertFunction("hides", hides);
		this.#hides = hides;
		this.#publish(this.#rowsNow().rows);
	}

	async #open(reference: string | null): Promise<void> {
		let root: OutlineNode | null | undefined;
		try {
			// From then on commits that concern it are noticed.
			if (this.#rootId === undefined) this.#rootId = (await this.#outline.get(reference!)).id;
			root = this.#rootId === null ? null : await this.#outline.get(this.#rootId);
		} catch (error) {
			if (!(error instanceof OutlineError && error.code === "not_found")) throw error;
		}
		// What a commit has told of it meanwhile is newer.
		if (!this.#rootTold) this.#root = root;
		await this.#show();
	}

	/** Reads what is to be seen and isn't known, level by level, and shows all of it. */
	async #show(): Promise<void> {
		let shown = this.#rowsNow();
		while (shown.unknown.length > 0 && !this.closed) {
			await Promise.all(shown.unknown.map((node) => this.#load(node)));
			shown = this.#rowsNow();
		}
		this.#publish(shown.rows);
	}

	/** Reads the children of a node, or of the top level. One that is gone meanwhile has none. */
	#load(node: OutlineNode | null): Promise<void> {
		const id = node?.id ?? null;
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

	#hear({ changes }: OutlineEvent, onError: (error: unknown) => void): void {
		for (const reading of this.#loading.values()) reading.stale = true;
		const rootChange = changes.find(({ id }) => id === this.#rootId);
		if (rootChange !== undefined) {
			this.#root = rootChange.after;
			this.#rootTold = true;
		}
		const { structure, contents } = this.#lists.apply(changes);
		const stays = ([before, after]: readonly [OutlineNode, OutlineNode]) => this.#hides(before) === this.#hides(after);
		if (!structure && rootChange === undefined && [...contents.values()].every(stays)) {
			if (contents.size > 0) this.#publishContents(contents);
			return;
		}
		const { rows, unknown } = this.#rowsNow();
		this.#publish(rows);
		// What has come may be expanded.
		if (unknown.length > 0) this.report(this.#show(), onError);
	}

	#publish(rows: readonly Row[]): void {
		this.publish({ root: this.#root, rows });
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

	/** The rows as the lists have them, and the nodes whose children belong to them and aren't known. */
	#rowsNow(): { rows: readonly Row[]; unknown: readonly (OutlineNode | null)[] } {
		const root = this.#root;
		if (root === undefined) return { rows: [], unknown: [] };
		const top = this.#lists.of(root?.id ?? null);
		if (top === undefined) return { rows: [], unknown: [root] };
		const rows: Row[] = [];
		const unknown: OutlineNode[] = [];
		const stack: Level[] = [new Level(top, null, root)];
		/** The ids of the nodes that are shown on the way down, in whatever guise. */
		const above = new Set(root === null ? [] : [shownId(root)]);
		for (let level = stack.at(-1); level !== undefined; level = stack.at(-1)) {
			const node = level.nodes[level.next++];
			if (node === undefined) {
				stack.pop();
				if (level.parent !== null && stack.length > 0) above.delete(shownId(level.parent));
				continue;
			}
			if (this.#hides(node)) continue;
			const key = level.prefix === null ? node.id : `${level.prefix}/${node.id}`;
			const recurring = above.has(shownId(node));
			const children = this.#lists.of(node.id);
			const hasChildren = children?.some((child) => !this.#hides(child));
			const unfolds = !recurring && this.#expanded.has(node.id);
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
			if (children === undefined) unknown.push(node);
			else if (hasChildren) {
				const isMirror = node.mirror !== undefined && "originId" in node.mirror;
				stack.push(new Level(children, key, node, level.prefix !== null || isMirror ? key : null));
				above.add(shownId(node));
			}
		}
		return { rows, unknown };
	}
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
