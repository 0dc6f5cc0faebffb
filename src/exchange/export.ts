import { LazyModule } from "../engine/lazy-module.js";
import type { Fields } from "../fields.js";
import { Pace } from "../pace.js";
import type { Reference, ReferenceText } from "../reference/reference.js";
import type { ExportedNode, TreeSource } from "./exported-tree.js";
import { type ExchangeFormat, formatModules } from "./formats.js";
import { LossCount, type Lost } from "./loss.js";
import { type ProgressOptions, ProgressReporter } from "./progress.js";

/** What {@link Outline.exportAs} takes. */
export interface ExportOptions extends ProgressOptions {
	/** Any reference: this node and what is below it. Left out, or `null`: the whole outline. */
	root?: ReferenceText | null | undefined;
}

/** The text of an export in pieces, which are to be joined as they are. The outline is read when it is iterated. */
export interface OutlineExport extends AsyncIterable<string> {
	/**
	 * What the format had no place for, counted by kind: `formatting`, `layoutMode`, `completed`, `mirror` (written as a copy of
	 * what it shows), `depth` (written less deep), `character` and `whiteSpace`. Complete when the last piece has come. That only
	 * JSON carries ids, priorities and keys, and only JSON and OPML times, isn't counted.
	 */
	readonly lost: Lost;
}

const treeModule = new LazyModule("The export", () => import("./exported-tree.js"));

/** About how long a piece is, in characters. */
const pieceSize = 65_536;

/** An export under way. */
export class FormatExport implements OutlineExport {
	readonly #source: TreeSource;
	readonly #root: Reference;
	readonly #format: ExchangeFormat;
	readonly #progress: ProgressReporter;
	#lost = new LossCount();

	/** @throws `invalid_argument` for an option */
	constructor(source: TreeSource, root: Reference, format: ExchangeFormat, options: Fields) {
		this.#source = source;
		this.#root = root;
		this.#format = format;
		this.#progress = new ProgressReporter(options);
	}

	get lost(): Lost {
		return this.#lost.with();
	}

	async *[Symbol.asyncIterator](): AsyncGenerator<string, void, undefined> {
		this.#progress.check();
		this.#lost = new LossCount();
		const [{ written }, { readTree }] = await Promise.all([formatModules[this.#format].load(), treeModule.load()]);
		const pace = new Pace();
		const tree = await readTree(this.#source, this.#root, this.#format === "json", pace);
		let parts: string[] = [];
		let length = 0;
		let nodes = 0;
		const counted = function* (): Iterable<ExportedNode> {
			for (const node of tree.nodes) {
				nodes += 1;
				yield node;
			}
		};
		for (const part of written({ ...tree, nodes: counted() }, this.#lost, this.#source.timeZone)) {
			if (pace.isDue) {
				await pace.turn();
				this.#progress.check();
			}
			if (part === undefined) continue;
			parts.push(part);
			length += part.length;
			if (length < pieceSize) continue;
			this.#progress.advance(length, nodes);
			yield parts.join("");
			parts = [];
			length = 0;
		}
		this.#progress.advance(length, nodes);
		if (length > 0) yield parts.join("");
	}
}
