import { beginCall, type Call, type RunWrite } from "./engine/call.js";
import { LazyModule, loadAll } from "./engine/lazy-module.js";
import { promised } from "./engine/promises.js";
import { type Operation, peek, promiseOf, type Rest, read } from "./engine/protocol.js";
import { type OutlineOptions, type Settings, settingsFrom } from "./engine/settings.js";
import { type OutlineListener, Subscription } from "./engine/subscription.js";
import { Writer } from "./engine/writer.js";
import { OutlineError, quoted } from "./errors.js";
import { FormatExport, type OutlineExport } from "./exchange/export.js";
import { type ExchangeFormat, exchangeFormatArgument } from "./exchange/formats.js";
import type { ImportReport } from "./exchange/import.js";
import { type ExportOptions, exportFields, type ImportOptions, importFields } from "./exchange/options.js";
import type { ImportSource } from "./exchange/source.js";
import { assertFunction, fieldsOf } from "./fields.js";
import { type Direction, History, type HistoryCounts, type HistoryStep } from "./history/history.js";
import type { KeptHistory } from "./history/kept-history.js";
import { type PreparedStep, RecordedWrite } from "./history/recorded-write.js";
import { RevertingWrite } from "./history/reverting-write.js";
import type { OutlineNode } from "./node.js";
import { type BatchOperation, type BatchResult, prepareBatch } from "./operations/batch.js";
import type { CreateInput } from "./operations/create.js";
import type { CreateTreeInput, OutlineTree } from "./operations/create-tree.js";
import {
	type DeleteInput,
	type DeletionPlan,
	loadingFor,
	mirrorPolicyArgument,
	planRemoval,
} from "./operations/delete/delete.js";
import { descriptions, type OperationInputs, type OperationName, type ResultOf } from "./operations/description.js";
import type { DuplicateInput } from "./operations/duplicate.js";
import { type IdempotencyInput, once } from "./operations/idempotency.js";
import { prepare } from "./operations/index.js";
import type { MirrorInput } from "./operations/mirror.js";
import type { MoveInput } from "./operations/move.js";
import type { UpdateInput } from "./operations/update.js";
import type { ChangesInput, OutlineChanges, PruneInput } from "./read/changes.js";
import { NodeExport } from "./read/export.js";
import { get, getAtOnce, list, listAtOnce, type NodeList } from "./read/get.js";
import type { BacklinksInput, SearchHit, SearchHitOf, SearchInput } from "./read/search/options.js";
import type { OutlineSearch } from "./read/search/outline-search.js";
import { type Target, targets } from "./read/targets.js";
import { TreeWalk, type Walk, type WalkOptions, walkFields, walkSettings } from "./read/walk.js";
import { calendarKeyOf } from "./reference/calendar.js";
import { nodeReference, parentReference, type ReferenceText } from "./reference/reference.js";
import type { ScopeHost } from "./scope/host.js";
import { type ScopedOutline, type ScopeOptions, scopeOf } from "./scope/scoped-outline.js";
import type { StorageAdapter, StoredNode } from "./storage.js";
import type { SyncAnswer } from "./sync/protocol.js";
import type { SyncHost } from "./sync/server/host.js";
import type { SyncImageInput } from "./sync/server/image.js";
import type { RepairReport } from "./verify/repair/repair.js";
import type { VerifyOptions, VerifyReport } from "./verify/verify.js";

// Few outlines use these, and none at its start.
const keptModule = new LazyModule("The stored history", () => import("./history/kept-history.js"));
const searchModule = new LazyModule("The search", () => import("./read/search/outline-search.js"));
const feedModule = new LazyModule("The feed of changes", () => import("./read/changes.js"));
const importModule = new LazyModule("The import", () => import("./exchange/import.js"));
const verifyModule = new LazyModule("The verification", () => import("./verify/verify.js"));
const repairModule = new LazyModule("The repair", () => import("./verify/repair/repair.js"));
const syncModule = new LazyModule("The server of sync", () => import("./sync/server/index.js"));

/**
 * An outline over a storage. The constructor does no I/O and costs almost nothing; the storage opens on first
 * use.
 *
 * Every promise rejects with an {@link OutlineError}. It rejects with a TypeError or RangeError if the host's
 * `now` or `generateId` returned an invalid value. Beside the codes that each method names, every method may
 * reject with:
 *
 * - `invalid_argument`, `invalid_reference` and `unsupported_reference` for bad input;
 * - `conflict` if other writers keep committing in between;
 * - `storage_unavailable`, `storage_corrupt` and `quota_exceeded` from the storage;
 * - `load_failed` (see {@link Outline.preload}), and `closed`.
 *
 * `subscribe` throws at once, `export` during the iteration. A failed operation changes nothing.
 *
 * A `ref` is a full id, a short id, a shortcut, `inbox` or a calendar key. Calendar keys are `calendar`,
 * `today`, `tomorrow`, `next_week`, `YYYY`, `YYYY-MM` and `YYYY-MM-DD`. A parent may also be `None` or a node
 * address. Spec §2.4.
 *
 * Costs count calls of the storage's `read` and `commit`, and records. Each call is a round trip if the
 * storage is remote. *d* is the depth of the node or of the parent. *c* is the number of its children, *m*
 * the number of its mirrors, and *n* the number of all nodes that the operation concerns. The size of the
 * outline and the number of siblings make no difference. While an outline has listeners, each write costs one
 * more read.
 *
 * ```ts
 * import { Outline } from "outlinekit";
 * import { createMemoryStorage } from "outlinekit/memory";
 *
 * const outline = new Outline({ storage: createMemoryStorage(), timeZone: "Europe/Berlin" });
 * const list = await outline.create({ name: "Shopping" });
 * const milk = await outline.create({ parent: list.id, name: "- [ ] milk", position: "bottom" });
 * await outline.complete(milk.id);
 * await outline.mirror(milk.id, { parent: (await outline.create({ name: "Today" })).id });
 * ```
 */
export class Outline {
	readonly #storage: StorageAdapter;
	readonly #settings: Settings;
	readonly #subscription: Subscription;
	readonly #writer: Writer;
	readonly #history: History;
	/** The stored steps, if the host asks for a stored history. Created on first use. */
	#lazyKept: KeptHistory | undefined;
	/** Created on first use: an outline that serves one request has no time to build an index. */
	#lazySearch: OutlineSearch | undefined;
	#closed = false;

	/** @throws `invalid_argument` for an option that is unknown or out of range */
	constructor(options: OutlineOptions) {
		const methods = ["read", "commit", "scan", "close"] as const;
		if (methods.some((method) => typeof options?.storage?.[method] !== "function")) {
			throw new OutlineError(
				"invalid_argument",
				`storage is ${quoted(options?.storage)}. Give a storage adapter in the options, such as { storage: createMemoryStorage() } or { storage: replica.storage }.`,
			);
		}
		this.#storage = options.storage;
		this.#settings = settingsFrom(options);
		this.#subscription = new Subscription(this.#storage);
		this.#writer = new Writer(this.#storage, this.#subscription, this.#settings);
		this.#history = new History(this.#settings.history);
		this.#storage.attached?.(this, this.#settings.names);
	}

	/**
	 * Creates a node, and a node below it for each further block of its name. Returns the node. If the parent
	 * is a mirror, the node becomes a child of its origin. Spec §4.1.
	 *
	 * Cost: 1 read, 1 commit; 2 records read, 1 written. Beside a sibling, if there is room: 3 reads, 1 commit;
	 * 8 records read, 1 written. Under a key whose node it creates: 3 reads, 1 commit; 1 record read, 2
	 * written.
	 *
	 * ```ts
	 * // A node with two nodes below it.
	 * await outline.create({ name: "# Trip to **Oslo**\n\n- [ ] book the ferry\n- [ ] pack" });
	 * await outline.create({ parent: "today", name: "Call Ada [2026-12-01 09:30]" });
	 * ```
	 *
	 * @throws `not_found` for an unknown parent or sibling
	 */
	create(input: CreateInput): Promise<OutlineNode> {
		return this.#run("create", input);
	}

	/**
	 * Creates a node with all nodes below it, in one commit. It takes any depth and size.
	 *
	 * Cost: 1 read, 1 commit; 1 record read, n written.
	 *
	 * @throws `not_found` for an unknown parent or sibling; `invalid_argument` naming the node, as in
	 * `children[2].children[0]`
	 */
	createTree(input: CreateTreeInput): Promise<OutlineTree> {
		return this.#run("createTree", input);
	}

	/**
	 * Runs several operations as one commit: all or none of them. Each sees the changes of the operations
	 * before it. An operation can name the node that it creates (`as`), and later ones can refer to it by that
	 * name.
	 *
	 * Cost, if it updates or completes n nodes, by id: 2 reads, 1 commit; n records read, n written. Else the
	 * reads of its operations, none of them twice, and 1 commit.
	 *
	 * ```ts
	 * const { ids } = await outline.batch([
	 *   { type: "create", as: "list", name: "Shopping" },
	 *   { type: "create", parent: { as: "list" }, name: "milk" },
	 * ]);
	 * await outline.get(ids.list);
	 * ```
	 *
	 * @throws the error of the first operation that fails; its index is in the message and in `operation`
	 */
	batch<const Operations extends readonly BatchOperation[]>(
		operations: readonly BatchOperation[] & Operations,
		input?: IdempotencyInput,
	): Promise<BatchResult<Operations>>;
	/** The same, for an array whose operations the compiler doesn't know. */
	batch(operations: readonly BatchOperation[], input?: IdempotencyInput): Promise<BatchResult>;
	async batch(operations: readonly BatchOperation[], input: IdempotencyInput = {}): Promise<BatchResult> {
		const { idempotencyKey } = fieldsOf("batch", input, ["idempotencyKey"]);
		return this.#write("batch", (call) =>
			once(call, idempotencyKey, ["batch", operations], prepareBatch(call, operations)),
		);
	}

	/**
	 * Changes the name, note, layout mode or completion of a node; for a mirror, of its origin. If nothing
	 * differs, `modifiedAt` stays and nothing is committed. Returns the node that `ref` names. Spec §4.2.
	 *
	 * Cost: 1 read, 1 commit; 1 record read, 1 written.
	 *
	 * @throws `not_found`
	 */
	update(ref: ReferenceText, input: UpdateInput = {}): Promise<OutlineNode> {
		return this.#run("update", input, ref);
	}

	/**
	 * Returns the node of a system or calendar key (`inbox`, `calendar`, `today`, `2026-12` and the like). If
	 * there is none yet, it creates the node and the missing entries above it, as one undo step. If there is
	 * one, it commits nothing.
	 *
	 * Cost: 1 read; 1 record read. If it creates the inbox or the calendar: 3 reads, 1 commit; 1 record read, 1
	 * written.
	 *
	 * @throws `not_found` if any other reference names no node
	 */
	ensure(ref: ReferenceText): Promise<OutlineNode> {
		return this.#run("ensure", {}, ref);
	}

	/** Returns today's calendar key, such as `2026-11-21`, by the clock and the time zone of the outline. */
	today(): string {
		return calendarKeyOf("today", this.#begin())!;
	}

	/**
	 * Retrieves a node. Never creates one. Spec §4.3.
	 *
	 * Cost: 1 read; 1 record read.
	 *
	 * @throws `not_found`, also if the inbox or the calendar entry doesn't exist yet
	 */
	get(ref: ReferenceText): Promise<OutlineNode> {
		return promised(() => {
			this.#assertOpen();
			const node = getAtOnce(this.#storage, ref);
			if (node !== undefined) return Promise.resolve(node);
			const reference = nodeReference(ref, this.#begin());
			return this.#read(() => get(reference));
		});
	}

	/**
	 * Lists the children of a node, or of the top level, sorted by priority. Below a mirror: the children of
	 * its origin and its own, each with the mirror as its parent. If the inbox doesn't exist yet, its list is
	 * empty. Spec §2.2, §4.4.
	 *
	 * Cost: 1 read; c + 1 records read.
	 *
	 * @throws `not_found`, also if the calendar entry doesn't exist yet
	 */
	list(parent?: ReferenceText | null): Promise<NodeList> {
		return promised(() => {
			this.#assertOpen();
			const children = listAtOnce(this.#storage, parent);
			if (children !== undefined) return Promise.resolve(children);
			const reference = parentReference(parent, this.#begin());
			return this.#read(() => list(reference));
		});
	}

	/**
	 * Deletes a node and all nodes below it, with the keys that point at them. If the deleted nodes include an
	 * origin whose mirrors stay, `mirrors` decides. Spec §3, §4.5.
	 *
	 * Cost: 1 read, 1 commit; n records read, n written. `detach` and `promote` also read the mirrors and the
	 * nodes below them.
	 *
	 * @throws `not_found`; `has_mirrors` naming the mirrors, unless `mirrors` allows it
	 */
	delete(ref: ReferenceText, input: DeleteInput = {}): Promise<void> {
		return this.#run("delete", input, ref);
	}

	/** Shows the effect of an operation, without running it. */
	readonly plan = {
		/**
		 * Returns the nodes and keys that {@link Outline.delete} would delete, and the mirrors that forbid it. It
		 * costs as much as the deletion, without the commit.
		 *
		 * @throws `not_found`
		 */
		delete: async (ref: ReferenceText, input: DeleteInput = {}): Promise<DeletionPlan> => {
			const policy = mirrorPolicyArgument(fieldsOf("plan.delete", input, descriptions.delete.fields).mirrors);
			const reference = nodeReference(ref, this.#begin());
			await loadingFor(policy)?.();
			return this.#read(() => planRemoval(reference, policy));
		},
	};

	/**
	 * Moves a node with all nodes below it. A mirror moves alone, without its origin. Under a mirror, the node
	 * becomes a child of that mirror, not of its origin. `modifiedAt` stays. Spec §4.6.
	 *
	 * Cost, to an end of another parent: 2 reads, 1 commit; d + 4 records read, 1 written. To an end of the
	 * same parent: 2 reads, 1 commit; 3 records read, 1 written. Beside a sibling elsewhere, if there is room:
	 * 5 reads, 1 commit; d + 9 records read, 1 written.
	 *
	 * @throws `not_found` `would_create_cycle`
	 */
	move(ref: ReferenceText, input: MoveInput = {}): Promise<OutlineNode> {
		return this.#run("move", input, ref);
	}

	/**
	 * Copies a node with all nodes below it, and returns the copy. A mirror becomes a mirror of the same
	 * origin, or of the origin's copy if the origin is copied too. Shortcuts and calendar keys stay with the
	 * originals. Default position: directly after the node.
	 *
	 * Cost, beside the node: 5 reads, 1 commit; n + 8 records read, n written.
	 *
	 * @throws `not_found` `would_create_cycle`; `too_large` if the copy doesn't fit into one commit
	 */
	duplicate(ref: ReferenceText, input: DuplicateInput = {}): Promise<OutlineNode> {
		return this.#run("duplicate", input, ref);
	}

	/**
	 * Creates a mirror of a node and returns it; its `mirror.originId` names the true origin. Spec §4.7.
	 *
	 * Cost: 1 read, 1 commit; 3 records read, 2 written.
	 *
	 * @throws `not_found` `unsupported_reference` `would_create_cycle`
	 */
	mirror(ref: ReferenceText, input: MirrorInput): Promise<OutlineNode> {
		return this.#run("mirror", input, ref);
	}

	/**
	 * Deletes a mirror, with the nodes that were moved into it; its origin stays. Spec §4.8.
	 *
	 * Cost, without such children: 2 reads, 1 commit; 2 records read, 2 written.
	 *
	 * @throws `not_found` `not_a_mirror` `has_mirrors`
	 */
	removeMirror(ref: ReferenceText): Promise<void> {
		return this.#run("removeMirror", {}, ref);
	}

	/**
	 * Completes a node; for a mirror, its origin. A completed node keeps its timestamp, and nothing is
	 * committed. Spec §4.9.
	 *
	 * Cost: 1 read, 1 commit; 1 record read, 1 written.
	 *
	 * @throws `not_found`
	 */
	complete(ref: ReferenceText): Promise<OutlineNode> {
		return this.#run("complete", {}, ref);
	}

	/**
	 * Makes a node open again; for a mirror, its origin. If the node is open, nothing is committed. Spec §4.10.
	 *
	 * Cost: 1 read, 1 commit; 1 record read, 1 written.
	 *
	 * @throws `not_found`
	 */
	uncomplete(ref: ReferenceText): Promise<OutlineNode> {
		return this.#run("uncomplete", {}, ref);
	}

	/**
	 * Undoes the last change of this `Outline` that isn't undone yet, in one commit. It restores ids, mirrors,
	 * shortcuts and positions, and keeps later changes of other writers. Inbox and calendar nodes that were
	 * created on demand stay. One that {@link Outline.ensure} created, or an import, is deleted if it has no
	 * children. Returns `null` if there is nothing to undo. The history is in memory, unless
	 * {@link HistoryOptions.keep} is set: then the storage keeps it, and all `Outline`s on the storage that keep
	 * their history share it.
	 *
	 * Cost, of a create: 5 reads, 1 commit; m + 3 records read, 1 written.
	 *
	 * @throws `undo_blocked` naming the nodes if it would overwrite later changes of other writers; then
	 * nothing changes
	 */
	undo(): Promise<HistoryStep | null> {
		return this.#go("undo");
	}

	/** Redoes the last undone step, unless another change has followed it. @throws as {@link Outline.undo} */
	redo(): Promise<HistoryStep | null> {
		return this.#go("redo");
	}

	/**
	 * Ends the newest undo step. The next edit begins another step, even within `history.groupWithin`. Call it
	 * if the user goes to another text. Operations that haven't resolved yet aren't affected.
	 */
	endUndoStep(): void {
		this.#history.end();
	}

	/**
	 * The numbers of steps to undo and to redo. They are up to date as soon as an operation has resolved. It is a
	 * new object after each change. A stored history (`history.keep`) counts from the first change, undo,
	 * {@link Outline.preload} or {@link Outline.watchHistory} on.
	 */
	get history(): HistoryCounts {
		return this.#history.counts;
	}

	/**
	 * Calls `listener` after each change of {@link Outline.history}, with the new numbers, before the operation
	 * that made it resolves. If the history is stored, also reads it, and notifies of its steps; later also of steps
	 * that other writers add, if the storage announces their commits. Returns a function that removes the listener.
	 *
	 * @throws `invalid_argument` if the listener is no function
	 */
	watchHistory(listener: (history: HistoryCounts) => void): () => void {
		assertFunction("listener", listener);
		const stop = this.#history.subscribe(listener);
		// If the storage can't be read, the next operation reads the steps, and throws if it can't either.
		const read = () => this.#readHistory("watchHistory").catch(() => {});
		void read();
		if (!this.#settings.history.keep) return stop;
		const unsubscribe = this.#subscription.add(({ source }) => {
			if (source === "remote") void read();
		});
		return () => {
			stop();
			unsubscribe();
		};
	}

	/**
	 * Forgets all steps, to undo and to redo. The outline stays as it is. Resolves at once, unless the steps are
	 * stored (`history.keep`).
	 */
	async clearHistory(): Promise<void> {
		if (!this.#settings.history.keep) {
			this.#history.clear();
			return;
		}
		this.#assertOpen();
		await this.#withKept((kept) =>
			this.#writer.write({
				operation: "clearHistory",
				begin(changes, again) {
					if (again) kept!.doubt();
					return kept!.clear(changes);
				},
			}),
		);
	}

	/**
	 * Walks over a node and all nodes visible below it, or over the whole outline, each node before the nodes
	 * below it. Mirrors within mirrors may show far too many occurrences to count: a budget ends the walk, and
	 * its cursor continues it. A walk reads during the iteration: a page of siblings at a time, with the
	 * children of some of them. If the inbox doesn't exist yet, a walk over it is empty.
	 *
	 * ```ts
	 * for await (const { node, path } of outline.walk(null, { depth: 2 })) {
	 *   console.log("  ".repeat(path.length - 1) + node.name);
	 * }
	 * ```
	 *
	 * @throws `invalid_argument` for an option; during the iteration `not_found`, `invalid_argument` for a
	 * cursor that no longer leads anywhere, and the errors of the storage
	 */
	walk(ref?: ReferenceText | null, options: WalkOptions = {}): Walk {
		const settings = walkSettings(fieldsOf("walk", options, walkFields));
		const start = parentReference(ref, this.#begin(), "the reference");
		return new TreeWalk((operation) => this.#read(operation), start, settings);
	}

	/**
	 * Finds nodes, the best match first, or the earliest date first. A query may contain:
	 *
	 * - words, also their beginnings, `"a phrase"`, `-not`, `OR`, `#tag` and `@tag`;
	 * - `is:todo`, `is:completed`, `is:mirror` and `in:note`;
	 * - `links:` with an id or a short id, for nodes whose name or note links to that node;
	 * - `created:`, `modified:` and `completed:` with dates, or with spans such as `7d`;
	 * - `date:2026-12`, `date:<today`, `date:today..2026-12-07` or `date:+7d` for dates in names and notes, typed as
	 *   `[2026-12-01]`. Entries of the calendar don't count;
	 * - `has:due` for nodes with a property `due`, and `due:2026-12`, `due:<=2026-12-01`, `count:>5`, `done:true`
	 *   or `status:"in progress"` for its values. A text must contain the words given.
	 *
	 * Letter case and accents don't matter. Some terms with a colon are text: `https://…`, because a slash
	 * follows; `10:30`, which begins with a digit; and `note: x`, because a space follows. Quotes make any term a
	 * text: `"due:today"`.
	 *
	 * The index is in memory. The first search reads the whole outline to build it. Each later one reads the
	 * changes since then, so the index is never behind. The cost of a search depends on the number of matches.
	 * Only a query of nothing but `created:` and the like, and excluded terms, depends on the size of the outline.
	 *
	 * ```ts
	 * // What is due, and where it is.
	 * const due = await outline.search("date:<=today is:todo -is:completed", { order: "date", ancestors: true });
	 * for (const { node, date, ancestors } of due) console.log(date, ancestors, node.name);
	 * ```
	 *
	 * @throws `invalid_argument` for an invalid query, with the reason; `not_found` for an unknown node in
	 * `within`
	 */
	async search<const Input extends SearchInput>(
		query: string,
		input: Input = {} as Input,
	): Promise<SearchHitOf<Input>[]> {
		const call = this.#begin();
		return (await this.#search()).search(call, query, input);
	}

	/** Returns the tags in names and notes with the number of their nodes, the most frequent first. */
	async tags(): Promise<
		{
			/** The tag with its `#` or `@`, as the oldest node writes it. Letter case and accents don't matter. */
			tag: string;
			/** The number of nodes that have the tag. */
			count: number;
		}[]
	> {
		this.#assertOpen();
		const search = await this.#search();
		return search.tags();
	}

	/**
	 * Returns the nodes whose name or note links to a node, by its address or short id. It uses the index of
	 * `search`.
	 *
	 * @throws `not_found`; `invalid_argument` for an option
	 */
	async backlinks(ref: ReferenceText, input: BacklinksInput = {}): Promise<SearchHit[]> {
		const reference = nodeReference(ref, this.#begin());
		const search = await this.#search();
		return search.backlinks(reference, input);
	}

	/**
	 * Returns the nodes and keys changed since a revision, and the ids of the nodes deleted since then; 0 returns
	 * everything. To keep a copy of the outline, a program polls with the revision of the last answer, and misses
	 * no change.
	 *
	 * Cost: 2 reads, or 1 if nothing has changed. With `characters`, more than 64 changes are read in parts,
	 * each of which costs as much.
	 *
	 * ```ts
	 * const { nodes, deleted, revision } = await outline.changes({ since: 0 });
	 * ```
	 *
	 * @throws `invalid_argument`, also for a revision that the outline hasn't reached yet; `changes_expired` if
	 * {@link Outline.prune} has dropped deletions since then: begin again with 0, in place of the copy. The first
	 * answer then reaches at least the revision up to which they were dropped, whatever the limits
	 */
	async changes(input: ChangesInput): Promise<OutlineChanges> {
		this.#assertOpen();
		const { changesArgument, changesSince } = await feedModule.load();
		return changesSince((operation) => this.#read(operation), changesArgument(input));
	}

	/**
	 * Drops the tombstones of commits before a revision: the marks that deleted nodes and dropped keys leave for
	 * {@link Outline.changes}. Without it, they stay for ever. A program that last read the changes at an earlier
	 * revision has to read everything again. It can't be undone.
	 *
	 * Cost: 1 read, 1 commit; no records. The next snapshot of a file or of IndexedDB is smaller.
	 *
	 * ```ts
	 * // Each copy has read the changes up to this revision.
	 * await outline.prune({ before: 4711 });
	 * ```
	 *
	 * @throws `invalid_argument`, also for a revision that the outline hasn't reached yet
	 */
	async prune(input: PruneInput): Promise<void> {
		this.#assertOpen();
		const { prune, pruneArgument } = await feedModule.load();
		const before = pruneArgument(input);
		this.#assertOpen();
		return this.#writer.write({ operation: "prune", begin: (changes) => prune(changes, before) });
	}

	/**
	 * Returns every node, flat, in any order, all of one revision; each with its true parent. Commits continue
	 * meanwhile. It reads chunks, so the length of the export takes no memory. Spec §2.2, §4.11.
	 *
	 * @throws `closed`, `storage_unavailable` and `storage_corrupt`, during the iteration
	 */
	export(): AsyncIterable<OutlineNode> {
		return new NodeExport(() => {
			this.#assertOpen();
			const { starting } = this.#subscription;
			return starting === null ? this.#storage.scan() : scanAfter(starting, this.#storage);
		});
	}

	/**
	 * Writes the whole outline, or a node with all nodes below it, as a file: text in pieces, all of one
	 * revision. With `nodes`, it writes nodes that the caller has, such as deleted ones. JSON keeps everything.
	 * The other formats write a mirror as a copy of its content, without the nodes below its origin. The outline
	 * is in memory meanwhile.
	 *
	 * @throws `invalid_argument` for an option; during the iteration `not_found`, `conflict` if shortcuts keep
	 * changing, and the errors of the storage
	 */
	exportAs(format: ExchangeFormat, options: ExportOptions = {}): OutlineExport {
		const fields = fieldsOf("exportAs", options, exportFields);
		const root = parentReference(fields.root, this.#begin(), "root");
		const source = {
			read: <T>(operation: () => Operation<T>) => {
				this.#assertOpen();
				return this.#read(operation);
			},
			scan: () => this.#storage.scan(),
			timeZone: this.#settings.timeZone,
		};
		return new FormatExport(source, root, exchangeFormatArgument(format), fields);
	}

	/**
	 * Reads a file that `exportAs` or another program wrote, and creates its nodes in one commit: all or none.
	 * Until then the nodes are in memory, but not the file. It cleans names like every other method. From JSON
	 * it keeps ids, priorities, times, mirrors and keys, unless they conflict with the outline.
	 *
	 * @throws `invalid_argument` for an option, and for a malformed file with the line
	 * @throws `not_found` for an unknown parent or sibling; the errors of the source; the reason of a signal
	 */
	async import(source: ImportSource, options: ImportOptions): Promise<ImportReport> {
		const fields = fieldsOf("import", options, importFields);
		const call = this.#begin();
		const { prepareImport, readImport } = await importModule.load();
		const file = await readImport(call, source, fields);
		return this.#write("import", (writing) => prepareImport(writing, fields, file));
	}

	/**
	 * Checks every rule of an outline, and whether the answers of the storage agree. It writes nothing, and the
	 * outline remains usable meanwhile. Use it for an outline that other programs, or manual edits, have
	 * changed.
	 */
	async verify(options: VerifyOptions = {}): Promise<VerifyReport> {
		this.#assertOpen();
		const { verify, verifyOptions } = await verifyModule.load();
		return verify(this.#storage, verifyOptions("verify", options));
	}

	/**
	 * Mends the problems that {@link Outline.verify} finds, and returns a list of its changes. It keeps every
	 * node and every text. A node without a valid position, for example because its parent is missing, moves
	 * with all nodes below it. It goes under a node `Recovered` at the bottom of the top level. A repair makes
	 * many commits, which can't be undone. Other writers may write meanwhile. A second repair changes nothing.
	 */
	async repair(options: VerifyOptions = {}): Promise<RepairReport> {
		this.#assertOpen();
		const [{ repair }, { verifyOptions }] = await Promise.all([repairModule.load(), verifyModule.load()]);
		return repair(this.#storage, this.#host("repair").write, verifyOptions("repair", options));
	}

	/**
	 * Answers a push of a device (`outlinekit/sync`): settles its entries, and returns the changes that the device
	 * doesn't have. The HTTP handler calls it; a host that uses another transport calls it itself. Such commits
	 * aren't in the undo history. docs/sync.md has the protocol.
	 *
	 * Cost: 1 read for the check, as many reads as its entries need, 1 commit for up to 256 entries, and 1 read for
	 * the answer.
	 *
	 * @param lines - the lines of the push, as they arrive
	 * @throws `wrong_outline` `sync_forked` `sync_reset` `sync_upgrade` `changes_expired`: nothing has changed;
	 * `invalid_argument` for a malformed push, after the entries before it have been settled
	 */
	async sync(lines: AsyncIterable<string> | Iterable<string>): Promise<SyncAnswer> {
		this.#assertOpen();
		return (await syncModule.load()).sync(this.#host("sync"), lines);
	}

	/**
	 * Returns the whole outline for a new device, as lines of JSON. To continue a transfer that broke off, pass the
	 * revision of its first line, and the number of nodes that have arrived. docs/sync.md has the format.
	 *
	 * @throws during the iteration: `invalid_argument`; `sync_reset` if the transfer can't be continued
	 */
	async *syncImage(input: SyncImageInput = {}): AsyncIterable<string> {
		this.#assertOpen();
		yield* (await syncModule.load()).syncImage(this.#host("sync"), input);
	}

	/**
	 * Lists the system targets, then the shortcuts by key. Spec §4.12.
	 *
	 * Cost: 1 read; 1 record read for each target that has a node.
	 */
	async targets(): Promise<Target[]> {
		const call = this.#begin();
		return this.#read(() => targets(call));
	}

	/**
	 * Points a shortcut at a node, instead of the node that it pointed at before. Spec §2.3.
	 *
	 * Cost: 1 read, 1 commit; 1 record read, none written.
	 *
	 * @param key - any text but `None`, a system key, a calendar form, an id, a short id or an address
	 * @throws `not_found` `reserved_key`
	 */
	setShortcut(key: string, ref: ReferenceText): Promise<void> {
		return this.#run("setShortcut", { key }, ref);
	}

	/**
	 * Deletes a shortcut; its node stays. Spec §2.3.
	 *
	 * Cost: 1 read, 1 commit; 1 record read, none written.
	 *
	 * @throws `not_found`
	 */
	deleteShortcut(key: string): Promise<void> {
		return this.#run("deleteShortcut", { key });
	}

	/**
	 * Calls `listener` after each commit, in order of revision. For a commit of this outline, it does so before
	 * the operation resolves. Commits of other writers arrive if the storage announces them. Returns a function
	 * that removes the listener. If a listener throws, the other listeners still run, and its error becomes an
	 * unhandled rejection.
	 *
	 * Subscribe before you read. Then each commit is in the answer, or the listener is notified of it, or both. For
	 * that, the first read takes one more round trip, if the storage has to be awaited.
	 *
	 * ```ts
	 * const stop = outline.subscribe(({ source, changes }) => {
	 *   for (const { before, after } of changes) console.log(source, before?.name, "->", after?.name);
	 * });
	 * ```
	 *
	 * @throws `closed`; `invalid_argument` if the listener is no function
	 */
	subscribe(listener: OutlineListener): () => void {
		this.#assertOpen();
		assertFunction("listener", listener);
		return this.#subscription.add(listener);
	}

	/**
	 * Returns a handle on one node and all nodes visible below it. With this alone, a caller can't read or
	 * write anything else. The call costs nothing: each use of the scope looks up the node. See
	 * {@link ScopedOutline}.
	 *
	 * @param ref - as in `get`; a key means the node that it points at when the scope is used
	 * @throws `invalid_argument` `invalid_reference` `unsupported_reference`
	 */
	scope(ref: ReferenceText, options: ScopeOptions = {}): ScopedOutline {
		const host: ScopeHost = {
			begin: () => this.#begin(),
			read: (operation) => this.#read(operation),
			write: (operation, prepare) => this.#write(operation, prepare),
			search: () => this.#search(),
			subscribe: (listener) => this.subscribe(listener),
		};
		return scopeOf(host, [], ref, options, true);
	}

	/**
	 * Loads all modules that load on first use: markup, search, undo, import, verification and the like. It is
	 * for pages that continue without a connection, and for servers whose first answer must be as fast as later
	 * ones. All outlines share the modules. If the outline has a stored history, also reads that, so that
	 * {@link Outline.history} has its steps.
	 *
	 * @throws `load_failed`
	 */
	async preload(): Promise<void> {
		await loadAll();
		await this.#readHistory("preload");
	}

	/**
	 * Waits for the writes under way, then closes the storage, for all outlines. Closing twice has no effect.
	 */
	async close(): Promise<void> {
		this.#closed = true;
		await this.#writer.idle();
		this.#subscription.stop();
		await this.#storage.close();
	}

	/** {@link Outline.close}, for `await using`. */
	[Symbol.asyncDispose](): Promise<void> {
		return this.close();
	}

	/** Returns the search, and loads it on first use: most outlines never search, and none at its start. */
	async #search(): Promise<OutlineSearch> {
		const { OutlineSearch } = await searchModule.load();
		this.#lazySearch ??= new OutlineSearch((operation) => this.#read(operation), this.#settings);
		return this.#lazySearch;
	}

	/** Returns the stored history, and loads its module on first use. */
	async #kept(): Promise<KeptHistory> {
		const { KeptHistory } = await keptModule.load();
		this.#lazyKept ??= new KeptHistory(this.#history, this.#settings.history.bytes);
		return this.#lazyKept;
	}

	/** Reads the stored history, if the host asks for one, after the writes that have begun: they add steps. */
	async #readHistory(operation: string): Promise<void> {
		if (!this.#settings.history.keep) return;
		await this.#withKept((kept) => this.#writer.write({ operation, begin: () => kept!.load() }));
	}

	/** Runs a write with the stored history, if the host asks for one. */
	#withKept<T>(write: (kept: KeptHistory | undefined) => Promise<T>): Promise<T> {
		if (!this.#settings.history.keep) return write(undefined);
		const run = (kept: KeptHistory) => kept.during(write, (load) => this.#read(load));
		return this.#lazyKept === undefined ? this.#kept().then(run) : run(this.#lazyKept);
	}

	/** Returns what the parts that work on the whole outline use. Its writes aren't in the undo history. */
	#host(operation: string): SyncHost {
		const write: RunWrite = (run) => {
			const call = this.#begin();
			return this.#writer.write({
				operation,
				begin(changes) {
					call.ids.restart();
					return run(call, changes);
				},
			});
		};
		return {
			begin: () => this.#begin(),
			read: (operation) => this.#read(operation),
			write,
			storage: this.#storage,
		};
	}

	#begin(): Call {
		this.#assertOpen();
		return beginCall(this.#settings);
	}

	#assertOpen(): void {
		if (this.#closed) throw new OutlineError("closed", "The outline has been closed. Make a new one.");
	}

	#read<T>(operation: () => Operation<T>): Promise<T> {
		const begun: { rest: Rest<T> | undefined } = { rest: undefined };
		const seen = peek(this.#storage, operation, begun);
		if (seen?.durable) return promiseOf(seen);
		const { starting } = this.#subscription;
		if (starting === null) return read(this.#storage, operation, begun.rest).then(promiseOf);
		// No event would correct an answer from before the first revision of which new listeners are notified.
		return starting.then(() => read(this.#storage, operation)).then(promiseOf);
	}

	/** Runs the operation of a method. @param ref - the node that it works on, if any */
	#run<T extends OperationName>(type: T, input: OperationInputs[T], ref?: unknown): Promise<ResultOf<T>> {
		return this.#write(type, (call) => {
			const prepared = prepare(type, call, input, ref);
			const { idempotencyKey } = input as IdempotencyInput;
			const { repeatable, ref: hasNode } = descriptions[type];
			return repeatable ? once(call, idempotencyKey, hasNode ? [type, ref, input] : [type, input], prepared) : prepared;
		});
	}

	#write<T>(operation: string, preparation: (call: Call) => PreparedStep<T>): Promise<T> {
		return promised(() => {
			const call = this.#begin();
			const prepared = preparation(call);
			return this.#withKept((kept) =>
				this.#writer.write(new RecordedWrite(operation, call, prepared, this.#history, kept)),
			);
		});
	}

	/** Undoes or redoes a step. */
	#go(direction: Direction): Promise<HistoryStep | null> {
		return promised(() => {
			const call = this.#begin();
			return this.#withKept((kept) => this.#writer.write(new RevertingWrite(direction, call, this.#history, kept)));
		});
	}
}

/** Reads all nodes when a promise has resolved. */
async function* scanAfter(start: Promise<void>, storage: StorageAdapter): AsyncGenerator<readonly StoredNode[]> {
	await start;
	yield* storage.scan();
}
