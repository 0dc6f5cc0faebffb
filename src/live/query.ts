import type { OutlineEvent } from "../engine/event.js";
import { surface } from "../engine/listeners.js";
import { assertFunction, fieldNames, fieldsOf } from "../fields.js";
import type { Outline } from "../outline.js";
import { CurrentRead } from "./current-read.js";
import { assertOutline, type Live, LiveValue } from "./live.js";

/** The options of {@link liveQuery}. */
export interface LiveQueryOptions {
	/** Whether a commit may change the result. Default: every commit may. */
	concerns?: ((event: OutlineEvent) => boolean) | undefined;
	/**
	 * Receives the errors that `read` throws, until the query or the outline is closed; `current` stays as it
	 * was. Default: an error surfaces as an unhandled rejection.
	 */
	onError?: ((error: unknown) => void) | undefined;
}

const optionNames = fieldNames<LiveQueryOptions>({ concerns: true, onError: true });

/**
 * Keeps the result of a read up to date. It calls `read` at once, and again after each commit that may change
 * the result, one call at a time. `current` is undefined until the first read resolves.
 *
 * @param read - any read of the outline, such as `() => outline.search("is:todo")`
 * @throws `closed`; `invalid_argument` if an argument isn't a function
 */
export function liveQuery<T>(
	outline: Pick<Outline, "subscribe">,
	read: () => Promise<T>,
	options: LiveQueryOptions = {},
): Live<T | undefined> {
	fieldsOf("liveQuery", options, optionNames);
	const { concerns = () => true, onError } = options;
	for (const [name, value] of Object.entries({ read, concerns, onError: onError ?? surface }))
		assertFunction(name, value);
	assertOutline(outline, ["subscribe"]);
	return new LiveQuery(outline, read, concerns, onError);
}

class LiveQuery<T> extends LiveValue<T | undefined> implements Live<T | undefined> {
	readonly ready: Promise<void>;
	readonly #unsubscribe: () => void;

	constructor(
		outline: Pick<Outline, "subscribe">,
		read: () => Promise<T>,
		concerns: (event: OutlineEvent) => boolean,
		onError: ((error: unknown) => void) | undefined,
	) {
		super(undefined);
		const current = new CurrentRead(
			read,
			(answer) => this.publish(answer),
			() => this.closed,
		);
		this.#unsubscribe = outline.subscribe((event) => {
			if (!event.expired && !concerns(event)) return;
			if (!current.outdate()) this.report(current.start(), onError ?? surface);
		});
		this.ready = this.reportFirst(current.start(), onError);
	}

	override close(): void {
		this.#unsubscribe();
		super.close();
	}
}
