import { OutlineError, quoted } from "../errors.js";
import { assertFunction, type Fields } from "../fields.js";

/** How far an import or export has come. */
export interface ExchangeProgress {
	/** UTF-16 code units that have been read, or written. */
	readonly characters: number;
	/** Nodes that have been read from the file, or written to it. */
	readonly nodes: number;
}

/** What ends an import or export early: an `AbortSignal`, or anything that tells as much. */
export interface ExchangeSignal {
	/** Whether the work is to end. */
	readonly aborted: boolean;
	/** What the work then rejects with. Left out, it is an {@link OutlineError} with the code `closed`. */
	readonly reason?: unknown;
}

/** What imports and exports take alike. */
export interface ProgressOptions {
	/** Called again and again; what it throws ends the work. */
	onProgress?: ((progress: ExchangeProgress) => void) | undefined;
	/** Looked at between pieces; aborted, the work ends with its `reason`. */
	signal?: ExchangeSignal | undefined;
}

/** Tells of progress, and ends what was aborted. */
export class ProgressReporter {
	readonly #options: ProgressOptions;
	#characters = 0;

	/** @throws `invalid_argument` */
	constructor({ onProgress, signal }: Fields) {
		assertProgressAndSignal(onProgress, signal);
		this.#options = { onProgress, signal } as ProgressOptions;
	}

	/** Throws the reason if the work was aborted. */
	check(): void {
		checkSignal(this.#options.signal, "The signal ended this. Nothing was changed.");
	}

	/** Tells that so many more characters, and so many nodes in all, are done. */
	advance(characters: number, nodes: number): void {
		this.#characters += characters;
		this.#options.onProgress?.({ characters: this.#characters, nodes });
		this.check();
	}
}

/** Checks what tells of progress, and what ends the work. @throws `invalid_argument` */
export function assertProgressAndSignal(onProgress: unknown, signal: unknown): void {
	if (onProgress !== undefined) assertFunction("onProgress", onProgress);
	if (signal === undefined || typeof (signal as ExchangeSignal | null)?.aborted === "boolean") return;
	throw new OutlineError("invalid_argument", `signal is ${quoted(signal)}. It must be an AbortSignal.`);
}

/** Throws the reason of a signal that has been aborted; where it has none, an error with the code `closed` and a message. */
export function checkSignal(signal: ExchangeSignal | undefined, message: string): void {
	if (signal?.aborted) throw signal.reason ?? new OutlineError("closed", message);
}
