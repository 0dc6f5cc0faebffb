import { type NodeRecord, textLength } from "../../storage.js";
import { type ImageBlock, type Sparse, topLevel } from "./block.js";
import { packedId } from "./packed-id.js";

/** The most nodes in a block. */
const mostNodes = 1000;

/** The most characters of texts in a block of several nodes. */
const mostText = 262_144;

/** The nodes of an image, each after its parent. */
export interface OrderedNodes {
	readonly records: readonly NodeRecord[];
	/** The number of each node by its id. */
	readonly numbers: ReadonlyMap<string, number>;
}

/** Yields the blocks of an image, from a node on. */
export function* blocksFrom(nodes: OrderedNodes, start: number): Generator<ImageBlock, void, undefined> {
	const { records } = nodes;
	let first = start;
	let text = 0;
	for (let number = start; number < records.length; number++) {
		const own = textLength(records[number]!);
		if (number > first && (number - first === mostNodes || text + own > mostText)) {
			yield block(nodes, first, number);
			first = number;
			text = 0;
		}
		text += own;
	}
	if (first < records.length) yield block(nodes, first, records.length);
}

function block({ records, numbers }: OrderedNodes, first: number, end: number): ImageBlock {
	const rows = records.slice(first, end);
	const parents = rows.map(({ parentId }) => (parentId === null ? topLevel : numbers.get(parentId)!));
	const sparse = <T>(valueIn: (record: NodeRecord, row: number) => T | null): Sparse<T> | undefined => {
		const found: [number, T][] = [];
		for (const [row, record] of rows.entries()) {
			const value = valueIn(record, row);
			if (value !== null) found.push([row, value]);
		}
		return found.length === 0 ? undefined : Object.fromEntries(found);
	};
	// A member without a value isn't written.
	return {
		first,
		ids: rows.map(({ id }) => packedId(id)).join(""),
		parents: parents.map((parent, row) => parent - (row === 0 ? 0 : parents[row - 1]!)),
		priorities: rows.map(({ priority }, row) =>
			row > 0 && parents[row] === parents[row - 1] ? priority - rows[row - 1]!.priority : priority,
		),
		names: rows.map(({ name }) => name),
		created: rows.map(({ createdAt }, row) => createdAt - (row === 0 ? 0 : rows[row - 1]!.createdAt)),
		modified: sparse(({ createdAt, modifiedAt }) => (modifiedAt === createdAt ? null : modifiedAt - createdAt)),
		completed: sparse(({ createdAt, completedAt }) => (completedAt === null ? null : completedAt - createdAt)),
		notes: sparse(({ note }) => note),
		layoutModes: sparse(({ layoutMode }) => (layoutMode === "bullets" ? null : layoutMode)),
		properties: sparse(({ properties }) => properties),
		origins: sparse(({ originId }, row) => {
			if (originId === null) return null;
			const origin = numbers.get(originId);
			return origin !== undefined && origin < first + row ? origin : packedId(originId);
		}),
	} as ImageBlock;
}
