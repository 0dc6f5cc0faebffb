import { ask, type Operation } from "../../engine/protocol.js";
import { placed } from "../../node.js";
import { gap } from "../../place/priority.js";
import { parentKey } from "../../reference/calendar.js";
import type { StoredNode } from "../../storage.js";
import type { DeltaFields, NodeDelta } from "../delta.js";
import { placeAmong } from "./place.js";
import type { Settlement } from "./settlement.js";
import type { Staying } from "./staying.js";

/** The order among siblings: gives the nodes of a delta their places, as far as the siblings are as on the device. */
export class Siblings {
	readonly #settlement: Settlement;
	readonly #staying: Staying;
	/** The ids of the nodes that have got their places. */
	readonly #placed = new Set<string>();
	/** The priorities of the nodes that have made room for others, by id. */
	readonly #displaced = new Map<string, number>();
	/** By the id of a node that is yet to place: the next sibling beyond it that isn't. */
	readonly #beyond = { above: new Map<string, string>(), below: new Map<string, string>() } as const;

	constructor(settlement: Settlement, staying: Staying) {
		this.#settlement = settlement;
		this.#staying = staying;
	}

	/** The priority of a node on the server before it made room for others. */
	priorityBefore(id: string): number | undefined {
		return this.#displaced.get(id);
	}

	/**
	 * Makes the room that the device has made, if no other device has changed the siblings there. If not, each
	 * node that needs room makes it.
	 */
	*moveAside(): Operation<void> {
		const { changes, changed } = this.#settlement;
		const families = new Map<string | null, NodeDelta[]>();
		for (const change of changed.values()) {
			if (!change.aside || change.before?.priority === undefined || change.after?.priority === undefined) continue;
			const node = yield* this.#settlement.nodeAt(change.id);
			if (node?.record.priority !== change.before.priority) return;
			const family = families.get(node.record.parentId);
			if (family === undefined) families.set(node.record.parentId, [change]);
			else family.push(change);
		}
		for (const [parentId, family] of families) {
			const targets = new Set(family.map(({ after }) => after!.priority));
			const of = parentId === null ? null : { id: parentId };
			let [from, to] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
			for (const { before, after } of family) {
				from = Math.min(from, before!.priority!, after!.priority!);
				to = Math.max(to, before!.priority!, after!.priority!);
			}
			const [there] = yield* ask({ type: "children", of, scope: "own", after: from - 1, before: to + 1 });
			const isOwn = ({ record: { id, priority } }: StoredNode) =>
				changed.get(id)?.aside || (this.#leaves(id) && !targets.has(priority));
			if (targets.size < family.length || !there.every(isOwn)) continue;
			for (const { id, after } of family) {
				const { record } = (yield* this.#settlement.nodeAt(id))!;
				changes.moveAside(record, placed(record, parentId, after!.priority!));
			}
		}
	}

	/**
	 * Finds the priority for a node.
	 *
	 * @param parentId - its parent
	 * @param wanted - the place that the device gave it
	 * @param moves - whether it has this parent already
	 */
	*priorityFor(
		{ id, above, below }: NodeDelta,
		parentId: string | null,
		wanted: Pick<DeltaFields, "parentId" | "priority">,
		moves: boolean,
	): Operation<number> {
		const { changes, newKeys } = this.#settlement;
		const { priority = 0 } = wanted;
		const wantedParent = wanted.parentId ?? null;
		const isThere = wantedParent === parentId || this.#settlement.standInFor(wantedParent) === parentId;
		this.#placed.add(id);
		const place = isThere
			? {
					priority,
					above: yield* this.#neighbour("above", above, parentId),
					below: yield* this.#neighbour("below", below, parentId),
				}
			: { priority: 0, above: null, below: null };
		const key = newKeys.get(id);
		return yield* placeAmong(changes, parentId, id, place, {
			moves,
			key: key !== undefined && parentKey(key) !== null ? key : undefined,
			leaves: (sibling) => this.#leaves(sibling),
			makeRoom: (sibling, last) => {
				this.#displaced.set(sibling.id, sibling.priority);
				changes.put(sibling, placed(sibling, sibling.parentId, last.priority + gap));
			},
		});
	}

	/**
	 * Returns the sibling that the device had beside a node; `null` if it isn't there. Siblings that the delta has
	 * yet to place don't count: those beside them do.
	 */
	*#neighbour(
		side: "above" | "below",
		named: string | null | undefined,
		parentId: string | null,
	): Operation<StoredNode | null | undefined> {
		if (named == null) return named;
		const beyond = this.#beyond[side];
		const passed: string[] = [];
		let at: string | null = named;
		for (let change = this.#yetToPlace(at); change !== undefined; change = this.#yetToPlace(at)) {
			passed.push(at);
			const next: string | null = beyond.get(at) ?? change[side] ?? null;
			if (next === null || passed.length > this.#settlement.changed.size) {
				at = null;
				break;
			}
			at = next;
		}
		if (at !== null) for (const id of passed) beyond.set(id, at);
		const node = at === null ? null : yield* this.#settlement.nodeAt(this.#settlement.standInFor(at));
		return node?.record.parentId === parentId ? node : null;
	}

	/** Whether a sibling will be deleted, or get another place. */
	#leaves(id: string): boolean {
		if (this.#staying.going.has(id)) return !this.#staying.stays.has(id);
		return this.#yetToPlace(id) !== undefined && !this.#staying.unpromoted.has(id);
	}

	#yetToPlace(id: string): NodeDelta | undefined {
		const change = this.#settlement.changed.get(id);
		const { parentId, priority } = change?.after ?? {};
		const isPlaced = change?.aside || this.#placed.has(id) || (parentId === undefined && priority === undefined);
		return isPlaced ? undefined : change;
	}
}
