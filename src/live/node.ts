import { surface } from "../engine/listeners.js";
import { assertFunction, fieldNames, fieldsOf } from "../fields.js";
import type { OutlineNode } from "../node.js";
import type { Outline } from "../outline.js";
import type { ReferenceText } from "../reference/reference.js";
import { assertOutline, type Live, LiveValue } from "./live.js";
import { LiveRoot } from "./root.js";

/** The options of {@link liveNode}. */
export interface LiveNodeOptions {
	/**
	 * Receives the errors of reads, until the node or the outline is closed; `current` stays as it was.
	 * Default: an error surfaces as an unhandled rejection.
	 */
	onError?: ((error: unknown) => void) | undefined;
}

const optionNames = fieldNames<LiveNodeOptions>({ onError: true });

/**
 * The methods of an outline that the node uses. Without `today`, a reference such as `today` keeps its day
 * after midnight.
 *
 * @inline
 */
type NodeOutline = Pick<Outline, "get" | "subscribe"> & Partial<Pick<Outline, "today">>;

/**
 * Keeps the node of a reference up to date. `current` is undefined until it is loaded, and `null` while there
 * is no such node: it isn't created yet, or it is deleted. A key may get another node later: a shortcut that
 * is set again, or `today` at midnight. A commit costs no read, unless it sets or drops the key.
 *
 * `ready` rejects with the errors of reads. A node that doesn't exist is no error.
 *
 * @param ref - `null` for no node
 * @throws `closed`; `invalid_argument` if an option has another type
 */
export function liveNode(
	outline: NodeOutline,
	ref: ReferenceText | null,
	options: LiveNodeOptions = {},
): Live<OutlineNode | null | undefined> {
	fieldsOf("liveNode", options, optionNames);
	const { onError } = options;
	assertFunction("onError", onError ?? surface);
	assertOutline(outline, ["get", "subscribe"]);
	return new LiveNode(outline, ref, onError);
}

class LiveNode extends LiveValue<OutlineNode | null | undefined> implements Live<OutlineNode | null | undefined> {
	readonly ready: Promise<void>;
	readonly #root: LiveRoot;
	readonly #unsubscribe: () => void;

	constructor(outline: NodeOutline, ref: string | null, onError: ((error: unknown) => void) | undefined) {
		super(undefined);
		const report = onError ?? surface;
		this.#root = new LiveRoot(outline, ref, () => this.#show(), report);
		this.#unsubscribe = outline.subscribe((event) => {
			if (event.expired) this.report(this.#after(this.#root.reload()), report);
			else if (this.#root.apply(event)) this.#show();
		});
		this.ready = this.reportFirst(this.#after(this.#root.open()), onError);
	}

	override close(): void {
		this.#unsubscribe();
		this.#root.close();
		super.close();
	}

	async #after(read: Promise<void>): Promise<void> {
		await read;
		this.#show();
	}

	#show(): void {
		const node = this.#root.node ?? null;
		if (node !== this.current) this.publish(node);
	}
}
