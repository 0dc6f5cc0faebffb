import type { Operation } from "../../engine/protocol.js";
import type { NodeRecord } from "../../storage.js";
import type { DeltaFields, NodeDelta } from "../delta.js";
import { parentFor } from "./parents.js";
import { highest } from "./place.js";
import type { Settlement } from "./settlement.js";
import { SiblingOrder } from "./sibling-order.js";

/** The parent and the priority of a node. */
export type Place = Pick<NodeRecord, "parentId" | "priority">;

/** Gives the nodes of a delta their places. */
export class Places {
	readonly settlement: Settlement;
	/** The highest priority below a new parent, by its id; infinity if it isn't known. */
	readonly #lastBelow = new Map<string, number>();
	#siblingsOnce: SiblingOrder | undefined;

	constructor(settlement: Settlement) {
		this.settlement = settlement;
	}

	/** The order among siblings. Few deltas change it. */
	get siblings(): SiblingOrder {
		this.#siblingsOnce ??= new SiblingOrder(this.settlement);
		return this.#siblingsOnce;
	}

	/**
	 * Returns the place for a node below one that the delta has just created, where no other device can have put
	 * anything; undefined if it takes the general way.
	 */
	belowCreated(id: string, { parentId, priority = 0 }: DeltaFields): Place | undefined {
		if (parentId == null || !this.settlement.created.has(parentId)) return undefined;
		const last = this.#lastBelow.get(parentId) ?? -highest - 1;
		if (priority <= last || priority > highest) return undefined;
		this.#lastBelow.set(parentId, priority);
		this.siblings.addPlaced(id);
		return { parentId, priority };
	}

	/**
	 * Finds the place for a node.
	 *
	 * @param wanted - the place that the device gave it
	 * @param shownId - the id of the node whose content it shows
	 * @param current - the parent that it has; undefined for a new node
	 */
	*find(change: NodeDelta, wanted: Place, shownId: string, current: string | null | undefined): Operation<Place> {
		const parentId = yield* parentFor(this.settlement, wanted.parentId, change.id, shownId);
		const priority = yield* this.siblings.priorityFor(change, parentId, wanted, parentId === current);
		if (parentId !== null) this.#lastBelow.set(parentId, Number.POSITIVE_INFINITY);
		return { parentId, priority };
	}
}
