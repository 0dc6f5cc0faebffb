import { OutlineError } from "../../src/errors.js";
import { type Steps, sorted } from "../../src/pace.js";
import { byPlace } from "../../src/siblings.js";
import type { Answer, ChangedSince, Locator, NodeRecord, Query, StoredNode, Subtree } from "../../src/storage.js";
import { ChangedRows } from "../sql/answer.js";
import { portions } from "./at-once.js";
import { intact, type SqliteConnection } from "./connection.js";
import { endOf, Portions, type Written } from "./portion.js";
import { type Cells, type ReadOptions, storedNodeIn } from "./read.js";
import { childrenAtOnce, wholeAnswer } from "./small-read.js";

/** The most bytes of texts in the answers of one read. Most processes don't have memory for more. */
const longestAnswer = 2 ** 30;

/**
 * The number of bytes after which an answer to `changes` ends with the next commit. The reader continues from
 * there.
 */
const longestFeed = 2 ** 25;

/** The row of a key or its tombstone. */
type KeyRow = ReturnType<Portions["keysAfter"]>[number];

/** A part of the changes of an outline. */
interface Feed {
	readonly entries: readonly Written[];
	readonly keys: readonly KeyRow[];
	/** The revision to continue from. */
	readonly revision: number;
}

/** A node by its place among its siblings. */
type Sibling = Pick<NodeRecord, "id" | "priority">;

/**
 * Reads long answers in steps. All steps must see the same revision; if they don't, the caller must begin
 * again.
 */
export class BulkRead {
	readonly #connection: SqliteConnection;
	readonly #outline: number;
	readonly #options: ReadOptions;
	readonly #portions: Portions;
	/** The number of bytes that the answers may still have. */
	#left = longestAnswer;

	constructor(connection: SqliteConnection, outline: number, options: ReadOptions) {
		this.#connection = connection;
		this.#outline = outline;
		this.#options = options;
		this.#portions = new Portions(connection, outline, options);
	}

	/**
	 * Answers queries. @throws `too_large` if the answers need more memory than a process can be expected to
	 * have
	 */
	*answers(queries: readonly Query[], revision: number): Steps<Answer<Query>[]> {
		const results: Answer<Query>[] = [];
		for (const query of queries) {
			results.push(yield* this.#answer(query, revision));
			yield;
		}
		return results;
	}

	*#answer(query: Query, revision: number): Steps<Answer<Query>> {
		switch (query.type) {
			case "children":
				return yield* this.#children(query);
			case "ancestors":
				return yield* this.#ancestors(query);
			case "subtree":
				return yield* this.#subtree(query.of);
			case "related":
				return yield* this.#related(query.ids);
			case "taken":
				return yield* this.#taken(query.shortIds, revision);
			case "changes":
				return yield* this.#changes(query, revision);
			default:
				return wholeAnswer(this.#connection, this.#outline, query, revision);
		}
	}

	*#children(query: Extract<Query, { type: "children" }>): Steps<StoredNode[]> {
		const ids = yield* this.#childIds(query);
		return yield* this.#nodes(ids);
	}

	/** Returns the ids of the children for a query, in order. */
	*#childIds(query: Extract<Query, { type: "children" }>): Steps<string[]> {
		const { limit = Number.POSITIVE_INFINITY, fromLast } = query;
		const found = new Map<string, Sibling>();
		for (let atOnce = this.#options.rows, range = {}; ; yield) {
			const some = childrenAtOnce(this.#connection, this.#outline, { ...query, ...range, limit: atOnce });
			const before = found.size;
			for (const sibling of some) found.set(sibling.id, sibling);
			if (some.length < atOnce || found.size >= limit) break;
			// Usually a priority has one node. In a damaged outline it may have more nodes than one step reads.
			if (found.size === before) atOnce *= 2;
			const { priority } = fromLast ? some[0]! : some.at(-1)!;
			range = fromLast ? { before: priority + 1 } : { after: priority - 1 };
		}
		const inOrder = yield* sorted([...found.values()], byPlace);
		const ids = inOrder.map(({ id }) => id);
		return fromLast ? ids.slice(Math.max(0, ids.length - limit)) : ids.slice(0, limit);
	}

	/** Returns the ids of a node and of its ancestors. */
	*#ancestors({ of, limit = Number.POSITIVE_INFINITY }: Extract<Query, { type: "ancestors" }>): Steps<string[]> {
		const ids = new Set<string>();
		const atOnce = this.#options.rows + 1;
		for (let at = of; ; yield) {
			const query = { type: "ancestors", of: at, limit: atOnce } as const;
			const some = wholeAnswer(this.#connection, this.#outline, query, 0) as readonly string[];
			const before = ids.size;
			for (const id of some) ids.add(id);
			// In a damaged outline a node may be its own ancestor.
			if (some.length < atOnce || ids.size >= limit || ids.size === before) return [...ids];
			at = { id: some.at(-1)! };
		}
	}

	/** Returns a node and all below it, level by level. */
	*#subtree(of: Locator): Steps<Subtree> {
		const root = wholeAnswer(this.#connection, this.#outline, { type: "node", at: of }, 0) as StoredNode | null;
		if (root === null) return { nodes: [], keys: [] };
		const ids = new Set([root.record.id]);
		const keys: Subtree["keys"][number][] = [];
		for (let level = [...ids]; level.length > 0; ) {
			const below: string[] = [];
			for (let start = 0; start < level.length; start += this.#options.rows) {
				const some = level.slice(start, start + this.#options.rows);
				keys.push(...this.#portions.keysOf(some));
				let seen = 0;
				for (const id of yield* this.#childrenOf(some)) {
					if (!ids.has(id)) below.push(id);
					ids.add(id);
					if (++seen % this.#options.rows === 0) yield;
				}
				yield;
			}
			level = below;
		}
		return { nodes: yield* this.#nodes([...ids]), keys };
	}

	/** Returns the ids of the children of the nodes, in any order. */
	*#childrenOf(ids: readonly string[]): Steps<readonly string[]> {
		const found = this.#portions.childrenOf(ids);
		if (found.length <= this.#options.rows) return found;
		yield;
		if (ids.length === 1) return yield* this.#childIds({ type: "children", of: { id: ids[0]! }, scope: "own" });
		const half = ids.length >> 1;
		const first = yield* this.#childrenOf(ids.slice(0, half));
		return first.concat(yield* this.#childrenOf(ids.slice(half)));
	}

	*#related(ids: readonly string[]): Steps<StoredNode[]> {
		const found = new Set<string>();
		for (let start = 0; start < ids.length; start += this.#options.rows) {
			for (const id of this.#portions.relatedTo(ids.slice(start, start + this.#options.rows))) found.add(id);
			yield;
		}
		return yield* this.#nodes([...found]);
	}

	*#taken(shortIds: readonly string[], revision: number): Steps<string[]> {
		const taken = new Set<string>();
		for (let start = 0; start < shortIds.length; start += this.#options.rows) {
			const query = { type: "taken", shortIds: shortIds.slice(start, start + this.#options.rows) } as const;
			const some = wholeAnswer(this.#connection, this.#outline, query, revision) as readonly string[];
			for (const shortId of some) taken.add(shortId);
			yield;
		}
		return [...taken];
	}

	*#changes(query: Extract<Query, { type: "changes" }>, current: number): Steps<ChangedSince> {
		const { entries, keys, revision } = yield* this.#feed(query, current);
		const changed = new ChangedRows();
		for (const row of keys) changed.addKey(row);
		for (const some of portions(entries, this.#options)) {
			this.#spend(some);
			for (const row of this.#portions.records(some.map(({ id }) => id))) changed.addNode(row);
			yield;
		}
		return changed.answer(revision, this.#portions.horizon());
	}

	/** Returns the entries of whole commits after a revision, and the revision to continue from. */
	*#feed({ since, limit }: Extract<Query, { type: "changes" }>, current: number): Steps<Feed> {
		const written = this.#portions.keysAfter(since);
		const entries: Written[] = [];
		const keys: KeyRow[] = [];
		let size = 0;
		let newest = since;
		/** Whether the feed ends before a commit. */
		const endsBefore = (revision: number) =>
			revision > newest && newest > since && (entries.length + keys.length >= limit || size >= longestFeed);
		/** Adds the keys of the commits before a revision. Returns false if the feed ends among them. */
		const addKeysBefore = (revision: number) => {
			for (let row = written[keys.length]; row !== undefined && row.revision < revision; row = written[keys.length]) {
				if (endsBefore(row.revision)) return false;
				keys.push(row);
				newest = row.revision;
			}
			return true;
		};
		for (let last = endOf(since); ; yield) {
			const page = this.#portions.writtenAfter(last, current);
			for (const entry of page) {
				if (!addKeysBefore(entry.revision) || endsBefore(entry.revision)) return { entries, keys, revision: newest };
				entries.push(entry);
				newest = entry.revision;
				size += entry.size;
				last = entry;
			}
			if (page.length < this.#options.rows) {
				const isWhole = addKeysBefore(Number.POSITIVE_INFINITY);
				return { entries, keys, revision: isWhole ? current : newest };
			}
		}
	}

	/** Returns the nodes with the ids, in their order. Leaves out ids without a node. */
	*#nodes(ids: readonly string[]): Steps<StoredNode[]> {
		const nodes: StoredNode[] = [];
		for (let start = 0; start < ids.length; start += this.#options.rows) {
			for (const some of portions(this.#portions.sized(ids.slice(start, start + this.#options.rows)), this.#options)) {
				this.#spend(some);
				const rows = this.#portions.nodes(some.map(({ id }) => id));
				const found = intact(() => (JSON.parse(rows) as Cells[]).map(storedNodeIn));
				const byId = new Map(found.map((node) => [node.record.id, node]));
				for (const { id } of some) nodes.push(byId.get(id)!);
				yield;
			}
		}
		return nodes;
	}

	#spend(some: readonly { readonly size: number }[]): void {
		for (const { size } of some) this.#left -= size;
		if (this.#left >= 0) return;
		throw new OutlineError(
			"too_large",
			`The answer holds more than ${longestAnswer.toLocaleString("en")} bytes of texts, which is too much at once. Ask for fewer nodes, with a limit or for a part of them.`,
		);
	}
}
