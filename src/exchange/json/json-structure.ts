import { addTo } from "../../engine/lists.js";
import { shortIdOf } from "../../id.js";
import { type Steps, sorted } from "../../pace.js";
import type { Key, NodeRecord } from "../../storage.js";
import { malformed } from "../lines.js";

/** The value of a line, with the line's number. */
export interface Numbered<T> {
	readonly line: number;
	readonly value: T;
}

/** The number of nodes processed in a step. */
const nodesInStep = 1024;

/**
 * Checks that nodes and keys are a valid outline, and returns the nodes in reading order. Ids, short ids and
 * keys must be unique, and the priorities of siblings too. Every parent and every key's node must exist, and
 * parents must form no circle. Mirrors must be where `mirror` and `move` could put them.
 *
 * @throws `invalid_argument` with the line
 */
export function* outlineOf(
	nodes: readonly Numbered<NodeRecord>[],
	keys: readonly Numbered<Key>[],
): Steps<readonly NodeRecord[]> {
	const byId = yield* identified(nodes);
	for (const [index, node] of nodes.entries()) {
		if (index % nodesInStep === nodesInStep - 1) yield;
		const { parentId } = node.value;
		if (parentId !== null && !byId.has(parentId))
			throw malformed(node.line, `The parent ${parentId} is not in the file.`);
		assertMirror(node, byId);
	}
	yield* assertKeys(keys, byId);
	return yield* inReadingOrder(nodes);
}

type ById = ReadonlyMap<string, Numbered<NodeRecord>>;

function* identified(nodes: readonly Numbered<NodeRecord>[]): Steps<ById> {
	const byId = new Map<string, Numbered<NodeRecord>>();
	const byShortId = new Map<string, number>();
	for (const [index, node] of nodes.entries()) {
		if (index % nodesInStep === nodesInStep - 1) yield;
		const { id } = node.value;
		const known = byShortId.get(shortIdOf(id));
		if (known !== undefined)
			throw malformed(node.line, `The id ${id}, or its short id, is taken by the node in line ${known}.`);
		byShortId.set(shortIdOf(id), node.line);
		byId.set(id, node);
	}
	return byId;
}

function assertMirror({ line, value }: Numbered<NodeRecord>, byId: ById): void {
	const { originId, parentId } = value;
	const parent = parentId === null ? undefined : byId.get(parentId);
	if (parent !== undefined && shownId(parent.value) === shownId(value)) {
		throw malformed(line, `The node shows the same origin (${shownId(value)}) as its parent.`);
	}
	if (originId !== null && (byId.get(originId)?.value.originId ?? null) !== null) {
		throw malformed(line, `The origin ${originId} is a mirror itself. A mirror must name the true origin.`);
	}
}

/** Returns the id of the node whose content a node shows. */
function shownId({ id, originId }: NodeRecord): string {
	return originId ?? id;
}

function* assertKeys(keys: readonly Numbered<Key>[], byId: ById): Steps<void> {
	const known = new Set<string>();
	for (const [index, { line, value }] of keys.entries()) {
		if (index % nodesInStep === nodesInStep - 1) yield;
		if (known.has(value.key))
			throw malformed(line, `The key ${JSON.stringify(value.key)} has been in the file before.`);
		known.add(value.key);
		if (!byId.has(value.nodeId)) throw malformed(line, `The node ${value.nodeId} of the key is not in the file.`);
	}
}

function* inReadingOrder(nodes: readonly Numbered<NodeRecord>[]): Steps<NodeRecord[]> {
	const children = new Map<string | null, Numbered<NodeRecord>[]>();
	for (const [index, node] of nodes.entries()) {
		if (index % nodesInStep === nodesInStep - 1) yield;
		addTo(children, node.value.parentId, node);
	}
	let count = 0;
	for (const [parentId, given] of children) {
		// In reverse, because the stack returns the last one first.
		const siblings = yield* sorted(
			given,
			(left, right) => right.value.priority - left.value.priority || left.line - right.line,
		);
		children.set(parentId, siblings);
		for (const [index, { line, value }] of siblings.entries()) {
			if (++count % nodesInStep === 0) yield;
			const other = siblings[index - 1];
			if (other?.value.priority !== value.priority) continue;
			throw malformed(line, `The node in line ${other.line} has the same parent and the same priority.`);
		}
	}
	const ordered: NodeRecord[] = [];
	const reached = new Set<string>();
	const stack = [...(children.get(null) ?? [])];
	for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
		if (ordered.length % nodesInStep === nodesInStep - 1) yield;
		ordered.push(next.value);
		reached.add(next.value.id);
		for (const child of children.get(next.value.id) ?? []) stack.push(child);
	}
	if (ordered.length === nodes.length) return ordered;
	const circular = nodes.find(({ value }) => !reached.has(value.id))!;
	throw malformed(circular.line, "The node is below itself: its parents form a circle.");
}
