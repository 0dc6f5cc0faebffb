import type { ImportOptions, Outline, OutlineNode } from "outlinekit";
import type { Row } from "outlinekit/live";
import { codeOf } from "../text/error-code.js";
import { originIdOf } from "../workspace/node.js";
import type { Workspace } from "../workspace/workspace.js";
import type { WalkedNode } from "./copied-node.js";
import { mostUnfolded, type PutRows, rowsOf } from "./put-nodes.js";

/** A node of a file: the fields that decide whether it can come back. */
interface FileNode {
	readonly id: string;
	readonly parentId: string | null;
	readonly originId: string | null;
}

/**
 * Returns nodes as a file before they are cut: with their ids, times and shortcuts. The deletion leaves an
 * origin in the outline if it has a mirror elsewhere. In the file, that mirror has the place of the origin.
 * Returns undefined if only copies of the nodes can be pasted.
 */
export async function fileOfCut(outline: Outline, walked: readonly WalkedNode[]): Promise<string | undefined> {
	try {
		const roots = walked.filter(({ depth }) => depth === 0);
		const plans = await Promise.all(roots.map(({ node }) => outline.plan.delete(node.id, { mirrors: "promote" })));
		const promoted = new Map(plans.flatMap((plan) => plan.promoted.map(({ id, mirrorId }) => [id, mirrorId])));
		const within = new Set(walked.map(({ node }) => node.id));
		const nodes: OutlineNode[] = [];
		/** The depth of the last node that stays, with everything below it. */
		let staying = Number.POSITIVE_INFINITY;
		for (const { node, depth } of walked) {
			if (depth > staying) continue;
			staying = Number.POSITIVE_INFINITY;
			const { id, parentId, priority, mirror } = node;
			if (mirror?.mirrorIds?.every((mirrorId) => within.has(mirrorId)) ?? true) {
				nodes.push(node);
				continue;
			}
			const mirrorId = promoted.get(id);
			if (mirrorId === undefined || within.has(mirrorId)) return undefined;
			nodes.push({ ...(await outline.get(mirrorId)), parentId, priority });
			staying = depth;
		}
		const named = plans.flatMap(({ keys }) => keys);
		const keys = await Promise.all(named.map(async (key) => ({ key, nodeId: (await outline.get(key)).id })));
		let file = "";
		for await (const piece of outline.exportAs("json", { nodes, keys })) file += piece;
		return file;
	} catch {
		// Another tab may have deleted a row. The cut works without the file.
		return undefined;
	}
}

/**
 * Puts cut nodes behind a row, or at the top of the visible node. They are the same nodes: links, mirrors
 * and shortcuts lead to them again. Returns undefined, and changes nothing, if the outline has them: at a
 * second paste, and after an undo of the cut.
 *
 * @param isReplaced - whether the row goes, because it is blank
 */
export async function putCutNodes(
	workspace: Workspace,
	file: string,
	after: Row | null,
	isReplaced: boolean,
): Promise<PutRows | undefined> {
	const { outline, preferences } = workspace;
	const parent = after === null ? (workspace.root?.id ?? null) : after.node.parentId;
	const nodes = nodesIn(file);
	if (nodes === undefined || !(await canComeBack(outline, nodes, parent))) return undefined;
	const place = isReplaced ? await placeBefore(outline, after!) : placeBehind(after);
	if (isReplaced) await outline.delete(after!.node.id);
	let rootIds: readonly string[];
	try {
		({ rootIds } = await outline.import(file, { format: "json", parent, position: place, joinUndoStep: isReplaced }));
	} catch (error) {
		if (isReplaced) await outline.undo();
		// Any program can write to the clipboard.
		if (codeOf(error) === "invalid_argument") return undefined;
		throw error;
	}
	const unfolded = nodes.map(({ id }) => id).filter((id) => preferences.expanded.has(id));
	await workspace.expand(unfolded.slice(0, mostUnfolded));
	return rowsOf(workspace, after, rootIds);
}

/** The nodes of a file; undefined if it is none, or has no nodes. */
function nodesIn(file: string): FileNode[] | undefined {
	try {
		const lines = file.split("\n").filter((line) => line !== "");
		const nodes = lines.map((line) => JSON.parse(line) as FileNode).filter(({ id }) => typeof id === "string");
		return nodes.length === 0 ? undefined : nodes;
	} catch {
		return undefined;
	}
}

/**
 * Whether the outline has none of the outermost nodes, and has all origins of the mirrors. A mirror can't be
 * directly below its origin.
 */
async function canComeBack(outline: Outline, nodes: readonly FileNode[], parent: string | null): Promise<boolean> {
	const isThere = async (id: string) => (await outline.get(id).catch(() => undefined)) !== undefined;
	const within = new Set(nodes.map(({ id }) => id));
	const above = parent === null ? null : originIdOf(await outline.get(parent));
	const origins = new Set<string>();
	for (const { id, parentId, originId } of nodes) {
		if (parentId === null && ((originId !== null && originId === above) || (await isThere(id)))) return false;
		if (originId !== null && !within.has(originId)) origins.add(originId);
	}
	for (const id of origins) if (!(await isThere(id))) return false;
	return true;
}

function placeBehind(after: Row | null): ImportOptions["position"] {
	return after === null ? "top" : { after: after.node.id };
}

/** The place of a row, which is about to go. */
async function placeBefore(outline: Outline, { node }: Row): Promise<ImportOptions["position"]> {
	const { nodes } = await outline.list(node.parentId);
	const before = nodes[nodes.findIndex(({ id }) => id === node.id) - 1];
	return before === undefined ? "top" : { after: before.id };
}
