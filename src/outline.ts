import { beginCall, type Call } from "./engine/call.js";
import type { Changes } from "./engine/changes.js";
import { LazyModule, loadAll } from "./engine/lazy-module.js";
import { promised } from "./engine/promises.js";
import { type Operation, peek, promiseOf, read } from "./engine/protocol.js";
import { type OutlineOptions, type Settings, settingsFrom } from "./engine/settings.js";
import { type OutlineListener, Subscription } from "./engine/subscription.js";
import { Writer } from "./engine/writer.js";
import { OutlineError, quoted } from "./errors.js";
import { FormatExport, type OutlineExport } from "./exchange/export.js";
import { type ExchangeFormat, exchangeFormatArgument } from "./exchange/formats.js";
import type { ImportReport } from "./exchange/import.js";
import { type ExportOptions, exportFields, type ImportOptions, importFields } from "./exchange/options.js";
import type { ImportSource } from "./exchange/source.js";
import { fieldsOf } from "./fields.js";
import { type Direction, History } from "./history/history.js";
import { type Step, stepOf } from "./history/step.js";
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
import type { Prepared } from "./operations/prepared.js";
import type { UpdateInput } from "./operations/update.js";
import type { ChangesInput, OutlineChanges } from "./read/changes.js";
import { NodeExport } from "./read/export.js";
import { get, getAtOnce, list, listAtOnce, type NodeList } from "./read/get.js";
import { type Target, targets } from "./read/targets.js";
import { TreeWalk, type Walk, type WalkOptions, walkFields, walkSettings } from "./read/walk.js";
import { calendarKeyOf } from "./reference/calendar.js";
import type { ReferenceText } from "./reference/reference.js";
import { nodeReference, parentReference } from "./reference/reference.js";
import type { ScopeHost } from "./scope/host.js";
import { type ScopedOutline, type ScopeOptions, scopeOf } from "./scope/scoped-outline.js";
import type { OutlineSearch, SearchHit, SearchInput } from "./search/outline-search.js";
import type { StorageAdapter } from "./storage.js";
import type { RepairReport, Write } from "./verify/repair/repair.js";
import type { VerifyOptions, VerifyReport } from "./verify/verify.js";

// Only some outlines use these, and none does at its start.
const historyModule = new LazyModule("Undo and redo", () => import("./history/revert.js"));
const searchModule = new LazyModule("The search", () => import("./search/outline-search.js"));
const feedModule = new LazyModule("The feed of changes", () => import("./read/changes.js"));
const importModule = new LazyModule("The import", () => import("./exchange/import.js"));
const verifyModule = new LazyModule("The verification", () => import("./verify/verify.js"));
const repairModule = new LazyModule("The repair", () => import("./verify/repair/repair.js"));

/** A step that has been undone or redone. */
export interface HistoryStep {
	/** The method that made the change, such as `move` or `batch`. */
	operation: string;
	/** The ids of the nodes that have changed by it, those that are gone included. */
	nodeIds: string[];
}

/**
 * An outline over a storage. Making one does no I/O and costs next to nothing; the storage opens on first use.
 *
 * Every promise rejects with an {@link OutlineError}, or with a TypeError or RangeError where the host's `now` or
 * `generateId` is at fault. Beside the codes named at each: `invalid_argument`, `invalid_reference` and
 * `unsupported_reference` for bad input, `conflict` when others keep committing in between, `storage_unavailable`,
 * `storage_corrupt` and `quota_exceeded` from the storage, `load_failed` (see {@link Outline.preload}), and `closed`. `subscribe` throws at once, `export` while it is
 * iterated. A failed operation changes nothing.
 *
 * A `ref` is a full id, a short id, a shortcut, `inbox`, or a calendar key (`calendar`, `today`, `tomorrow`, `next_week`,
 * `YYYY`, `YYYY-MM`, `YYYY-MM-DD`); a parent may also be `None` or a node address. Spec §2.4.
 *
 * A cost is told in calls of the storage's `read` and `commit`, each a round trip where the storage is elsewhere, and in
 * records. In it *d* is how deep the node or the parent stands, *c* how many children it has, *m* how many mirrors, and *n* how
 * many nodes are concerned in all. The size of the outline and the number of siblings make no difference. While somebody
 * listens, each write costs a read more.
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
	/** Made on first use: an outline that is made for one request has no time for an index. */
	#lazySearch: OutlineSearch | undefined;
	#closed = false;

	/** @throws `invalid_argument` for an option that is not allowed */
	constructor(options: OutlineOptions) {
		const methods = ["read", "commit", "scan", "close"] as const;
		if (methods.some((method) => typeof options?.storage?.[method] !== "function")) {
			throw new OutlineError(
				"invalid_argument",
				`storage is ${quoted(options?.storage)}. Give a storage adapter, such as createMemoryStorage().`,
			);
		}
		this.#storage = options.storage;
		this.#settings = settingsFrom(options);
		this.#subscription = new Subscription(this.#storage);
		this.#writer = new Writer(this.#storage, this.#subscription, this.#settings.limits.commit);
		this.#history = new History(this.#settings.history);
	}

	/**
	 * Creates a node, and one below it for each further block of its name. Under a mirror, it is created under the mirror's
	 * origin. Gives the node itself. Spec §4.1.
	 *
	 * Cost: 1 read, 1 commit; 2 records read, 1 written. Beside a sibling, where there is room: 3 reads, 1 commit; 8 records read,
	 * 1 written. Under a key whose node is made: 3 reads, 1 commit; 1 record read, 2 written.
	 *
	 * ```ts
	 * await outline.create({ name: "# Trip to **Oslo**\n\n- [ ] book the ferry\n- [ ] pack" }); // a node with two below it
	 * await outline.create({ parent: "today", name: "Call Ada [2026-12-01 09:30]" });
	 * ```
	 *
	 * @throws `not_found` for an unknown parent or sibling
	 */
	create(input: CreateInput): Promise<OutlineNode> {
		return this.#run("create", input);
	}

	/**
	 * Creates a node with everything below it, in one commit. Any depth and size will do.
	 *
	 * Cost: 1 read, 1 commit; 1 record read, n written.
	 *
	 * @throws `not_found` for an unknown parent or sibling; `invalid_argument` naming the node, as in `children[2].children[0]`
	 */
	createTree(input: CreateTreeInput): Promise<OutlineTree> {
		return this.#run("createTree", input);
	}

	/**
	 * Makes several operations one: all of them are done or none, in one commit, each as if those before it were done already.
	 * What an operation makes may be given a name (`as`), by which later ones refer to it.
	 *
	 * Cost: the reads of its operations, none of them twice, and 1 commit.
	 *
	 * ```ts
	 * const { ids } = await outline.batch([
	 *   { type: "create", as: "list", name: "Shopping" },
	 *   { type: "create", parent: { as: "list" }, name: "milk" },
	 * ]);
	 * await outline.get(ids.list);
	 * ```
	 *
	 * @throws what one of the operations throws, with its place in the message and as `operation`
	 */
	batch<const Operations extends readonly BatchOperation[]>(
		operations: readonly BatchOperation[] & Operations,
		input?: IdempotencyInput,
	): Promise<BatchResult<Operations>>;
	/** The same for a list whose operations aren't known where it is written. */
	batch(operations: readonly BatchOperation[], input?: IdempotencyInput): Promise<BatchResult>;
	async batch(operations: readonly BatchOperation[], input: IdempotencyInput = {}): Promise<BatchResult> {
		const { idempotencyKey } = fieldsOf("batch", input, ["idempotencyKey"]);
		return this.#write("batch", (call) =>
			once(call, idempotencyKey, ["batch", operations], prepareBatch(call, operations)),
		);
	}

	/**
	 * Changes name, note or layout mode; of a mirror, its origin's. What changes nothing leaves `modifiedAt`, and commits
	 * nothing. Gives the node as it was addressed. Spec §4.2.
	 *
	 * Cost: 1 read, 1 commit; 1 record read, 1 written.
	 *
	 * @throws `not_found`
	 */
	update(ref: ReferenceText, input: UpdateInput = {}): Promise<OutlineNode> {
		return this.#run("update", input, ref);
	}

	/**
	 * Returns the node of a system or calendar key (`inbox`, `calendar`, `today`, `2026-12` and the like). If there is none yet, it
	 * is created with the entries above it: one step for {@link Outline.undo}. If there is, nothing is committed.
	 *
	 * Cost: 1 read; 1 record read. Where the inbox or the calendar is made: 3 reads, 1 commit; 1 record read, 1 written.
	 *
	 * @throws `not_found` for any other reference to what isn't there
	 */
	ensure(ref: ReferenceText): Promise<OutlineNode> {
		return this.#run("ensure", {}, ref);
	}

	/** Today's calendar key, such as `2026-11-21`: in the outline's zone, by its clock. */
	today(): string {
		return calendarKeyOf("today", this.#begin())!;
	}

	/**
	 * Retrieves a node. Never creates anything. Spec §4.3.
	 *
	 * Cost: 1 read; 1 record read.
	 *
	 * @throws `not_found`, also for the key of the inbox or of a calendar entry that hasn't been made yet
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
	 * Lists the children of a node, or of the top level, sorted by priority. Under a mirror: the origin's children and the
	 * mirror's own, each with the mirror as its parent. `inbox` gives an empty list before it is made. Spec §2.2, §4.4.
	 *
	 * Cost: 1 read; c + 1 records read.
	 *
	 * @throws `not_found`, also for the key of a calendar entry that hasn't been made yet
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
	 * Deletes a node and all below it, with the keys that point there. If an origin would go while mirrors of it stay, `mirrors`
	 * says what becomes of them. Spec §3, §4.5.
	 *
	 * Cost: 1 read, 1 commit; n records read, n written. `detach` and `promote` read the mirrors too, with what is below them.
	 *
	 * @throws `not_found`; `has_mirrors` naming the mirrors, unless `mirrors` says otherwise
	 */
	delete(ref: ReferenceText, input: DeleteInput = {}): Promise<void> {
		return this.#run("delete", input, ref);
	}

	/** What an operation would do, without doing it. */
	readonly plan = {
		/**
		 * What {@link Outline.delete} would do to a node: what would go, and what forbids it. It costs what the deletion does,
		 * without the commit.
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
	 * Moves a node with all below it; of a mirror, the mirror alone. Under a mirror it becomes a child of that mirror, not of its
	 * origin. `modifiedAt` stays. Spec §4.6.
	 *
	 * Cost, to an end of another parent: 2 reads, 1 commit; d + 4 records read, 1 written. To an end of the same parent: 2 reads,
	 * 1 commit; 3 records read, 1 written. Beside a sibling elsewhere, where there is room: 5 reads, 1 commit; d + 9 records
	 * read, 1 written.
	 *
	 * @throws `not_found` `would_create_cycle`
	 */
	move(ref: ReferenceText, input: MoveInput = {}): Promise<OutlineNode> {
		return this.#run("move", input, ref);
	}

	/**
	 * Copies a node with all below it, and returns the copy. Mirrors stay mirrors: of the same origin, or of its copy if the origin
	 * is copied too. Shortcuts and calendar keys stay with the originals. The copy goes directly after the node, unless the input
	 * says otherwise.
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
	 * Deletes a mirror, with what was moved into it; its origin stays. Spec §4.8.
	 *
	 * Cost, without such children: 2 reads, 1 commit; 2 records read, 2 written.
	 *
	 * @throws `not_found` `not_a_mirror` `has_mirrors`
	 */
	removeMirror(ref: ReferenceText): Promise<void> {
		return this.#run("removeMirror", {}, ref);
	}

	/**
	 * Completes a node, or a mirror's origin; completed already, it keeps its timestamp, and nothing is committed. Spec §4.9.
	 *
	 * Cost: 1 read, 1 commit; 1 record read, 1 written.
	 *
	 * @throws `not_found`
	 */
	complete(ref: ReferenceText): Promise<OutlineNode> {
		return this.#run("complete", {}, ref);
	}

	/**
	 * Makes a node, or a mirror's origin, open again; of an open one nothing is committed. Spec §4.10.
	 *
	 * Cost: 1 read, 1 commit; 1 record read, 1 written.
	 *
	 * @throws `not_found`
	 */
	uncomplete(ref: ReferenceText): Promise<OutlineNode> {
		return this.#run("uncomplete", {}, ref);
	}

	/**
	 * Takes back the last change that was made through this `Outline` and is not undone yet, as one commit: ids, mirrors and
	 * shortcuts return as they were. Later changes of others stay, and so do inbox and calendar nodes that were made on demand.
	 * A node made by {@link Outline.ensure} goes, unless it has children by then. Returns `null` if there is nothing to undo.
	 * The history is kept in memory: see {@link HistoryOptions}.
	 *
	 * Cost, of a create: 5 reads, 1 commit; m + 3 records read, 1 written.
	 *
	 * @throws `undo_blocked` naming the nodes where others' later changes would be lost; nothing is changed then
	 */
	undo(): Promise<HistoryStep | null> {
		return this.#go("undo");
	}

	/** Does again what was undone last, unless something else has been done since. @throws as {@link Outline.undo} */
	redo(): Promise<HistoryStep | null> {
		return this.#go("redo");
	}

	/** How many steps can be undone and redone; up to date whenever an operation has resolved. */
	get history(): {
		/** Steps that {@link Outline.undo} can take back, one at a time. */
		undo: number;
		/** Steps that {@link Outline.redo} can do again. */
		redo: number;
	} {
		return { undo: this.#history.count("undo"), redo: this.#history.count("redo") };
	}

	/** Forgets what could be undone and redone. The outline stays as it is. */
	clearHistory(): void {
		this.#history.clear();
	}

	/**
	 * Walks over a node and all that is visible below it, or over the whole outline, each node before those below it. Mirrors
	 * in layers may show more occurrences than anybody can count: a budget ends the walk, and its cursor says where to go on.
	 * It reads as it goes, a page of siblings and what is below several of them at a time.
	 *
	 * ```ts
	 * for await (const { node, path } of outline.walk(null, { depth: 2 })) {
	 *   console.log("  ".repeat(path.length - 1) + node.name);
	 * }
	 * ```
	 *
	 * The inbox gives nothing before it is made.
	 *
	 * @throws `invalid_argument` for an option; `not_found`, `invalid_argument` for a cursor whose place has gone, and what the
	 * storage throws, while it is iterated
	 */
	walk(ref?: ReferenceText | null, options: WalkOptions = {}): Walk {
		const settings = walkSettings(fieldsOf("walk", options, walkFields));
		const start = parentReference(ref, this.#begin(), "the reference");
		return new TreeWalk((operation) => this.#read(operation), start, settings);
	}

	/**
	 * The nodes that a query finds, the best first: words (also their beginnings), `"a phrase"`, `-not`, `OR`, `#tag`, `@tag`,
	 * `is:todo`, `is:completed`, `is:mirror`, `in:note`, and `created:`, `modified:` and `completed:` with dates or spans such as
	 * `7d`. Letter case and accents don't matter.
	 *
	 * A term that begins with letters and a colon is an operator. An unknown one, such as `due:today`, is refused. These are text:
	 * `https://…`, where a slash follows; `10:30`, which has no letters; and `note: x`, where nothing follows. Quotes make text of any
	 * term: `"due:today"`.
	 *
	 * The index is in memory. The first use reads the whole outline to make it; each later one reads the changes after that, so
	 * that it is never behind. What a search costs follows from what it finds, not from the size of the outline, unless it
	 * asks for nothing but dates and what must not be there.
	 *
	 * @throws `invalid_argument` for a query that can't be read, saying why; `not_found` for where to search
	 */
	async search(query: string, input: SearchInput = {}): Promise<SearchHit[]> {
		const { within, limit = 50 } = fieldsOf("search", input, ["within", "limit"]);
		const call = this.#begin();
		if (typeof limit !== "number" || !Number.isInteger(limit) || limit < 1 || limit > 1000) {
			throw new OutlineError("invalid_argument", `limit is ${quoted(limit)}. It must be an integer from 1 to 1,000.`);
		}
		const start = parentReference(within, call, "within");
		const options = { timeZone: call.settings.timeZone, now: call.moment };
		const search = await this.#search();
		return search.search(query, options, start.form === "root" ? undefined : start, limit);
	}

	/** The tags in names and notes with how many nodes bear each, the most frequent first. From the index of `search`. */
	async tags(): Promise<
		{
			/** With its `#` or `@`, as the node that was created first writes it: letter case and accents don't count. */
			tag: string;
			/** How many nodes bear it. */
			count: number;
		}[]
	> {
		this.#assertOpen();
		const search = await this.#search();
		return search.tags();
	}

	/** The nodes whose name or note links to a node, by its address or short id. From the index of `search`. @throws `not_found` */
	async backlinks(ref: ReferenceText): Promise<SearchHit[]> {
		const reference = nodeReference(ref, this.#begin());
		const search = await this.#search();
		return search.backlinks(reference);
	}

	/**
	 * The nodes that have changed since a revision, and the ids of those that were deleted. Who keeps a copy of the outline
	 * asks again and again, each time from the revision of the last answer, and misses nothing; 0 gives everything.
	 * Each time it costs 2 reads, or 1 if nothing has changed. Where characters are counted,
	 * more than 64 changes are asked for in parts, each of which costs as much.
	 *
	 * ```ts
	 * const { nodes, deleted, revision } = await outline.changes({ since: 0 });
	 * ```
	 *
	 * @throws `invalid_argument`, also for a revision that the outline hasn't had yet
	 */
	async changes(input: ChangesInput): Promise<OutlineChanges> {
		this.#assertOpen();
		const { changesArgument, changesSince } = await feedModule.load();
		return changesSince((operation) => this.#read(operation), changesArgument(input));
	}

	/**
	 * Every node, flat, in any order, all of one revision; each with its true parent. Commits go on meanwhile. It is read in
	 * chunks, so that its length takes no memory. Spec §2.2, §4.11.
	 *
	 * @throws `closed`, `storage_unavailable`, `storage_corrupt`, while it is iterated
	 */
	export(): AsyncIterable<OutlineNode> {
		return new NodeExport(() => {
			this.#assertOpen();
			return this.#storage.scan();
		});
	}

	/**
	 * Writes the whole outline, or one node with all below it, in a format of files: as text in pieces, all of one revision.
	 * Mirrors are written as copies of what they show, without what is below their origins, but in JSON, which carries over
	 * everything. The outline is held in memory meanwhile.
	 *
	 * @throws `invalid_argument` for an option; `not_found`, `conflict` when shortcuts keep changing, and what the storage
	 * throws, while it is iterated
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
	 * Reads a file that `exportAs` or another program has written, and makes its nodes in one commit: all or none. The nodes are
	 * held in memory until then, the file isn't. Names are cleaned as everywhere. What JSON says of ids, priorities, times, mirrors
	 * and keys is kept as far as nothing else in the outline stands against it.
	 *
	 * @throws `invalid_argument` for an option, and with the line for a malformed file; `not_found` for an unknown parent or
	 * sibling; what the source throws; the reason of a signal
	 */
	async import(source: ImportSource, options: ImportOptions): Promise<ImportReport> {
		const fields = fieldsOf("import", options, importFields);
		const call = this.#begin();
		const { prepareImport, readImport } = await importModule.load();
		const file = await readImport(call, source, fields);
		return this.#write("import", (writing) => prepareImport(writing, fields, file));
	}

	/**
	 * Checks everything that must be true of an outline, and that the storage's answers agree with each other. Nothing is
	 * written, and the outline may be used meanwhile. For outlines that other programs, or other hands, have had a part in.
	 */
	async verify(options: VerifyOptions = {}): Promise<VerifyReport> {
		this.#assertOpen();
		const { verify, verifyOptions } = await verifyModule.load();
		return verify(this.#storage, verifyOptions("verify", options));
	}

	/**
	 * Mends what {@link Outline.verify} finds, and tells what it did. No node and no text is lost: what has no place any more,
	 * such as a node whose parent isn't there, goes with all below it under a node `Recovered` at the bottom of the top level.
	 * It makes many commits, which can't be undone; others may write meanwhile. To repair again changes nothing.
	 */
	async repair(options: VerifyOptions = {}): Promise<RepairReport> {
		this.#assertOpen();
		const write: Write = (run) => {
			const call = this.#begin();
			return this.#writer.write((changes) => {
				call.ids.restart();
				return run(call, changes);
			});
		};
		const [{ repair }, { verifyOptions }] = await Promise.all([repairModule.load(), verifyModule.load()]);
		return repair(this.#storage, write, verifyOptions("repair", options));
	}

	/**
	 * The system targets, then the shortcuts by key. Spec §4.12.
	 *
	 * Cost: 1 read; 1 record read for each that has a node.
	 */
	async targets(): Promise<Target[]> {
		const call = this.#begin();
		return this.#read(() => targets(call));
	}

	/**
	 * Points a shortcut at a node, in place of the one it pointed at before. Spec §2.3.
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
	 * Drops a shortcut; its node stays. Spec §2.3.
	 *
	 * Cost: 1 read, 1 commit; 1 record read, none written.
	 *
	 * @throws `not_found`
	 */
	deleteShortcut(key: string): Promise<void> {
		return this.#run("deleteShortcut", { key });
	}

	/**
	 * Calls `listener` after each commit, in order of revision: those of this outline before the operation resolves, and
	 * others' when the storage gives notice. Returns what ends it. A listener that throws disturbs nobody: its error
	 * surfaces as an unhandled rejection.
	 *
	 * ```ts
	 * const stop = outline.subscribe(({ source, changes }) => {
	 *   for (const { before, after } of changes) console.log(source, before?.name, "->", after?.name);
	 * });
	 * ```
	 *
	 * @throws `closed`; `invalid_argument` when the listener is no function
	 */
	subscribe(listener: OutlineListener): () => void {
		this.#assertOpen();
		if (typeof listener !== "function") {
			throw new OutlineError("invalid_argument", `listener is ${quoted(listener)}. It must be a function.`);
		}
		return this.#subscription.add(listener);
	}

	/**
	 * The outline as it is seen from one of its nodes: who has only this can neither read nor write anything else. It costs
	 * nothing, and looks the node up whenever it is used: see {@link ScopedOutline}.
	 *
	 * @param ref - as in `get`; of a key, the node that it points at when the scope is used
	 * @throws `invalid_argument` `invalid_reference` `unsupported_reference`
	 */
	scope(ref: ReferenceText, options: ScopeOptions = {}): ScopedOutline {
		const host: ScopeHost = {
			begin: () => this.#begin(),
			read: (operation) => this.#read(operation),
			write: (operation, prepare) => this.#write(operation, prepare),
			search: (query, input) => this.search(query, input),
			backlinks: (target) => this.backlinks(target),
		};
		return scopeOf(host, [], ref, options, true);
	}

	/**
	 * Loads all that is loaded on first use: what reads markup, searches, undoes, imports, verifies, and the like. For pages that
	 * go on without a connection, and servers whose first answer is to take no longer than the others. What is loaded belongs to
	 * every outline.
	 *
	 * @throws `load_failed`
	 */
	async preload(): Promise<void> {
		await loadAll();
	}

	/** Waits for the writes under way, then closes the storage, for other outlines on it too. Closing twice is fine. */
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

	/** What searches, made on first use and loaded then: not every outline is searched, and none at its start. */
	async #search(): Promise<OutlineSearch> {
		const { OutlineSearch } = await searchModule.load();
		this.#lazySearch ??= new OutlineSearch((operation) => this.#read(operation), this.#settings.appUrl);
		return this.#lazySearch;
	}

	#begin(): Call {
		this.#assertOpen();
		return beginCall(this.#settings);
	}

	#assertOpen(): void {
		if (this.#closed) throw new OutlineError("closed", "The outline has been closed. Make a new one.");
	}

	#read<T>(operation: () => Operation<T>): Promise<T> {
		const seen = peek(this.#storage, operation);
		if (seen?.durable) return promiseOf(seen);
		return read(this.#storage, operation).then(promiseOf);
	}

	/** Runs the operation of a method. @param ref - the node that it works on, if it has one */
	#run<T extends OperationName>(type: T, input: OperationInputs[T], ref?: unknown): Promise<ResultOf<T>> {
		return this.#write(type, (call) => {
			const prepared = prepare(type, call, input, ref);
			const { idempotencyKey } = input as IdempotencyInput;
			const { repeatable, ref: hasNode } = descriptions[type];
			return repeatable ? once(call, idempotencyKey, hasNode ? [type, ref, input] : [type, input], prepared) : prepared;
		});
	}

	#write<T>(operation: string, prepared: (call: Call) => Prepared<T>): Promise<T> {
		return promised(() => {
			const call = this.#begin();
			const { finish, run } = prepared(call);
			return this.#writer.write(
				(changes) => {
					call.ids.restart();
					return run(changes);
				},
				{ first: finish, done: (changes) => this.#history.add(stepOf(operation, call.moment, changes)) },
			);
		});
	}

	/** Goes a step through the history after all earlier writes are settled, because they decide which step is the last. */
	#go(direction: Direction): Promise<HistoryStep | null> {
		return promised(() => {
			const call = this.#begin();
			let step: Step | undefined;
			const run = function* (this: Outline, changes: Changes): Operation<HistoryStep | null> {
				step = this.#history.next(direction);
				if (step === undefined) return null;
				return { operation: step.operation, nodeIds: yield* historyModule.loaded.revert(call, changes, step) };
			};
			const done = (changes: Changes) => {
				if (step === undefined) return;
				const { operation, ensured } = step;
				this.#history.go(direction, { ...stepOf(operation, call.moment, changes), ensured });
			};
			const first = async () => {
				if (this.#history.next(direction) !== undefined) await historyModule.load();
			};
			return this.#writer.write(run.bind(this), { first, done, afterOthers: true });
		});
	}
}
