import type { Call } from "../engine/call.js";
import type { Changes } from "../engine/changes.js";
import type { Operation } from "../engine/protocol.js";
import type { Write } from "../engine/writer.js";
import type { Prepared } from "../operations/prepared.js";
import { Pace } from "../pace.js";
import { onDemandModule } from "../place/placement.js";
import type { History } from "./history.js";
import type { KeptHistory } from "./kept-history.js";
import { type Join, stepOf } from "./step.js";

/** A prepared operation whose changes may join the newest undo step. */
export interface PreparedStep<T> extends Prepared<T> {
	readonly join?: Join | undefined;
}

/** The write of a prepared operation, whose changes become an undo step. */
export class RecordedWrite<T> implements Write<T> {
	readonly operation: string;
	readonly beforeFirst: (() => Promise<unknown>) | undefined;
	readonly #call: Call;
	readonly #prepared: PreparedStep<T>;
	readonly #history: History;
	readonly #kept: KeptHistory | undefined;

	/** @param kept - the stored history, if the host asks for one */
	constructor(
		operation: string,
		call: Call,
		prepared: PreparedStep<T>,
		history: History,
		kept: KeptHistory | undefined,
	) {
		this.operation = operation;
		this.#call = call;
		this.#prepared = prepared;
		this.#history = history;
		this.#kept = kept;
		const loads = call.needs.onDemand && onDemandModule.ifLoaded === undefined;
		this.beforeFirst = loads || prepared.finish !== undefined ? () => this.#finish() : undefined;
	}

	begin(changes: Changes, again: boolean): Operation<T> {
		this.#call.ids.restart();
		const running = this.#prepared.run(changes);
		if (this.#kept === undefined) return running;
		// The earlier attempt may have added its step.
		if (again) this.#kept.doubt();
		return this.#kept.recording(running, changes, () => this.#step(changes));
	}

	done(changes: Changes): void {
		if (this.#kept === undefined) this.#history.add(this.#step(changes));
	}

	async #finish(): Promise<void> {
		await this.#prepared.finish?.(new Pace());
		if (this.#call.needs.onDemand) await onDemandModule.load();
	}

	#step(changes: Changes) {
		return stepOf(this.operation, this.#call.moment, changes, this.#prepared.join);
	}
}
