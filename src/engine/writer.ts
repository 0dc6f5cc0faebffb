import { isConflict, OutlineError } from "../errors.js";
import type { StorageAdapter } from "../storage.js";
import { Changes } from "./changes.js";
import { assertCommitSize } from "./commit-size.js";
import { changedKeys, changedViews, type OutlineChange, type WriteReport } from "./event.js";
import { promised, sleep, steadyTime } from "./promises.js";
import { ask, type Operation, type Outcome, peek, type Rest, read, stepwise } from "./protocol.js";
import type { Settings } from "./settings.js";
import type { Subscription } from "./subscription.js";

/** The most attempts at a write if other writers commit. Of eight writers, few need more than a dozen. */
const attemptLimit = 100;

/** The longest pause between two attempts, in milliseconds. */
const longestPause = 64;

/** A write: an operation whose changes are committed. */
export interface Write<T> {
	/** The method that writes. */
	readonly operation: string;
	/** Called once when it is the write's turn, before it begins. If it rejects, the write does too. */
	readonly beforeFirst?: (() => Promise<unknown>) | undefined;
	/** Whether the write waits until all earlier writes are settled. */
	readonly afterOthers?: boolean;
	/**
	 * Begins the operation from the start.
	 *
	 * @param again - whether it has begun before, and its changes weren't committed
	 */
	begin(changes: Changes, again: boolean): Operation<T>;
	/**
	 * Called after the commit, before the write resolves, and before a write begins that waits for it.
	 *
	 * @param changes - the committed changes; perhaps none
	 */
	done?(changes: Changes): void;
}

/** The changes of a task that hasn't begun. */
const noChanges = new Changes();

/** A write whose caller waits, with the changes of its last attempt so far. */
class Task {
	readonly write: Write<unknown>;
	readonly order: number;
	/** The time of the call, if the host has an `onWrite`. */
	readonly began: number | undefined;
	readonly resolve: (value: unknown) => void;
	readonly reject: (error: unknown) => void;
	attempts = 0;
	/** The rest of an attempt that can't end without waiting for the storage. */
	rest: Rest<unknown> | undefined;
	changes = noChanges;
	/** The changes as listeners will receive them; null if there are none. */
	views: readonly OutlineChange[] | null = null;

	constructor(
		write: Write<unknown>,
		order: number,
		began: number | undefined,
		resolve: (value: unknown) => void,
		reject: (error: unknown) => void,
	) {
		this.write = write;
		this.order = order;
		this.began = began;
		this.resolve = resolve;
		this.reject = reject;
	}
}

/**
 * Runs writes one after the other: each reads, computes its batch and commits it. If the storage shows
 * commits before they are durable (`peek`), the next write starts at once, and many writes share one flush.
 * Each resolves when its own commit is durable. If another commit came first, the writer tries the write
 * again, before any later one.
 */
export class Writer {
	readonly #storage: StorageAdapter;
	readonly #subscription: Subscription;
	readonly #settings: Settings;
	readonly #queue: Task[] = [];
	#order = 0;
	#running = false;
	#pause: Promise<void> | null = null;
	/** Wakes the queue if it waits for the writes under way. */
	#wake: (() => void) | null = null;
	#unsettled = 0;
	#idle: (() => void)[] = [];

	constructor(storage: StorageAdapter, subscription: Subscription, settings: Settings) {
		this.#storage = storage;
		this.#subscription = subscription;
		this.#settings = settings;
	}

	/** Runs the operation of a write and commits its changes. Resolves when they are durable. */
	write<T>(write: Write<T>): Promise<T> {
		return new Promise<T>((resolve, reject) => {
			const began = this.#settings.onWrite && steadyTime();
			const task = new Task(write, this.#order++, began, resolve as (value: unknown) => void, reject);
			const { beforeFirst, afterOthers } = write;
			const waits =
				beforeFirst !== undefined || this.#running || this.#pause !== null || (afterOthers && this.#unsettled > 0);
			this.#unsettled += 1;
			if (waits) return this.#enqueue(task);
			// A write that the host's functions or the storage begin meanwhile waits in the queue, as later ones do.
			this.#running = true;
			const settling = this.#attempt(task);
			if (settling !== null) void settling.then(() => this.#run());
			else if (this.#queue.length > 0) void this.#run();
			// In memory, almost every write ends here.
			else this.#running = false;
		});
	}

	/** Resolves when every write so far is settled. */
	idle(): Promise<void> {
		if (this.#unsettled === 0) return Promise.resolve();
		return new Promise((resolve) => this.#idle.push(resolve));
	}

	#enqueue(task: Task): void {
		this.#queue.push(task);
		if (!this.#running) void this.#run();
	}

	async #run(): Promise<void> {
		this.#running = true;
		for (;;) {
			while (this.#pause !== null) await this.#pause;
			const task = this.#queue[0];
			if (task === undefined) break;
			if (task.write.afterOthers && this.#unsettled > this.#queue.length) {
				await new Promise<void>((resolve) => {
					this.#wake = resolve;
				});
				continue;
			}
			this.#queue.shift();
			try {
				const { beforeFirst } = task.write;
				if (beforeFirst !== undefined && task.attempts === 0) await beforeFirst();
				const settled = this.#attempt(task);
				// In memory, the attempt has called `commit` by now, and the next one may build on it.
				if (settled !== null) await settled;
			} catch (error) {
				this.#fail(task, error);
			}
		}
		this.#running = false;
	}

	/**
	 * Tries a task once, at once if the storage needs no waiting. No other task may be running. Returns a promise
	 * to await before the next task, or null if that may start at once.
	 */
	#attempt(task: Task): Promise<void> | null {
		task.attempts += 1;
		try {
			const seen = peek(this.#storage, () => this.#begin(task), task);
			if (seen !== undefined) return this.#conclude(task, seen, true);
		} catch (error) {
			this.#fail(task, error);
			return null;
		}
		const { rest } = task;
		task.rest = undefined;
		return read(this.#storage, () => this.#begin(task), rest)
			.then(
				(outcome) => this.#conclude(task, outcome, false) ?? undefined,
				(error) => (isConflict(error) ? this.#retry(task) : this.#fail(task, error)),
			)
			.catch((error) => this.#fail(task, error));
	}

	/** Begins the operation of a task from the start, without changes. */
	#begin(task: Task): Operation<unknown> {
		const { write, changes } = task;
		task.changes = new Changes();
		task.views = null;
		const running = write.begin(task.changes, changes !== noChanges);
		const { validate } = this.#settings;
		if (validate === undefined && !this.#subscription.active) return running;
		return withViews(running, task, validate);
	}

	/**
	 * Commits the changes of an attempt, or settles a task without changes.
	 *
	 * @param shown - whether the next write sees the commit of this one before it is durable
	 */
	#conclude(task: Task, outcome: Outcome<unknown>, shown: boolean): Promise<void> | null {
		const { revision, durable, settled } = outcome;
		if (!("error" in settled) && !task.changes.empty) {
			assertCommitSize(task.changes.size, this.#settings.limits.commit);
			const committed = this.#commit(task, settled.value, revision);
			return shown ? null : committed;
		}
		if (!durable) return this.#whenDurable(task, outcome);
		this.#settle(task, settled);
		return null;
	}

	/** Settles a task once the revision that it has read is durable. The storage may still lose it before. */
	async #whenDurable(task: Task, { revision, settled }: Outcome<unknown>): Promise<void> {
		try {
			if ((await this.#storage.read([])).revision === revision) this.#settle(task, settled);
			else this.#retry(task);
		} catch (error) {
			this.#fail(task, error);
		}
	}

	#settle(task: Task, settled: Outcome<unknown>["settled"]): void {
		if ("error" in settled) this.#fail(task, settled.error);
		else this.#succeed(task, settled.value);
	}

	/** Commits the changes of a task. If another commit came first, tries the task again. */
	#commit(task: Task, value: unknown, base: number): Promise<void> {
		const batch = task.changes.batch(base);
		this.#subscription.sending(batch, task.views);
		return promised(() => this.#storage.commit(batch)).then(
			(revision) => {
				const notifying = this.#subscription.committed(batch, revision);
				if (notifying !== null) return notifying.then(() => this.#succeed(task, value));
				this.#succeed(task, value);
			},
			(error) => {
				this.#subscription.refused(batch);
				if (isConflict(error)) this.#retry(task);
				else this.#fail(task, error);
			},
		);
	}

	#retry(task: Task): void {
		if (task.attempts >= attemptLimit) {
			this.#fail(
				task,
				new OutlineError(
					"conflict",
					`Other writers changed the outline during all ${attemptLimit} attempts. Try again when fewer programs write to it.`,
				),
			);
			return;
		}
		const index = this.#queue.findIndex(({ order }) => order > task.order);
		this.#queue.splice(index < 0 ? this.#queue.length : index, 0, task);
		this.#pause ??= sleep(Math.random() * Math.min(2 ** task.attempts, longestPause)).then(() => {
			this.#pause = null;
		});
		this.#wake?.();
		if (!this.#running) void this.#run();
	}

	#succeed(task: Task, value: unknown): void {
		task.write.done?.(task.changes);
		task.resolve(value);
		this.#ended(task);
	}

	#fail(task: Task, error: unknown): void {
		task.reject(error);
		this.#ended(task, { error });
	}

	#ended({ write, began, attempts, changes }: Task, failure?: Pick<WriteReport, "error">): void {
		const { onWrite } = this.#settings;
		if (onWrite !== undefined) {
			const size = failure === undefined ? changes.size : 0;
			const report = { operation: write.operation, milliseconds: steadyTime() - began!, attempts, size, ...failure };
			// An error of the host's function becomes an unhandled rejection: the write itself has ended.
			void (async () => onWrite(report))();
		}
		this.#unsettled -= 1;
		this.#wake?.();
		if (this.#unsettled > 0 || this.#idle.length === 0) return;
		for (const resolve of this.#idle.splice(0)) resolve();
	}
}

/**
 * Adds a last query to an operation: it computes the changes as listeners will receive them.
 *
 * @param validate - asks the host whether it allows the commit
 */
function* withViews(operation: Operation<unknown>, task: Task, validate: Settings["validate"]): Operation<unknown> {
	const value = yield* operation;
	const { changes } = task;
	if (changes.empty) return value;
	const [related] = yield* ask({ type: "related", ids: changes.relatedIds });
	task.views = yield* stepwise(changedViews(changes.nodes, related));
	if (validate) assertValid(validate, task, task.views);
	return value;
}

/** Asks the host whether a commit may be. @throws `refused` */
function assertValid(
	validate: NonNullable<Settings["validate"]>,
	{ write: { operation }, changes }: Task,
	views: readonly OutlineChange[],
): void {
	const keys = changedKeys(changes.keys);
	if (views.length + keys.length === 0) return;
	let returned: unknown;
	try {
		returned = validate({ operation, changes: views, keys });
	} catch (cause) {
		throw new OutlineError("refused", cause instanceof Error ? cause.message : String(cause), { cause });
	}
	if (returned === undefined) return;
	// A promise that rejects without a listener ends a process of Node.js.
	Promise.resolve(returned).catch(() => {});
	throw new TypeError("validate returned a value, perhaps a promise. It must throw at once, or return nothing.");
}
