import type { Changes } from "../engine/changes.js";
import { ask, type Operation, revisionOfAnswers } from "../engine/protocol.js";
import type { Document } from "../storage.js";
import type { Direction, History } from "./history.js";
import { isEmpty, type Step } from "./step.js";
import { stepIn, stepText } from "./step-text.js";

/*
 * Documents hold the steps: `history/<n>`, whose text begins with the direction and the number of the step, such
 * as `undo/12:`; the newest step has the highest number. Each change of the history takes a higher number, so a writer
 * sees by the highest one whether another writer has changed the history. A change without a new step writes its
 * number to `history/number`.
 *
 * A new step takes the key of a step that goes, because to make a key takes longer than to write a document.
 */
const prefix = "history/";
const counterKey = `${prefix}number`;
const stepForm = /^(undo|redo)\/(\d+): (\w.*)$/s;

/**
 * The document of a step. Computes its text when something first reads it, which a storage in memory never does with
 * most of them. The value is a property of the object itself, because storages may copy and clone documents.
 */
class StepDocument implements Document {
	/** One for all objects: an accessor for each would take five times as long. */
	static readonly #valueProperty = {
		enumerable: true,
		get(this: StepDocument): string {
			this.#value ??= `${this.#direction}/${this.#number}: ${stepText(this.#step)}`;
			return this.#value;
		},
	};
	readonly key: string;
	declare readonly value: string;
	readonly #direction: Direction;
	readonly #number: number;
	readonly #step: Step;
	#value: string | undefined;

	constructor(key: string, direction: Direction, number: number, step: Step) {
		this.key = key;
		this.#direction = direction;
		this.#number = number;
		this.#step = step;
		Object.defineProperty(this, "value", StepDocument.#valueProperty);
	}
}

/** The keys of the steps in each direction, the newest last. */
type StepKeys = { readonly [D in Direction]: string[] };

/**
 * A stored history: its steps are documents, which are written in the same commit as the changes that they
 * are about. It belongs to the outline, not to the program: of two programs that keep it, each undoes the last
 * step of both.
 *
 * The history in memory is ahead of the storage by the commits under way. If one of them fails, the next use reads
 * the steps again. If another writer commits, it first compares the last number with the stored one.
 */
export class KeptHistory {
	readonly #history: History;
	/** The most bytes of a step. */
	readonly #most: number;
	/** The revision that the history in memory belongs to, if it is known. */
	#revision: number | undefined;
	#last: number | undefined;
	#keys: StepKeys = { undo: [], redo: [] };
	/** The keys that were stored when the steps were read. */
	#stored: ReadonlySet<string> = new Set();
	/** The number of keys made after that. */
	#made = 0;
	/** The number of changes of the history in memory for commits, also for ones that fail. */
	#changes = 0;

	/** @param bytes - the most bytes of all steps */
	constructor(history: History, bytes: number) {
		this.#history = history;
		this.#most = bytes / 2;
	}

	/**
	 * Reads the steps, unless the history in memory is the stored one.
	 *
	 * @param keepsLoaded - whether to keep the steps that a write loads meanwhile, because they may be newer
	 */
	*load(keepsLoaded = false): Operation<void> {
		const revision = yield* revisionOfAnswers();
		if (revision === this.#revision) return;
		const [documents] = yield* ask({ type: "documents", prefix });
		if (keepsLoaded && this.#revision !== undefined) return;
		const steps = documents.flatMap(storedStep).sort((a, b) => a.number - b.number);
		const counter = Number(documents.find(({ key }) => key === counterKey)?.value ?? 0);
		const last = Math.max(counter, steps.at(-1)?.number ?? 0);
		if (last !== this.#last) {
			this.#replace(steps);
			this.#last = last;
		}
		this.#revision = revision;
	}

	/**
	 * Forgets the history in memory, because a commit has failed. It may hold the step of that commit, under a
	 * number that another writer has used meanwhile.
	 */
	doubt(): void {
		this.#revision = undefined;
		this.#last = undefined;
	}

	/**
	 * Runs a write, and returns its result. If the write fails after it has changed the steps in memory, reads the stored
	 * steps again.
	 *
	 * @param read - reads the storage
	 */
	async during<T>(
		write: (kept: KeptHistory) => Promise<T>,
		read: (load: () => Operation<void>) => Promise<void>,
	): Promise<T> {
		const changes = this.#changes;
		try {
			return await write(this);
		} catch (error) {
			if (this.#changes !== changes) {
				this.doubt();
				await read(() => this.load(true)).catch(() => {});
			}
			throw error;
		}
	}

	/** Runs an operation, and adds its step to the history and to the changes that it commits. */
	*recording<T>(operation: Operation<T>, changes: Changes, recorded: () => Step): Operation<T> {
		const value = yield* operation;
		const step = recorded();
		if (!isEmpty(step)) {
			yield* this.load();
			this.#add(changes, step);
		}
		return value;
	}

	/** Moves on by one step, as {@link History.go} does. */
	go(changes: Changes, direction: Direction, reversal: Step): void {
		const other = direction === "undo" ? "redo" : "undo";
		const key = this.#keys[direction].pop()!;
		this.#history.go(direction, reversal);
		changes.changeDocuments({ put: [this.#pushed(other, reversal, key)], dropped: [] }, reversal.size / 2);
	}

	/** Forgets all steps. */
	*clear(changes: Changes): Operation<void> {
		yield* this.load();
		const { undo, redo } = this.#keys;
		this.#drop(changes, [...undo.splice(0), ...redo.splice(0)]);
	}

	#add(changes: Changes, step: Step): void {
		const { undo, redo } = this.#keys;
		const { grown, added, forgotten } = this.#history.add(step);
		const released = redo.splice(0);
		for (let count = 0; count < forgotten; count++) released.push(undo.shift()!);
		if (grown) released.push(undo.pop()!);
		if (added === undefined) {
			changes.changeDocuments({ put: [this.#counted()], dropped: released });
			return;
		}
		if (added.size > this.#most) {
			// What was before this step can't be undone without it.
			this.#drop(changes, [...released, ...undo.splice(0)]);
			return;
		}
		const key = released.pop() ?? this.#newKey();
		changes.changeDocuments({ put: [this.#pushed("undo", added, key)], dropped: released }, added.size / 2);
	}

	/** Forgets all steps. @param keys - the keys of all their documents */
	#drop(changes: Changes, keys: string[]): void {
		this.#history.clear();
		if (keys.length > 0) changes.changeDocuments({ put: [this.#counted()], dropped: keys });
	}

	/** Returns a key that no step has. */
	#newKey(): string {
		for (;;) {
			const key = `${prefix}${this.#made++}`;
			if (!this.#stored.has(key)) return key;
		}
	}

	/** Puts a step on top. Returns the document to write. */
	#pushed(direction: Direction, step: Step, key: string): Document {
		this.#keys[direction].push(key);
		return new StepDocument(key, direction, this.#nextNumber(), step);
	}

	/** Returns the document with the number of a change without a new step. */
	#counted(): Document {
		return { key: counterKey, value: String(this.#nextNumber()) };
	}

	/** Counts a change of the history, for a commit on the revision that the history in memory belongs to. */
	#nextNumber(): number {
		this.#changes += 1;
		this.#revision! += 1;
		this.#last! += 1;
		return this.#last!;
	}

	#replace(steps: readonly StoredStep[]): void {
		this.#history.replace(steps.map(({ direction, text }) => [direction, stepIn(text)]));
		this.#keys = { undo: [], redo: [] };
		for (const { key, direction } of steps) this.#keys[direction].push(key);
		this.#stored = new Set(steps.map(({ key }) => key));
		this.#made = 0;
	}
}

/** A step as a document holds it. */
interface StoredStep {
	readonly key: string;
	readonly direction: Direction;
	readonly number: number;
	readonly text: string;
}

/** Returns the step in a document. The counter has none, and neither has what a program of before 0.1.0 wrote. */
function storedStep({ key, value }: Document): StoredStep[] {
	const [, direction, number, text] = stepForm.exec(value) ?? [];
	if (direction === undefined) return [];
	return [{ key, direction: direction as Direction, number: Number(number), text: text! }];
}
