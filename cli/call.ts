import type { Options } from "./options.ts";
import type { Output } from "./output.ts";
import type { OpenOutline } from "./place/open.ts";

/** A running command. */
export class Call {
	/** The words behind the command's name. */
	readonly words: readonly string[];
	readonly options: Options;
	readonly output: Output;
	/** Aborted by Ctrl+C and SIGTERM. */
	readonly signal: AbortSignal;
	#open: OpenOutline | undefined;

	constructor(words: readonly string[], options: Options, output: Output, signal: AbortSignal) {
		this.words = words;
		this.options = options;
		this.output = output;
		this.signal = signal;
	}

	/** Opens the outline that the options name. It closes when the command ends. */
	async open(needs: { readonly writes?: boolean; readonly stays?: boolean } = {}): Promise<OpenOutline> {
		const { openOutline } = await import("./place/open.ts");
		this.#open = await openOutline(this, needs);
		return this.#open;
	}

	/** Closes the outline, if the command has opened one. */
	async close(): Promise<void> {
		await this.#open?.close();
	}
}
