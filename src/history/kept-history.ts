import type { Changes } from "../engine/changes.js";
import { ask, type Operation, revisionOfAnswers } from "../engine/protocol.js";
import type { Document } from "../storage.js";
import type { Direction, History } from "./history.js";
import { isEmpty, type Step } from "./step.js";
import { stepIn, stepText } from "./step-text.js";

/*
 * Documents hold the steps: `history/undo/<number>` and `history/redo/<number>`, the newest with the highest
 * number, and `history/number` with the last number given. Each change of the history raises that one, so it
 * tells whether another writer has changed the history.
 */
const prefix = "history/";
const counterKey = `${prefix}number`;

/** The digits of a number, so that the order of the keys is that of the numbers. */
const digits = 16;

/**
 * The document of a step. Computes its text when something reads it, which a storage in memory never does with
 * most of them. The value is a property of the object itself, because storages may copy and clone documents.
 */
class StepDocument implements Document {
	/** One for all objects: an accessor for each would take five times as long. */
	static readonly #valueProperty = {
		enumerable: true,
		get(this: StepDocument): string {
			return stepText(this.#step);
		},
	};
	readonly key: string;
	declare readonly value: string;
	readonly #step: Step;

	constructor(key: string, step: Step) {
		this.key = key;
		this.#step = step;
		Object.defineProperty(this, "value", StepDocument.#valueProperty);
	}
}

/** The keys of the steps in each direction, the newest last. */
type StepKeys = { readonly [D in Direction]: string[] };

/**
 * A history that stays: its steps are documents, which are written in the same commit as the changes that they
 * are about. It belongs to the outline, not to the program: of two programs that keep it, each undoes the last
 * step of both.
 *
 * The history in memory is ahead of the storage by the commits under way. If one of them fails, or another
 * writer commits, the next use compares the last number with the stored one, and reads the steps if they differ.
 */
export class KeptHistory {
	readonly #history: History;
	/** The most bytes of a step. */
	readonly #most: number;
	/** The revision that the history in memory belongs to, if it is known. */
	#revision: number | undefined;
	#last: number | undefined;
	#keys: StepKeys = { undo: [], redo: [] };

	/** @param bytes - the most bytes of all steps */
	constructor(history: History, bytes: number) {
		this.#history = history;
		this.#most = bytes / 2;
	}

	/** Reads the steps, unless the history in memory is the stored one. */
	*load(): Operation<void> {
		const revision = yield* revisionOfAnswers();
		if (revision === this.#revision) return;
		const [[counter]] = yield* ask({ type: "documents", prefix: counterKey, limit: 1 });
		const last = counter === undefined ? 0 : Number(counter.value);
		if (last !== this.#last) {
			this.#replace(last === 0 ? [] : (yield* ask({ type: "documents", prefix }))[0]);
			this.#last = last;
		}
		this.#revision = revision;
	}

	/** Forgets which revision the history in memory belongs to, because a commit has failed. */
	doubt(): void {
		this.#revision = undefined;
	}

	/** Runs an operation, and adds its step to the history and to the changes that it commits. */
	*recording<T>(operation: Operation<T>, changes: Changes, stepIn: (changes: Changes) => Step): Operation<T> {
		const value = yield* operation;
		const step = stepIn(changes);
		if (!isEmpty(step)) {
			yield* this.load();
			this.#add(changes, step);
		}
		return value;
	}

	/** Moves on by one step, as {@link History.go} does. */
	go(changes: Changes, direction: Direction, reversal: Step): void {
		const other = direction === "undo" ? "redo" : "undo";
		const dropped = [this.#keys[direction].pop()!];
		this.#history.go(direction, reversal);
		changes.changeDocuments({ put: this.#pushed(other, reversal), dropped }, reversal.size / 2);
	}

	/** Forgets all steps. */
	*clear(changes: Changes): Operation<void> {
		yield* this.load();
		const { undo, redo } = this.#keys;
		const dropped = [...undo.splice(0), ...redo.splice(0)];
		this.#history.clear();
		if (dropped.length > 0) changes.changeDocuments({ put: [this.#counted()], dropped });
	}

	#add(changes: Changes, added: Step): void {
		const { undo, redo } = this.#keys;
		const { grown, forgotten } = this.#history.add(added);
		const step = this.#history.next("undo")!;
		const dropped = redo.splice(0);
		for (let count = 0; count < forgotten; count++) dropped.push(undo.shift()!);
		if (grown) dropped.push(undo.pop()!);
		if (step.size <= this.#most) {
			changes.changeDocuments({ put: this.#pushed("undo", step), dropped }, step.size / 2);
			return;
		}
		// What was before this step can't be undone without it.
		dropped.push(...undo.splice(0));
		this.#history.clear();
		changes.changeDocuments({ put: [this.#counted()], dropped });
	}

	/** Puts a step on top. Returns the documents to write. */
	#pushed(direction: Direction, step: Step): Document[] {
		const counter = this.#counted();
		const key = `${prefix}${direction}/${counter.value.padStart(digits, "0")}`;
		this.#keys[direction].push(key);
		const document = new StepDocument(key, step);
		return [counter, document];
	}

	/** Counts a change of the history, for a commit on the revision that the history in memory belongs to. */
	#counted(): Document {
		this.#revision! += 1;
		this.#last! += 1;
		return { key: counterKey, value: String(this.#last) };
	}

	#replace(documents: readonly Document[]): void {
		this.#history.clear();
		this.#keys = { undo: [], redo: [] };
		for (const { key, value } of documents) {
			const [, direction] = /^history\/(undo|redo)\/\d+$/.exec(key) ?? [];
			if (direction !== "undo" && direction !== "redo") continue;
			this.#history.restore(direction, stepIn(value));
			this.#keys[direction].push(key);
		}
	}
}
