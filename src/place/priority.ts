import type { Call } from "../engine/call.js";
import type { Changes } from "../engine/changes.js";
import { ask, type Operation } from "../engine/protocol.js";
import { OutlineError, quoted } from "../errors.js";
import { type NodeReference, nodeReference } from "../reference/reference.js";
import type { Locator, StoredNode } from "../storage.js";

/**
 * Where a node goes among its siblings (spec §4.1, §4.6, §4.7): at an end, or directly before or after one of them, which is
 * named by a reference.
 */
export type Position =
	| "top"
	| "bottom"
	| {
			/** A reference to the sibling that is to follow. */
			readonly before: string;
	  }
	| {
			/** A reference to the sibling that is to stand above. */
			readonly after: string;
	  };

/** An end of the siblings. */
export type End = "top" | "bottom";

/** A position, read but not looked up. */
export type Place = End | Beside;

/** Directly before or after a sibling. */
export interface Beside {
	readonly side: "before" | "after";
	readonly sibling: NodeReference;
}

/** The distance between neighbours at the ends: room for twenty halvings, and for 2^32 nodes beyond either end. */
export const gap = 2 ** 20;

/** The priorities that a node may have go from minus this to this: they, and what is worked out from two of them, are exact. */
export const farthest = 2 ** 52;

/** The priorities that a sound outline has go from minus this to this, which leaves room for 2^30 nodes beyond. */
export const farthestSound = (farthest / 4) * 3;

/**
 * A priority that is about to be given.
 *
 * @throws `storage_corrupt` if it has left the range, since it can't get there by itself
 */
export function withinRange(priority: number): number {
	if (Math.abs(priority) <= farthest) return priority;
	throw new OutlineError("storage_corrupt", `A priority would leave the range of -2^52 to 2^52 (${priority}).`);
}

/** The position given, or the default `top`. @throws `invalid_argument`, and what a reference throws */
export function positionArgument(value: unknown, call: Call): Place {
	if (value === undefined) return "top";
	if (value === "top" || value === "bottom") return value;
	if (typeof value === "object" && value !== null) {
		const { before, after } = value as { before?: unknown; after?: unknown };
		if (after === undefined && before !== undefined) return { side: "before", sibling: nodeReference(before, call) };
		if (before === undefined && after !== undefined) return { side: "after", sibling: nodeReference(after, call) };
	}
	throw new OutlineError(
		"invalid_argument",
		`position is ${quoted(value)}. It must be "top", "bottom", { before: sibling } or { after: sibling }.`,
	);
}

/** The priority at an end, beyond the node that stands there now. No sibling is rewritten. */
export function priorityAt(end: End, outermost: StoredNode | undefined): number {
	if (outermost === undefined) return 0;
	return withinRange(end === "top" ? outermost.record.priority - gap : outermost.record.priority + gap);
}

/**
 * The priority directly after (or before) one of the children that are visible under a parent. Where the gap is used up, the
 * siblings around the spot are spread out, as few as are needed, so that the cost of an insertion stays small on average
 * however many siblings there are.
 *
 * @param moved - the id of the node that is to stand there, if it is a child of the same parent already
 */
export function* priorityBeside(
	changes: Changes,
	of: Locator | null,
	side: "before" | "after",
	sibling: StoredNode,
	moved: string | null = null,
): Operation<number> {
	const { id, priority: at } = sibling.record;
	for (let width = 1; ; width *= 4) {
		// Two more than are looked at: the sibling itself, and one of the same priority, as a child of a mirror and one of its
		// origin may have it.
		const limit = width + 2;
		const [lower, upper] = yield* ask(
			{ type: "children", of, scope: "visible", before: at + 1, limit, fromLast: true },
			{ type: "children", of, scope: "visible", after: at, limit },
		);
		const around = [...lower, ...upper];
		const place = around.findIndex(({ record }) => record.id === id);
		const next = around[side === "after" ? place + 1 : place - 1];
		if (next !== undefined && next.record.id === moved) return next.record.priority;
		const spot = side === "after" ? place + 1 : place;
		const below = around.slice(Math.max(0, spot - width), spot);
		const above = around.slice(spot, spot + width);
		// The outermost of a full side stay where they are and bound the room; a side that isn't full is open-ended.
		const floor = below.length === width ? below.shift() : undefined;
		const ceiling = above.length === width ? above.pop() : undefined;
		const places = below.length + above.length + 1;
		const start =
			floor?.record.priority ?? (ceiling === undefined ? -gap : ceiling.record.priority - gap * (places + 1));
		const end = ceiling?.record.priority ?? start + gap * (places + 1);
		const step = (end - start) / (places + 1);
		// A wide stretch must come out looser than a narrow one, else the narrow ones within it would soon be full again.
		const looseness = width === 1 ? 1 : 2 * width;
		if (step < looseness && (floor !== undefined || ceiling !== undefined)) continue;
		const priority = (place: number) => withinRange(start + Math.floor(step * (place + 1)));
		[...below, undefined, ...above].forEach((node, place) => {
			if (node !== undefined && node.record.priority !== priority(place)) {
				changes.moveAside(node.record, { ...node.record, priority: priority(place) });
			}
		});
		return priority(below.length);
	}
}

/** The first priority from one on that isn't taken; it is taken then. */
export function freeFrom(priority: number, taken: Set<number>): number {
	let free = priority;
	while (taken.has(free)) free += 1;
	taken.add(free);
	return free;
}
