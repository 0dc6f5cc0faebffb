import type { Readable } from "node:stream";
import type { Environment, Options } from "./options.ts";
import type { Output, OutputStream } from "./output.ts";
import type { NodeOutline } from "./place/node-outline.ts";
import type { Needs, OpenOutline } from "./place/open.ts";

/** The streams, the environment and the signal of the process that runs a command. */
export interface Surroundings {
	readonly environment: Environment;
	readonly stdin: Readable;
	readonly stdout: OutputStream;
	readonly stderr: OutputStream;
	/** Aborted by Ctrl+C and SIGTERM. */
	readonly signal: AbortSignal;
}

/** A running command. */
export class Call {
	/** The words behind the command's name. */
	readonly words: readonly string[];
	readonly options: Options;
	readonly output: Output;
	readonly stdin: Readable;
	/** Only for protocols: results go through {@link Call.output}. */
	readonly stdout: OutputStream;
	/** Aborted by Ctrl+C and SIGTERM. */
	readonly signal: AbortSignal;
	#open: OpenOutline | undefined;

	constructor(
		words: readonly string[],
		options: Options,
		output: Output,
		{ stdin, stdout, signal }: Pick<Surroundings, "stdin" | "stdout" | "signal">,
	) {
		this.words = words;
		this.options = options;
		this.output = output;
		this.stdin = stdin;
		this.stdout = stdout;
		this.signal = signal;
	}

	/** Opens the outline that the options name. It closes when the command ends. */
	async open(needs: Needs = {}): Promise<OpenOutline> {
		const { openOutline } = await import("./place/open.ts");
		this.#open = await openOutline(this, needs);
		// The signal may have arrived while the outline was opened.
		if (!needs.stays) this.signal.throwIfAborted();
		return this.#open;
	}

	/**
	 * Opens the outline that the options name, for a command that needs only a few nodes of it. On a server, each
	 * method is a request. So such a command also works with a key for a part of an outline.
	 */
	async openNodes(needs: Needs = {}): Promise<NodeOutline> {
		const [{ placeOf }, { settingsOf }] = await Promise.all([import("./place/place.ts"), import("./place/open.ts")]);
		const place = placeOf(this.options);
		if (place.kind !== "server") return (await this.open(needs)).outline;
		const { RemoteNodes } = await import("./place/remote-nodes.ts");
		return new RemoteNodes(place, this.signal, settingsOf(this.options));
	}

	/** Closes the outline, if the command has opened one. */
	async close(): Promise<void> {
		await this.#open?.close();
	}
}
