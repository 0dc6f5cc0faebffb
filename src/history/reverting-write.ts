import type { Call } from "../engine/call.js";
import type { Changes } from "../engine/changes.js";
import { LazyModule } from "../engine/lazy-module.js";
import type { Operation } from "../engine/protocol.js";
import type { Write } from "../engine/writer.js";
import type { Direction, History, HistoryStep } from "./history.js";
import type { KeptHistory } from "./kept-history.js";
import { type Step, stepOf } from "./step.js";

const revertModule = new LazyModule("Undo and redo", () => import("./revert.js"));

/** The write of an undo or a redo. Its changes become a step in the other direction. */
export class RevertingWrite implements Write<HistoryStep | null> {
	readonly operation: Direction;
	/** Earlier writes decide which step is the last. */
	readonly afterOthers = true;
	readonly beforeFirst = async () => {
		if (this.#kept !== undefined || this.#history.next(this.operation) !== undefined) await revertModule.load();
	};
	readonly #call: Call;
	readonly #history: History;
	readonly #kept: KeptHistory | undefined;
	#step: Step | undefined;

	/** @param kept - the stored history, if the host asks for one */
	constructor(direction: Direction, call: Call, history: History, kept: KeptHistory | undefined) {
		this.operation = direction;
		this.#call = call;
		this.#history = history;
		this.#kept = kept;
	}

	*begin(changes: Changes, again: boolean): Operation<HistoryStep | null> {
		if (again) this.#kept?.doubt();
		if (this.#kept !== undefined) yield* this.#kept.load();
		const step = this.#history.next(this.operation);
		this.#step = step;
		if (step === undefined) return null;
		const nodeIds = yield* revertModule.loaded.revert(this.#call, changes, step);
		this.#kept?.go(changes, this.operation, this.#opposite(step, changes));
		return { operation: step.operation, nodeIds };
	}

	done(changes: Changes): void {
		const step = this.#step;
		if (step !== undefined && this.#kept === undefined) this.#history.go(this.operation, this.#opposite(step, changes));
	}

	#opposite({ operation, ensured, copies }: Step, changes: Changes): Step {
		return { ...stepOf(operation, this.#call.moment, changes), ensured, copies };
	}
}
