import type { Writable } from "node:stream";
import type { WriteStream } from "node:tty";
import { styleText } from "node:util";
import { Failure } from "./failure.ts";

/** The reader of the output has ended, as `head` does. No fault: the program ends quietly. */
export class PipeClosed extends Error {}

/** The codes of errors that only mean that the reader has ended. */
const closedCodes: ReadonlySet<unknown> = new Set(["EPIPE", "ECONNRESET", "EOF", "ERR_STREAM_DESTROYED"]);

/** Returns the error of an output that isn't written. A command prints after it has stored its changes. */
function unwritten({ code, message }: NodeJS.ErrnoException): Failure {
	const reason = message.replace(/, write$/, "");
	return new Failure(
		code ?? "output",
		`The result can't be written to the standard output (${reason}). If the command changed the outline, the change is stored.`,
	);
}

/** A style of text on a terminal. */
export type Style = Parameters<typeof styleText>[0];

/** A stream to print to, which may be a terminal. */
export type OutputStream = Writable & Partial<Pick<WriteStream, "isTTY" | "hasColors">>;

/** Returns a number with its noun, such as `1 node` or `2 nodes`. */
export function counted(count: number, noun: string): string {
	return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

/** Prints results to stdout, and progress and notes to stderr. */
export class Output {
	/** Whether results are JSON Lines. */
	readonly json: boolean;
	readonly #quiet: boolean;
	readonly #stdout: OutputStream;
	readonly #stderr: OutputStream;
	readonly #colours: boolean;
	readonly #signal: AbortSignal | undefined;
	/** The reason why nothing more can be written. */
	#failure: Error | undefined;
	/** Ends the wait for a slow reader. */
	#resume = () => {};
	#progressAt = 0;
	#hasProgress = false;

	/**
	 * @param json - undefined: JSON Lines unless stdout is a terminal
	 * @param signal - ends the wait for a slow reader
	 */
	constructor(
		{ json, quiet = false }: { readonly json: boolean | undefined; readonly quiet: boolean | undefined },
		stdout: OutputStream,
		stderr: OutputStream,
		signal?: AbortSignal,
	) {
		this.#stdout = stdout;
		this.#stderr = stderr;
		this.json = json ?? !stdout.isTTY;
		this.#quiet = quiet;
		this.#colours = stdout.isTTY === true && stdout.hasColors?.() === true;
		// Once for all writes: a listener for each would stay if another event ends its wait.
		stdout.on("drain", () => this.#resume());
		stdout.on("close", () => this.#resume());
		stdout.on("error", (error) => this.#fail(error));
		this.#signal = signal;
		signal?.addEventListener("abort", () => this.#resume(), { once: true });
		stderr.on("error", () => {});
	}

	/** Returns a text with a style, if the terminal has colours. */
	styled(style: Style, text: string): string {
		// Newer versions of Node would look at the standard output again.
		return this.#colours && text !== "" ? styleText(style, text, { validateStream: false }) : text;
	}

	/** Prints a result: the value on a pipe, the text on a terminal. */
	async result(value: object, text: string): Promise<void> {
		if (this.#quiet) return;
		this.endProgress();
		await this.write(`${this.json ? JSON.stringify(value) : text}\n`);
	}

	/** Prints a text that only people read, unless results are JSON. */
	async text(text: string): Promise<void> {
		if (!this.json && !this.#quiet) await this.write(`${text}\n`);
	}

	/** Writes to stdout. Waits while the reader is slow. @throws PipeClosed, or Failure if the disk is full */
	async write(text: string): Promise<void> {
		if (this.#failure === undefined && !this.#stdout.write(text) && !this.#stdout.closed) {
			await new Promise<void>((resolve) => {
				this.#resume = resolve;
				if (this.#signal?.aborted) resolve();
			});
			this.#signal?.throwIfAborted();
		}
		if (this.#failure !== undefined) throw this.#failure;
	}

	/**
	 * Waits until stdout has taken everything, because a full disk shows only then.
	 *
	 * @throws PipeClosed, or Failure if the disk is full
	 */
	async flush(): Promise<void> {
		await new Promise<void>((resolve, reject) => {
			this.#stdout.write("", (error) => {
				if (error) this.#fail(error);
				resolve();
			});
			this.#signal?.addEventListener("abort", () => reject(this.#signal!.reason), { once: true });
		});
		if (this.#failure !== undefined) throw this.#failure;
	}

	#fail(error: NodeJS.ErrnoException): void {
		this.#failure ??= closedCodes.has(error.code) ? new PipeClosed() : unwritten(error);
		this.#resume();
	}

	/** Prints a line to stderr. */
	note(text: string): void {
		if (this.#quiet) return;
		this.endProgress();
		this.#stderr.write(`${text}\n`);
	}

	/** Prints a line to stderr that only people need, unless results are JSON. */
	hint(text: string): void {
		if (!this.json) this.note(text);
	}

	/** Shows progress on a terminal, in one line that changes, ten times a second at most. */
	progress(text: string): void {
		if (this.#quiet || !this.#stderr.isTTY || Date.now() - this.#progressAt < 100) return;
		this.#progressAt = Date.now();
		this.#hasProgress = true;
		this.#stderr.write(`\r\x1b[K${text}`);
	}

	/** Removes the line of progress. */
	endProgress(): void {
		if (!this.#hasProgress) return;
		this.#hasProgress = false;
		this.#stderr.write("\r\x1b[K");
	}
}
