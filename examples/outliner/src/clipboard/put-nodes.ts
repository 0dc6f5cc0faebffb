import type { BatchOperation } from "outlinekit";
import type { Row } from "outlinekit/live";
import { codeOf } from "../text/error-code.js";
import { keyBelow } from "../workspace/rows.js";
import { endOf } from "../workspace/selection.js";
import type { Workspace } from "../workspace/workspace.js";
import type { CopiedNode } from "./copied-node.js";
import { type MadeNode, makingOf, withoutMirrors } from "./making.js";

/** The most nodes that are unfolded at once: the children of each are read. */
export const mostUnfolded = 500;

/** The rows of the created nodes. */
export interface PutRows {
	/** The key of the first and of the last of the outermost. */
	readonly first: string;
	readonly last: string;
	/** The key of the last row of all. */
	readonly end: string;
}

/**
 * Creates copied nodes behind a row, or at the top of the visible node, in one step.
 *
 * @param removed - operations of the same step, that come last
 */
export async function putNodes(
	workspace: Workspace,
	copied: readonly CopiedNode[],
	after: Row | null,
	removed: readonly BatchOperation[] = [],
): Promise<PutRows> {
	const { outline } = workspace;
	const parent = after === null ? (workspace.root?.id ?? null) : after.node.parentId;
	const position = after === null ? ("top" as const) : { after: after.node.id };
	const put = async (nodes: readonly CopiedNode[]) => {
		const making = makingOf(nodes, { parent, position });
		return making.made(await outline.batch([...making.operations, ...removed]));
	};
	const nodes = await withKnownOrigins(workspace, copied);
	const made = await put(nodes).catch((error) => {
		// A mirror can't be directly below its origin. A copy can.
		if (codeOf(error) === "would_create_cycle") return put(withoutMirrors(nodes));
		throw error;
	});
	await unfold(workspace, made);
	const outermost = made.filter(({ copied: { depth } }) => depth === 0);
	return rowsOf(
		workspace,
		after,
		outermost.map(({ id }) => id),
	);
}

/** Returns the rows of nodes that have come behind a row. `ids` are the ids of the outermost ones. */
export function rowsOf(workspace: Workspace, after: Row | null, ids: readonly string[]): PutRows {
	const above = after?.parentKey == null ? null : (workspace.row(after.parentKey) ?? null);
	const first = keyBelow(workspace, above, ids[0]!);
	const last = keyBelow(workspace, above, ids.at(-1)!);
	const { rows } = workspace.rows.current;
	const row = workspace.row(last);
	return { first, last, end: row === undefined ? last : rows[endOf(rows, row) - 1]!.key };
}

/** Unfolds created nodes as the originals of their copies are. */
async function unfold(workspace: Workspace, made: readonly MadeNode[]): Promise<void> {
	const unfolded = made.filter(({ copied: { expanded }, hasChildren }) => expanded && hasChildren);
	await workspace.expand(unfolded.slice(0, mostUnfolded).map(({ id }) => id));
}

/** Mirrors of what isn't there any more, or of another outline, become copies. */
async function withKnownOrigins({ outline }: Workspace, copied: readonly CopiedNode[]): Promise<CopiedNode[]> {
	const known = new Set<string>();
	for (const id of new Set(copied.map(({ originId }) => originId))) {
		const node = id === null ? null : await outline.get(id).catch(() => null);
		if (node !== null) known.add(node.id);
	}
	return copied.map((node) =>
		node.originId === null || known.has(node.originId) ? node : { ...node, originId: null },
	);
}
