import { type LiveRows, liveRows } from "../../../src/live/index.js";
import type { Outline } from "../../../src/outline.js";

/** Rows that have read what they show. */
export async function readRows(...given: Parameters<typeof liveRows>): Promise<LiveRows> {
	const live = liveRows(...given);
	await live.ready;
	return live;
}

/** An outline with some methods of its own. */
export function around(
	outline: Outline,
	methods: Partial<Pick<Outline, "get">> & { list?: (parent?: string | null) => unknown },
) {
	return {
		get: (ref: string) => outline.get(ref),
		list: (parent?: string | null) => outline.list(parent),
		subscribe: (listener: Parameters<Outline["subscribe"]>[0]) => outline.subscribe(listener),
		...methods,
	} as Outline;
}

/** The rows as a user would write them. */
export function shown({ current }: LiveRows): string[] {
	return current.rows.map(({ node, depth, expanded, hasChildren, recurring }) => {
		const sign = recurring ? "~" : expanded ? "v" : hasChildren === undefined ? "?" : hasChildren ? ">" : "-";
		return `${"  ".repeat(depth)}${sign} ${node.name}`;
	});
}
