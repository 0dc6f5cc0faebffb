import type { Call } from "../engine/call.js";
import { Changes } from "../engine/changes.js";
import { LazyModule } from "../engine/lazy-module.js";
import { ask, askAll, type Operation } from "../engine/protocol.js";
import type { OutlineListener } from "../engine/subscription.js";
import { assertBoolean, assertFunction, type Fields, fieldsOf, objectOf, typeOf } from "../fields.js";
import { nodeView, type OutlineNode } from "../node.js";
import { type BatchOperation, type BatchResult, prepareBatch } from "../operations/batch.js";
import type { CreateInput } from "../operations/create.js";
import type { CreateTreeInput, OutlineTree } from "../operations/create-tree.js";
import { type DeleteInput, type DeletionPlan, mirrorPolicyArgument, planRemoval } from "../operations/delete/delete.js";
import { descriptions, type OperationInputs, type OperationName, type ResultOf } from "../operations/description.js";
import type { DuplicateInput } from "../operations/duplicate.js";
import { type IdempotencyInput, once } from "../operations/idempotency.js";
import { prepare } from "../operations/index.js";
import type { MirrorInput } from "../operations/mirror.js";
import type { MoveInput } from "../operations/move.js";
import type { Prepared } from "../operations/prepared.js";
import type { UpdateInput } from "../operations/update.js";
import { Pace } from "../pace.js";
import { get, list, type NodeList } from "../read/get.js";
import {
	type BacklinksInput,
	type SearchHit,
	type SearchHitOf,
	type SearchInput,
	searchFields,
} from "../read/search/options.js";
import { type Target, targets } from "../read/targets.js";
import { TreeWalk, type Walk, type WalkOptions, walkFields, walkSettings } from "../read/walk.js";
import { type NodeReference, nodeReference, parentReference, type ReferenceText } from "../reference/reference.js";
import { batchDemandsOf, type Demand, demandsOf } from "./demand.js";
import type { ScopeHost } from "./host.js";
import { ScopeMemory } from "./memory.js";
import { forbidden, readOnly } from "./refusal.js";
import { withTop } from "./top-level.js";

/** The options of {@link Outline.scope} and {@link ScopedOutline.scope}. */
export interface ScopeOptions {
	/** Whether the scope may write. A scope within a read-only scope is always read-only. Default `false`. */
	write?: boolean | undefined;
}

/** Loaded on first use, because most pages that show an outline use no scopes. */
const viewModule = new LazyModule("The view of a scope", () => import("./scope-view.js"));

/**
 * An outline limited to one of its nodes, with that node's subtree. It treats all outside nodes as if they
 * didn't exist. Its methods are the methods of `Outline`, with these differences:
 *
 * - **Top level.** The node of the scope is the top: `None`, `null` and an absent parent mean this node.
 *   Callers can read and update it, but not move or delete it. Its `parentId` is `null`.
 * - **Reading.** Callers can read the node with its subtree, the origins of the mirrors in it, and all
 *   nodes visible below these mirrors. `mirrorIds` lists only readable mirrors. Any other reference is
 *   `not_found`.
 * - **Writing.** Callers can write the node and its subtree. A write outside is `forbidden`. Examples are
 *   updating a mirror with an outside origin, creating a node below such a mirror, and moving a node from
 *   outside. Another is placing a node between children of an outside origin if their priorities leave no
 *   room.
 * - **Deleting.** An origin with mirrors outside can't be deleted: `has_mirrors`, which lists only readable
 *   mirrors.
 * - **Shortcuts.** Callers can change shortcuts that point into the scope, but not add new ones. Otherwise
 *   callers could learn which keys are in use outside.
 * - **On demand.** The inbox and calendar entries are created on demand only if their parents are in the
 *   scope.
 *
 * Each operation reads one revision and commits on top of it, so no other commit comes in between. Each
 * operation looks up the node of the scope: a scope of `today` has another node tomorrow. While the node
 * doesn't exist, all operations throw `not_found`.
 *
 * A scope lacks these methods:
 *
 * - `changes`: a move of an ancestor changes the visible nodes, but the feed doesn't list these. So `subscribe`
 *   only notifies that something may have changed.
 * - `tags`: its counts are for the whole outline.
 * - `exportAs`, `import`, `verify`, `repair`: these read or write more than nodes in the tree.
 * - `undo` and `redo`: the history contains the changes of all callers of the outline.
 * - `preload` and `close`: these belong to the host.
 */
export class ScopedOutline {
	readonly #host: ScopeHost;
	/** The references of the nodes of this scope and the scopes around it, the outermost first. */
	readonly #refs: readonly string[];
	readonly #canWrite: boolean;

	/**
	 * Internal. Use `outline.scope` to create a scope.
	 *
	 * @internal
	 */
	constructor(host: ScopeHost, refs: readonly string[], canWrite: boolean) {
		this.#host = host;
		this.#refs = refs;
		this.#canWrite = canWrite;
	}

	/**
	 * Creates a scope within this one. It has only the nodes that both scopes have.
	 *
	 * @throws as `Outline.scope`
	 */
	scope(ref: ReferenceText, options: ScopeOptions = {}): ScopedOutline {
		return scopeOf(this.#host, this.#refs, ref, options, this.#canWrite);
	}

	/** As {@link Outline.create}, within the scope. @throws `not_found` `forbidden` */
	async create(input: CreateInput): Promise<OutlineNode> {
		return this.#run("create", input);
	}

	/** As {@link Outline.createTree}, within the scope. @throws `not_found` `forbidden` */
	async createTree(input: CreateTreeInput): Promise<OutlineTree> {
		return this.#run("createTree", input);
	}

	/**
	 * As {@link Outline.batch}, within the scope.
	 *
	 * @throws `not_found` `forbidden`, and the errors of the operations
	 */
	batch<const Operations extends readonly BatchOperation[]>(
		operations: readonly BatchOperation[] & Operations,
		input?: IdempotencyInput,
	): Promise<BatchResult<Operations>>;
	/** The same for a list of operations that the compiler doesn't know. */
	batch(operations: readonly BatchOperation[], input?: IdempotencyInput): Promise<BatchResult>;
	async batch(operations: readonly BatchOperation[], input: IdempotencyInput = {}): Promise<BatchResult> {
		const { idempotencyKey } = fieldsOf("batch", input, ["idempotencyKey"]);
		return this.#commit("batch", idempotencyKey, operations, (call) => {
			const given: unknown = operations;
			const steps = Array.isArray(given)
				? given.map((operation) => withTop(typeOf(operation), operation, this.#ref))
				: given;
			const prepared = prepareBatch(call, steps);
			return { prepared, demands: batchDemandsOf(call, steps as Fields[]) };
		});
	}

	/** As {@link Outline.update}, within the scope. @throws `not_found` `forbidden` */
	async update(ref: ReferenceText, input: UpdateInput = {}): Promise<OutlineNode> {
		return this.#run("update", input, ref);
	}

	/** As {@link Outline.ensure}, within the scope. @throws `not_found` `forbidden` */
	async ensure(ref: ReferenceText): Promise<OutlineNode> {
		return this.#run("ensure", {}, ref);
	}

	/** As {@link Outline.get}, within the scope. @throws `not_found` */
	async get(ref: ReferenceText): Promise<OutlineNode> {
		const call = this.#host.begin();
		const reference = nodeReference(ref, call);
		return this.#read(call, () => get(reference));
	}

	/** As {@link Outline.list}, within the scope. @throws `not_found` */
	async list(parent?: ReferenceText | null): Promise<NodeList> {
		const call = this.#host.begin();
		const reference = this.#start(parent, call);
		return this.#read(call, () => list(reference));
	}

	/** As {@link Outline.delete}, within the scope. @throws `not_found` `forbidden` `has_mirrors` */
	async delete(ref: ReferenceText, input: DeleteInput = {}): Promise<void> {
		return this.#run("delete", input, ref);
	}

	/** Plans of operations. A plan changes nothing. */
	readonly plan = {
		/**
		 * As `Outline.plan.delete`, within the scope.
		 *
		 * @throws `not_found`; `forbidden` and `has_mirrors`, as the deletion, if the reason is hidden from the
		 * scope
		 */
		delete: async (ref: ReferenceText, input: DeleteInput = {}): Promise<DeletionPlan> => {
			this.#assertCanWrite();
			const call = this.#host.begin();
			const prepared = prepare("delete", call, input, ref);
			const policy = mirrorPolicyArgument(input.mirrors);
			const reference = nodeReference(ref, call);
			const demands = demandsOf(call, "delete", { ref });
			await prepared.finish?.(new Pace());
			await viewModule.load();
			return this.#host.read(() => {
				call.ids.restart();
				const changes = new Changes();
				const plan = function* (): Operation<DeletionPlan> {
					const planned = yield* planRemoval(reference, policy);
					if (planned.forbiddenBy.length === 0) yield* prepared.run(changes);
					return planned;
				};
				return this.#guarded(call, changes, plan(), demands);
			});
		},
	};

	/** As {@link Outline.move}, within the scope. @throws `not_found` `forbidden` `would_create_cycle` */
	async move(ref: ReferenceText, input: MoveInput = {}): Promise<OutlineNode> {
		return this.#run("move", input, ref);
	}

	/**
	 * As {@link Outline.mirror}, within the scope.
	 *
	 * @throws `not_found` `forbidden` `unsupported_reference` `would_create_cycle`
	 */
	async mirror(ref: ReferenceText, input: MirrorInput): Promise<OutlineNode> {
		return this.#run("mirror", input, ref);
	}

	/** As {@link Outline.duplicate}, within the scope. @throws `not_found` `forbidden` `would_create_cycle` */
	async duplicate(ref: ReferenceText, input: DuplicateInput = {}): Promise<OutlineNode> {
		return this.#run("duplicate", input, ref);
	}

	/**
	 * As {@link Outline.removeMirror}, within the scope.
	 *
	 * @throws `not_found` `forbidden` `not_a_mirror` `has_mirrors`
	 */
	async removeMirror(ref: ReferenceText): Promise<void> {
		return this.#run("removeMirror", {}, ref);
	}

	/** As {@link Outline.complete}, within the scope. @throws `not_found` `forbidden` */
	async complete(ref: ReferenceText): Promise<OutlineNode> {
		return this.#run("complete", {}, ref);
	}

	/** As {@link Outline.uncomplete}, within the scope. @throws `not_found` `forbidden` */
	async uncomplete(ref: ReferenceText): Promise<OutlineNode> {
		return this.#run("uncomplete", {}, ref);
	}

	/** Walks over a node of the scope, or its top, and all visible nodes below. @throws as `Outline.walk` */
	walk(ref?: ReferenceText | null, options: WalkOptions = {}): Walk {
		const settings = walkSettings(fieldsOf("walk", options, walkFields));
		const call = this.#host.begin();
		const memories = this.#refs.map(() => new ScopeMemory());
		return new TreeWalk((operation) => this.#read(call, operation, memories), this.#start(ref, call), settings);
	}

	/** As {@link Outline.search}, within the scope: ancestors above its node are hidden. @throws `invalid_argument` `not_found` */
	async search<const Input extends SearchInput>(
		query: string,
		input: Input = {} as Input,
	): Promise<SearchHitOf<Input>[]> {
		const { within } = fieldsOf("search", input, searchFields);
		const call = this.#host.begin();
		const reference = this.#start(within, call);
		const { id } = await this.#read(call, () => get(reference));
		const search = await this.#host.search();
		return search.search(call, query, { ...input, within: id }, (operation) => this.#read(call, operation));
	}

	/**
	 * Returns the nodes of the scope whose name or note links to a node.
	 *
	 * @throws `not_found`; `invalid_argument` for an option
	 */
	async backlinks(ref: ReferenceText, input: BacklinksInput = {}): Promise<SearchHit[]> {
		const call = this.#host.begin();
		const reference = nodeReference(ref, call);
		const { id } = await this.#read(call, () => get(reference));
		const search = await this.#host.search();
		return search.backlinks(nodeReference(id, call), input, (operation) => this.#read(call, operation));
	}

	/**
	 * Calls `listener` after commits that may have changed what the scope shows, soon after the commit. Its event has
	 * no changes and `expired: true`, so the listener reads again. `liveRows`, `liveNode` and `liveQuery` do so. A
	 * commit whose nodes the scope can't see has no event, unless it may have changed more than the outline knows, as a
	 * commit of another process may. Returns a function that removes the listener.
	 *
	 * Cost: 1 read at the beginning, and for each commit 1 or a few, which find out whether the scope sees its nodes.
	 *
	 * @throws `closed`; `invalid_argument` if the listener is no function
	 */
	subscribe(listener: OutlineListener): () => void {
		assertFunction("listener", listener);
		const sees = (ids: readonly string[]) =>
			this.#read(this.#host.begin(), function* () {
				const nodes = yield* askAll(ids.map((id) => ({ type: "node", at: { id } }) as const));
				return nodes.some((node) => node !== null);
			});
		let isOpen = true;
		const notify: OutlineListener = (event) => {
			if (isOpen) listener(event);
		};
		const loaded = viewModule.load().then(({ SightWatch }) => new SightWatch(sees, this.#refs, notify));
		const stop = this.#host.subscribe((event) => void loaded.then((watch) => watch.add(event)));
		return () => {
			isOpen = false;
			stop();
		};
	}

	/**
	 * Iterates over the node of the scope and its subtree, at one revision. Holds all nodes in memory at once.
	 *
	 * @throws `not_found`
	 */
	async *export(): AsyncIterable<OutlineNode> {
		const call = this.#host.begin();
		const top = this.#top(call);
		const nodes = await this.#read(call, function* () {
			const [subtree] = yield* ask({ type: "subtree", of: top.at });
			return subtree.nodes;
		});
		for (const node of nodes) yield nodeView(node);
	}

	/**
	 * Returns the system targets, then the shortcuts that point into the scope. The name of a system target
	 * that the scope can't read is `null`.
	 *
	 * @throws `not_found`
	 */
	async targets(): Promise<Target[]> {
		const call = this.#host.begin();
		return this.#read(call, () => targets(call));
	}

	/**
	 * Points a shortcut of the scope at another node of the scope.
	 *
	 * @throws `not_found` `forbidden` `reserved_key`
	 */
	async setShortcut(key: string, ref: ReferenceText): Promise<void> {
		return this.#run("setShortcut", { key }, ref);
	}

	/** Deletes a shortcut that points into the scope. @throws `not_found` `forbidden` */
	async deleteShortcut(key: string): Promise<void> {
		return this.#run("deleteShortcut", { key });
	}

	/**
	 * Runs the operation of a method.
	 *
	 * @param ref - the node of the operation, if it has one
	 */
	#run<T extends OperationName>(type: T, input: OperationInputs[T], ref?: string): Promise<ResultOf<T>> {
		const given = objectOf(type, input);
		const { repeatable, ref: hasNode } = descriptions[type];
		return this.#commit(type, repeatable ? given.idempotencyKey : undefined, hasNode ? [ref, given] : given, (call) => {
			const fields = withTop(type, given, this.#ref) as Fields;
			return { prepared: prepare(type, call, fields, ref), demands: demandsOf(call, type, { ...fields, ref }) };
		});
	}

	#commit<T>(
		operation: string,
		idempotencyKey: unknown,
		input: unknown,
		prepare: (call: Call) => { prepared: Prepared<T>; demands: readonly Demand[] },
	): Promise<T> {
		this.#assertCanWrite();
		return this.#host.write(operation, (call) => {
			const { prepared, demands } = prepare(call);
			const guarded: Prepared<T> = {
				newIds: prepared.newIds,
				finish: async (pace) => {
					await viewModule.load();
					await prepared.finish?.(pace);
				},
				run: (changes) => this.#guarded(call, changes, prepared.run(changes), demands),
			};
			return once(call, idempotencyKey, [operation, input], guarded, {
				refs: this.#refs,
				seen: (operation) => this.#seen(call, operation, []),
			});
		});
	}

	#assertCanWrite(): void {
		if (!this.#canWrite) throw forbidden(readOnly);
	}

	/** Wraps an operation that writes in the view of each scope. Each scope must allow the changes. */
	*#guarded<T>(call: Call, changes: Changes, operation: Operation<T>, demands: readonly Demand[]): Operation<T> {
		const { ScopeView } = viewModule.loaded;
		return yield* this.#refs.reduceRight(
			(inner, ref) => new ScopeView(nodeReference(ref, call)).write(changes, inner, demands),
			operation,
		);
	}

	async #read<T>(call: Call, operation: () => Operation<T>, memories: readonly ScopeMemory[] = []): Promise<T> {
		await viewModule.load();
		return this.#host.read(() => this.#seen(call, operation(), memories));
	}

	/** Wraps an operation that reads in the view of each scope. */
	*#seen<T>(call: Call, operation: Operation<T>, memories: readonly ScopeMemory[]): Operation<T> {
		const { ScopeView } = viewModule.loaded;
		return yield* this.#refs.reduceRight(
			(inner, ref, index) => new ScopeView(nodeReference(ref, call), memories[index]).read(inner),
			operation,
		);
	}

	get #ref(): string {
		return this.#refs.at(-1)!;
	}

	#top(call: Call): NodeReference {
		return nodeReference(this.#ref, call);
	}

	/** The reference of a parameter for which `None` means the top. */
	#start(value: unknown, call: Call): NodeReference {
		const reference = parentReference(value, call);
		return reference.form === "root" ? this.#top(call) : reference;
	}
}

/**
 * Creates a scope of an outline.
 *
 * @param around - the references of the scopes around it, the outermost first
 * @param canWrite - whether the scopes around it may write
 * @throws `invalid_argument` `invalid_reference` `unsupported_reference`
 */
export function scopeOf(
	host: ScopeHost,
	around: readonly string[],
	ref: ReferenceText,
	options: ScopeOptions,
	canWrite: boolean,
): ScopedOutline {
	nodeReference(ref, host.begin());
	const { write = false } = fieldsOf("scope", options, ["write"]);
	assertBoolean("write", write);
	return new ScopedOutline(host, [...around, ref], canWrite && write);
}
