import type { Changes } from "./change.js";
import { OutlineError, quoted } from "./errors.js";
import { ask, type Reading } from "./operation.js";
import type { StoredNode } from "./storage.js";

/** Where a node goes among its siblings. Spec §4.1, §4.6, §4.7. */
export type Position = "top" | "bottom";

/** The distance between neighbours at the ends: room for twenty halvings, and for 2^33 nodes beyond either end. */
export const gap = 2 ** 20;

/** The position given, or the default `top`. @throws `invalid_argument` */
export function positionArgument(value: unknown): Position {
	if (value === undefined) return "top";
	if (value === "top" || value === "bottom") return value;
	throw new OutlineError("invalid_argument", `position is ${quoted(value)}. It must be "top" or "bottom".`);
}

/** The priority at an end, beyond the node that stands there now. No sibling is rewritten. */
export function priorityAt(position: Position, end: StoredNode | undefined): number {
	if (end === undefined) return 0;
	return safe(position === "top" ? end.record.priority - gap : end.record.priority + gap);
}

/**
 * The priority directly after (or before) a sibling. Where the gap is used up, the siblings around the spot are spread out,
 * as few as are needed, so that the cost of an insertion stays small on average however many siblings there are.
 */
export function* priorityBeside(
	changes: Changes,
	parentId: string | null,
	side: "before" | "after",
	sibling: StoredNode,
): Reading<number> {
	const of = parentId === null ? null : { id: parentId };
	const at = sibling.record.priority;
	for (let width = 1; ; width *= 4) {
		const [lower, upper] = yield* ask(
			{ type: "children", of, scope: "own", before: side === "after" ? at + 1 : at, limit: width, fromLast: true },
			{ type: "children", of, scope: "own", after: side === "after" ? at : at - 1, limit: width },
		);
		// The outermost of a full side stay where they are and bound the room; a side that isn't full is open-ended.
		const floor = lower.length === width ? lower[0] : undefined;
		const ceiling = upper.length === width ? upper.at(-1) : undefined;
		const below = floor === undefined ? lower : lower.slice(1);
		const above = ceiling === undefined ? upper : upper.slice(0, -1);
		const places = below.length + above.length + 1;
		const start =
			floor?.record.priority ?? (ceiling === undefined ? -gap : ceiling.record.priority - gap * (places + 1));
		const end = ceiling?.record.priority ?? start + gap * (places + 1);
		const step = (end - start) / (places + 1);
		// A wide stretch must come out looser than a narrow one, else the narrow ones within it would soon be full again.
		const looseness = width === 1 ? 1 : 2 * width;
		if (step < looseness && (floor !== undefined || ceiling !== undefined)) continue;
		const priority = (place: number) => safe(start + Math.floor(step * (place + 1)));
		[...below, undefined, ...above].forEach((node, place) => {
			if (node !== undefined && node.record.priority !== priority(place)) {
				changes.put(node.record, { ...node.record, priority: priority(place) });
			}
		});
		return priority(below.length);
	}
}

function safe(priority: number): number {
	if (Number.isSafeInteger(priority)) return priority;
	throw new OutlineError("storage_corrupt", `A priority would leave the range of exact integers (${priority}).`);
}
