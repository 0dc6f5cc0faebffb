import { LazyModule } from "../engine/lazy-module.js";
import { invalidArgument, OutlineError } from "../errors.js";
import type { Fields } from "../fields.js";
import type { Reference } from "../reference/reference.js";
import type { TreeSource } from "./exported-tree.js";
import type { ExchangeFormat } from "./formats.js";
import type { Given } from "./given-tree.js";
import { LossCount, type Lost } from "./loss.js";
import { ProgressReporter } from "./progress.js";

/** The text of an export, in pieces to be joined as they are. Iterating it reads the outline. */
export interface OutlineExport extends AsyncIterable<string> {
	/**
	 * The number of losses by kind: things the format can't hold. The kinds are `formatting`, `layoutMode`,
	 * `completed`, `properties`, `mirror` (written as a copy of its content), `depth` (written less deep),
	 * `character` and `whiteSpace`. The counts are complete after the last piece. Not counted: only JSON keeps
	 * ids, priorities and keys; only JSON and OPML keep times.
	 */
	readonly lost: Lost;
}

const piecesModule = new LazyModule("The export", () => import("./export-pieces.js"));

/** A running export. */
export class FormatExport implements OutlineExport {
	readonly #source: TreeSource;
	readonly #root: Reference;
	readonly #format: ExchangeFormat;
	readonly #given: Given | undefined;
	readonly #progress: ProgressReporter;
	#lost = new LossCount();

	/** @throws `invalid_argument` if an option is wrong */
	constructor(source: TreeSource, root: Reference, format: ExchangeFormat, options: Fields) {
		this.#source = source;
		this.#root = root;
		this.#format = format;
		this.#given = givenArgument(options);
		this.#progress = new ProgressReporter(options);
	}

	get lost(): Lost {
		return this.#lost.with();
	}

	async *[Symbol.asyncIterator](): AsyncGenerator<string, void, undefined> {
		this.#progress.check();
		this.#lost = new LossCount();
		const { exportPieces } = await piecesModule.load();
		yield* exportPieces({
			source: this.#source,
			root: this.#root,
			format: this.#format,
			given: this.#given,
			progress: this.#progress,
			lost: this.#lost,
		});
	}
}

function givenArgument({ nodes, keys, root }: Fields): Given | undefined {
	for (const [name, value] of Object.entries({ nodes, keys })) {
		if (value === undefined || Array.isArray(value)) continue;
		throw invalidArgument(name, value, "an array");
	}
	if (nodes === undefined && keys === undefined) return undefined;
	if (nodes === undefined || root !== undefined) {
		throw new OutlineError("invalid_argument", "The export takes a root, or nodes with their keys.");
	}
	return { nodes: nodes as Given["nodes"], keys: (keys ?? []) as Given["keys"] };
}
