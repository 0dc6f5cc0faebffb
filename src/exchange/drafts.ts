import { CommitSize } from "../engine/commit-size.js";
import { reserveMany } from "../engine/id-source.js";
import { pause, stepwise } from "../engine/protocol.js";
import type { Settings } from "../engine/settings.js";
import { sizeOfRecord } from "../node.js";
import { type DraftNode, recordsOf } from "../operations/draft.js";
import { placeRoots } from "./destination.js";
import type { ParsedFile } from "./format-module.js";
import { LossCount } from "./loss.js";

/** The number of nodes written in a step. */
const nodesInStep = 1024;

/** Collects the nodes of a file without ids. Each gets a new id. */
export class Drafts {
	/** In reading order. Any number of nodes have depth 0; each is at most one deeper than the one before. */
	readonly #nodes: DraftNode[] = [];
	readonly #size: CommitSize;
	#roots = 0;

	constructor(settings: Settings) {
		this.#size = new CommitSize(settings, "Import the file in parts");
	}

	/** The number of nodes added. */
	get count(): number {
		return this.#nodes.length;
	}

	/**
	 * Adds a node.
	 *
	 * @throws `too_large`
	 */
	add(node: DraftNode): void {
		this.#size.add(sizeOfRecord(node));
		if (node.depth === 0) this.#roots += 1;
		this.#nodes.push(node);
	}

	/**
	 * Adds to the size of a node that has been added, in characters.
	 *
	 * @throws `too_large`
	 */
	grow(characters: number): void {
		this.#size.add(characters);
	}

	/** Returns all nodes, ready to be inserted. */
	parsedFile(): ParsedFile {
		const nodes = this.#nodes;
		const roots = this.#roots;
		return {
			nodes: nodes.length,
			*insert(call, changes, destination) {
				yield* reserveMany(call.ids, nodes.length);
				const { ids, parentId, priorities } = yield* placeRoots(call, changes, destination, roots, nodes.length);
				const records = yield* stepwise(recordsOf(nodes, ids, parentId, priorities, call.seconds));
				const rootIds: string[] = [];
				for (const [index, record] of records.entries()) {
					if (index % nodesInStep === nodesInStep - 1) yield* pause();
					changes.put(null, record);
					if (nodes[index]!.depth === 0) rootIds.push(record.id);
				}
				return { rootIds, lost: new LossCount() };
			},
		};
	}
}
