import { Pace, paced } from "../pace.js";
import type { Reference } from "../reference/reference.js";
import { type ExportedNode, type ExportedTree, readTree, type TreeSource } from "./exported-tree.js";
import { type ExchangeFormat, formatModules } from "./formats.js";
import { type Given, treeOfNodes } from "./given-tree.js";
import type { LossCount } from "./loss.js";
import type { ProgressReporter } from "./progress.js";

/** The content and the form of an export. */
interface Export {
	readonly source: TreeSource;
	readonly root: Reference;
	readonly format: ExchangeFormat;
	/** The nodes to write instead of those of the source. */
	readonly given: Given | undefined;
	readonly progress: ProgressReporter;
	readonly lost: LossCount;
}

/** The approximate length of a piece, in characters. */
const pieceSize = 65_536;

/** Writes the pieces of an export. */
export async function* exportPieces(asked: Export): AsyncGenerator<string, void, undefined> {
	const { source, format, progress, lost } = asked;
	const { written } = await formatModules[format].load();
	const pace = new Pace();
	const tree = await treeFor(asked, pace);
	let parts: string[] = [];
	let length = 0;
	let nodes = 0;
	const counted = function* (): Iterable<ExportedNode> {
		for (const node of tree.nodes) {
			nodes += 1;
			yield node;
		}
	};
	for (const part of written({ ...tree, nodes: counted() }, lost, source.timeZone)) {
		if (pace.isDue) {
			await pace.turn();
			progress.check();
		}
		if (part === undefined) continue;
		parts.push(part);
		length += part.length;
		if (length < pieceSize) continue;
		progress.advance(length, nodes);
		yield parts.join("");
		parts = [];
		length = 0;
	}
	progress.advance(length, nodes);
	if (length > 0) yield parts.join("");
}

async function treeFor({ source, root, format, given }: Export, pace: Pace): Promise<ExportedTree> {
	const withKeys = format === "json";
	if (given === undefined) return readTree(source, root, withKeys, pace);
	return paced(treeOfNodes(given.nodes, withKeys ? given.keys : []), pace);
}
