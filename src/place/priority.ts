import type { Call } from "../engine/call.js";
import type { Changes } from "../engine/changes.js";
import { ask, askAll, type Operation } from "../engine/protocol.js";
import { invalidArgument, OutlineError } from "../errors.js";
import { type NodeReference, nodeReference } from "../reference/reference.js";
import { byPlace } from "../siblings.js";
import type { Locator, StoredNode } from "../storage.js";

/**
 * The position of a node among its siblings: at an end, or directly before or after a sibling, which a
 * reference names. Spec §4.1, §4.6, §4.7.
 */
export type Position =
	| "top"
	| "bottom"
	| {
			/** A reference to the sibling that follows. */
			readonly before: string;
			/** Absent: the other field names the sibling. */
			readonly after?: undefined;
	  }
	| {
			/** A reference to the sibling directly above. */
			readonly after: string;
			/** Absent: the other field names the sibling. */
			readonly before?: undefined;
	  };

/** An end of the siblings. */
export type End = "top" | "bottom";

/** A position whose reference has been parsed, but not looked up. */
export type Place = End | Beside;

/** Directly before or after a sibling. */
export interface Beside {
	readonly side: "before" | "after";
	readonly sibling: NodeReference;
}

/** The distance between siblings at an end: room for twenty halvings, and for 2^32 nodes beyond the ends. */
export const gap = 2 ** 20;

/** The highest possible priority; its negative is the lowest. Sums and differences of two are exact. */
export const farthest = 2 ** 52;

/** The highest priority of a sound outline; its negative is the lowest. Beyond it is room for 2^30 nodes. */
export const farthestSound = (farthest / 4) * 3;

/**
 * Checks a new priority, and returns it.
 *
 * @throws `storage_corrupt` if it is out of range, which only damaged priorities can cause
 */
export function withinRange(priority: number): number {
	if (Math.abs(priority) <= farthest) return priority;
	throw new OutlineError("storage_corrupt", `A priority would leave the range of -2^52 to 2^52 (${priority}).`);
}

/** Returns the position given, or `top`. @throws `invalid_argument`, and the errors of a reference */
export function positionArgument(value: unknown, call: Call): Place {
	if (value === undefined) return "top";
	if (value === "top" || value === "bottom") return value;
	if (typeof value === "object" && value !== null) {
		const { before, after } = value as { before?: unknown; after?: unknown };
		const sibling = "the sibling of position";
		if (after === undefined && before !== undefined)
			return { side: "before", sibling: nodeReference(before, call, sibling) };
		if (before === undefined && after !== undefined)
			return { side: "after", sibling: nodeReference(after, call, sibling) };
	}
	throw invalidArgument("position", value, '"top", "bottom", { before: sibling } or { after: sibling }, not both');
}

/** Returns the priority for a node at an end, beyond the outermost sibling. No sibling changes. */
export function priorityAt(end: End, outermost: StoredNode | undefined): number {
	if (outermost === undefined) return 0;
	return withinRange(end === "top" ? outermost.record.priority - gap : outermost.record.priority + gap);
}

/** The most mirrors of an origin whose own children keep their order when its children are spread out. */
const mostMirrors = 256;

/** A list of children. */
type Children = { readonly of: Locator | null; readonly scope: "visible" | "own" };

/**
 * Returns the priority directly before or after a sibling. If there is no free number, it spreads out the
 * siblings around that position, as few as necessary. So an insertion costs little on average, however many
 * siblings there are.
 *
 * @param of - the parent. All children that are visible below it count
 * @param moved - the id of the node that goes there, if it is a child of the same parent
 */
export function* priorityBeside(
	changes: Changes,
	of: Locator | null,
	side: "before" | "after",
	sibling: StoredNode,
	moved: string | null = null,
): Operation<number> {
	const { id } = sibling.record;
	let lists: readonly Children[] = [{ of, scope: "visible" }];
	for (let width = 1; ; width *= 4) {
		// The first turn moves no sibling.
		if (width === 4) lists = yield* listsInOrder(of);
		const around = yield* nodesAround(lists, sibling, width);
		const siblingIndex = around.findIndex(({ record }) => record.id === id);
		const neighbour = around[side === "after" ? siblingIndex + 1 : siblingIndex - 1];
		if (neighbour !== undefined && neighbour.record.id === moved) return neighbour.record.priority;
		const spread = spreadAt(around, side === "after" ? siblingIndex + 1 : siblingIndex, width);
		if (spread === undefined) continue;
		for (const [index, node] of spread.nodes.entries()) {
			const priority = spread.priorityOf(index);
			if (node !== undefined && node.record.priority !== priority) {
				changes.moveAside(node.record, { ...node.record, priority });
			}
		}
		return spread.priorityOf(spread.nodes.indexOf(undefined));
	}
}

/** Returns the list of a node's visible children, and the own children of other mirrors that show these. */
function* listsInOrder(of: Locator | null): Operation<readonly Children[]> {
	const lists: Children[] = [{ of, scope: "visible" }];
	if (of === null) return lists;
	const [node] = yield* ask({ type: "node", at: of });
	const [origin] = node?.origin ? yield* ask({ type: "node", at: { id: node.origin.id } }) : [node];
	for (const id of origin?.mirrorIds.slice(0, mostMirrors) ?? []) {
		if (id !== node!.record.id) lists.push({ of: { id }, scope: "own" });
	}
	return lists;
}

/** Returns a sibling with its neighbours in some lists: at least `width` on each side, or all. */
function* nodesAround(lists: readonly Children[], sibling: StoredNode, width: number): Operation<StoredNode[]> {
	const at = sibling.record.priority;
	// The sibling itself counts too, and from each list a node of the same priority. A mirror's own child and a
	// child of its origin may share one.
	const limit = width + 1 + lists.length;
	const answers: readonly (readonly StoredNode[])[] = yield* askAll(
		lists.flatMap(
			(list) =>
				[
					{ type: "children", ...list, before: at + 1, limit, fromLast: true },
					{ type: "children", ...list, after: at, limit },
				] as const,
		),
	);
	const merged = (which: number) => {
		const nodes = answers.filter((_, index) => index % 2 === which).flat();
		return lists.length === 1 ? nodes : nodes.sort((left, right) => byPlace(left.record, right.record));
	};
	return [...merged(0).slice(-limit), ...merged(1).slice(0, limit)];
}

/** Siblings at equal distances. */
interface Spread {
	/** The siblings in their order, with undefined for the new node. */
	readonly nodes: readonly (StoredNode | undefined)[];
	/** Returns the new priority of the sibling at an index of `nodes`. */
	priorityOf(index: number): number;
}

/**
 * Spreads out the siblings around the index of a new node: up to `width` on each side. Returns undefined if
 * there is no room for them.
 */
function spreadAt(around: readonly StoredNode[], index: number, width: number): Spread | undefined {
	const earlier = around.slice(Math.max(0, index - width), index);
	const later = around.slice(index, index + width);
	// The outermost sibling of a full side stays and bounds the room. A side that isn't full has no bound.
	const from = earlier.length === width ? earlier.shift()!.record.priority : undefined;
	const until = later.length === width ? later.pop()!.record.priority : undefined;
	const steps = earlier.length + later.length + 2;
	const start = from ?? (until === undefined ? -gap : until - gap * steps);
	const step = ((until ?? start + gap * steps) - start) / steps;
	// A wide stretch gets larger distances than a narrow one. The narrow ones within it would soon be full
	// otherwise.
	const leastStep = width === 1 ? 1 : 2 * width;
	if (step < leastStep && (from !== undefined || until !== undefined)) return undefined;
	return {
		nodes: [...earlier, undefined, ...later],
		priorityOf: (index) => withinRange(start + Math.floor(step * (index + 1))),
	};
}

/** Returns the first free priority from the given one on, and adds it to `taken`. */
export function freeFrom(priority: number, taken: Set<number>): number {
	let free = priority;
	while (taken.has(free)) free += 1;
	taken.add(free);
	return free;
}
