import { invalidArgument, OutlineError } from "../errors.js";
import { assertFunction, type Fields } from "../fields.js";

/** The progress of an import or export. */
export interface ExchangeProgress {
	/** The number of UTF-16 code units read or written. */
	readonly characters: number;
	/** The number of nodes read from the file, or written to it. */
	readonly nodes: number;
}

/** Ends an import or export early: an `AbortSignal`, or any object with the same fields. */
export interface ExchangeSignal {
	/** Whether the import or export must end. */
	readonly aborted: boolean;
	/** The error with which it then rejects. Default: an {@link OutlineError} with the code `closed`. */
	readonly reason?: unknown;
}

/** The options that imports and exports share. */
export interface ProgressOptions {
	/** Called repeatedly with the progress. If it throws, the import or export ends with that error. */
	onProgress?: ((progress: ExchangeProgress) => void) | undefined;
	/** Checked between pieces. If it is aborted, the import or export rejects with its `reason`. */
	signal?: ExchangeSignal | undefined;
}

/** Reports progress, and ends the work if the signal is aborted. */
export class ProgressReporter {
	readonly #options: ProgressOptions;
	#characters = 0;

	/** @throws `invalid_argument` */
	constructor({ onProgress, signal }: Fields) {
		assertProgressAndSignal(onProgress, signal);
		this.#options = { onProgress, signal } as ProgressOptions;
	}

	/** Throws the signal's reason if it is aborted. */
	check(): void {
		checkSignal(this.#options.signal, "The signal ended this. Nothing was changed.");
	}

	/** Reports the number of further characters, and the total number of nodes. */
	advance(characters: number, nodes: number): void {
		this.#characters += characters;
		this.#options.onProgress?.({ characters: this.#characters, nodes });
		this.check();
	}
}

/**
 * Checks the options `onProgress` and `signal`.
 *
 * @throws `invalid_argument`
 */
export function assertProgressAndSignal(onProgress: unknown, signal: unknown): void {
	if (onProgress !== undefined) assertFunction("onProgress", onProgress);
	if (signal === undefined || typeof (signal as ExchangeSignal | null)?.aborted === "boolean") return;
	throw invalidArgument("signal", signal, "an AbortSignal");
}

/** Throws the reason of an aborted signal. Without a reason, throws `closed` with a message. */
export function checkSignal(signal: ExchangeSignal | undefined, message: string): void {
	if (signal?.aborted) throw signal.reason ?? new OutlineError("closed", message);
}
