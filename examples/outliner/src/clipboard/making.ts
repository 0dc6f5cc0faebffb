import type { BatchOperation, BatchResult, OutlineNode, OutlineTree, TreeInput } from "outlinekit";
import { mirrorOperations, type Place } from "../workspace/destination.js";
import type { CopiedNode } from "./copied-node.js";

/** A node created from a copied one. */
export interface MadeNode {
	readonly id: string;
	readonly copied: CopiedNode;
	readonly hasChildren: boolean;
}

/** The operations that create copied nodes, and a function that finds these nodes in the results. */
export interface Making {
	readonly operations: readonly BatchOperation[];
	readonly made: (result: BatchResult) => MadeNode[];
}

type OpenTree = { -readonly [F in keyof TreeInput]: TreeInput[F] } & { children: OpenTree[] };

/**
 * The operations that create copied nodes in a place: mirrors as mirrors, and subtrees without mirrors as
 * trees.
 */
export function makingOf(copied: readonly CopiedNode[], place: Place): Making {
	const parents = parentsOf(copied);
	const holdsMirror = new Set<number>();
	for (let index = copied.length - 1; index >= 0; index--) {
		if (copied[index]!.originId !== null || holdsMirror.has(index)) holdsMirror.add(parents[index]!);
	}
	const operations: BatchOperation[] = [];
	let root: Place = place;
	for (let index = 0; index < copied.length; ) {
		const node = copied[index]!;
		const as = `${index}`;
		const parent = parents[index]!;
		const below: Place = { parent: { as: `${parent}` }, position: "bottom" };
		// A new node below a mirror would go to its origin: it is created elsewhere and moved into the mirror.
		const isMirrors = parent >= 0 && copied[parent]!.originId !== null;
		const at: Place = parent < 0 ? root : isMirrors ? { parent: null, position: "top" } : below;
		if (parent < 0) root = { parent: place.parent, position: { after: { as } } };
		if (node.originId !== null) {
			operations.push(...mirrorOperations(node.originId, as, at));
			index += 1;
		} else if (holdsMirror.has(index)) {
			const { name, note, layoutMode, properties } = node;
			operations.push({ type: "create", as, name, note, layoutMode, properties, format: "html", ...at });
			if (node.completed) operations.push({ type: "complete", ref: { as } });
			index += 1;
		} else {
			const end = endOf(copied, index);
			operations.push({ type: "createTree", as, ...treeOf(copied.slice(index, end)), ...at });
			index = end;
		}
		if (isMirrors) operations.push({ type: "move", ref: { as }, ...below });
	}
	return { operations, made: (result) => madeNodes(copied, operations, result) };
}

/** Creates copied nodes without mirrors as new nodes. */
export function withoutMirrors(copied: readonly CopiedNode[]): CopiedNode[] {
	return copied.map((node) => ({ ...node, originId: null }));
}

/** The index of the node above each; -1 for the outermost. */
function parentsOf(copied: readonly CopiedNode[]): number[] {
	const line: number[] = [];
	return copied.map(({ depth }, index) => {
		line.length = depth;
		line[depth] = index;
		return line[depth - 1] ?? -1;
	});
}

function endOf(copied: readonly CopiedNode[], index: number): number {
	let end = index + 1;
	while (end < copied.length && copied[end]!.depth > copied[index]!.depth) end++;
	return end;
}

function treeOf(copied: readonly CopiedNode[]): TreeInput {
	const line: OpenTree[] = [];
	for (const { depth, name, note, layoutMode, completed, properties } of copied) {
		const tree: OpenTree = { name, note, layoutMode, completed, properties, format: "html", children: [] };
		line.length = depth - copied[0]!.depth;
		line.at(-1)?.children.push(tree);
		line.push(tree);
	}
	return line[0]!;
}

function madeNodes(
	copied: readonly CopiedNode[],
	operations: readonly BatchOperation[],
	{ results }: BatchResult,
): MadeNode[] {
	const made: MadeNode[] = [];
	const add = (node: OutlineNode) => {
		const index = made.length;
		const hasChildren = (copied[index + 1]?.depth ?? 0) > copied[index]!.depth;
		made.push({ id: node.id, copied: copied[index]!, hasChildren });
	};
	for (const [place, operation] of operations.entries()) {
		if (!("as" in operation) || !/^\d+$/.test(operation.as ?? "")) continue;
		const stack = [results[place] as OutlineTree];
		for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
			add(node);
			for (const child of (node.children ?? []).toReversed()) stack.push(child);
		}
	}
	return made;
}
