import { LazyModule } from "../engine/lazy-module.js";
import { OutlineError, quoted } from "../errors.js";
import type { Fields } from "../fields.js";
import type { OutlineNode } from "../node.js";
import { Pace, paced } from "../pace.js";
import type { Reference } from "../reference/reference.js";
import type { ExportedNode, ExportedTree, TreeSource } from "./exported-tree.js";
import { type ExchangeFormat, formatModules } from "./formats.js";
import { LossCount, type Lost } from "./loss.js";
import { ProgressReporter } from "./progress.js";

/** The text of an export, in pieces to be joined as they are. Iterating it reads the outline. */
export interface OutlineExport extends AsyncIterable<string> {
	/**
	 * The number of losses by kind: things the format can't hold. The kinds are `formatting`, `layoutMode`,
	 * `completed`, `mirror` (written as a copy of its content), `depth` (written less deep), `character` and
	 * `whiteSpace`. The counts are complete after the last piece. Not counted: only JSON keeps ids,
	 * priorities and keys; only JSON and OPML keep times.
	 */
	readonly lost: Lost;
}

const treeModule = new LazyModule("The export", () => import("./exported-tree.js"));
const givenModule = new LazyModule("The export of given nodes", () => import("./given-tree.js"));

/** The approximate length of a piece, in characters. */
const pieceSize = 65_536;

/** A running export. */
export class FormatExport implements OutlineExport {
	readonly #source: TreeSource;
	readonly #root: Reference;
	readonly #format: ExchangeFormat;
	readonly #nodes: readonly OutlineNode[] | undefined;
	readonly #progress: ProgressReporter;
	#lost = new LossCount();

	/** @throws `invalid_argument` if an option is wrong */
	constructor(source: TreeSource, root: Reference, format: ExchangeFormat, options: Fields) {
		this.#source = source;
		this.#root = root;
		this.#format = format;
		this.#nodes = nodesArgument(options);
		this.#progress = new ProgressReporter(options);
	}

	get lost(): Lost {
		return this.#lost.with();
	}

	async *[Symbol.asyncIterator](): AsyncGenerator<string, void, undefined> {
		this.#progress.check();
		this.#lost = new LossCount();
		const { written } = await formatModules[this.#format].load();
		const pace = new Pace();
		const tree = await this.#tree(pace);
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

	async #tree(pace: Pace): Promise<ExportedTree> {
		if (this.#nodes !== undefined) {
			const { treeOfNodes } = await givenModule.load();
			return paced(treeOfNodes(this.#nodes), pace);
		}
		const { readTree } = await treeModule.load();
		return readTree(this.#source, this.#root, this.#format === "json", pace);
	}
}

function nodesArgument({ nodes, root }: Fields): readonly OutlineNode[] | undefined {
	if (nodes === undefined) return undefined;
	if (!Array.isArray(nodes)) {
		throw new OutlineError("invalid_argument", `nodes is ${quoted(nodes)}. It must be an array of nodes.`);
	}
	if (root !== undefined) {
		throw new OutlineError("invalid_argument", "There is a root, and there are nodes. Leave one of them out.");
	}
	return nodes;
}
