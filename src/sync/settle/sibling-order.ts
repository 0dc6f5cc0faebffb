import { firstFrom } from "../../engine/ascending.js";
import { addTo } from "../../engine/lists.js";
import { ask, Counter, type Operation, pause } from "../../engine/protocol.js";
import { placed } from "../../node.js";
import { gap } from "../../place/priority.js";
import { parentKey } from "../../reference/calendar.js";
import { parentLocator, type StoredNode } from "../../storage.js";
import type { DeltaFields, NodeDelta } from "../delta.js";
import { mostRead, placeAmong, type WantedPlace } from "./place.js";
import type { Settlement } from "./settlement.js";

/** The changed nodes that are side by side on the device, from the highest to the lowest. */
interface Line {
	readonly nodes: NodeDelta[];
	/** The indexes of the nodes that have got their places, in ascending order. */
	readonly placed: number[];
}

/** Stands for a sibling that isn't there anymore. No id is empty. */
const gone = "";

interface InLine {
	readonly line: Line;
	readonly index: number;
}

/** The order among siblings: gives the nodes of a delta their places, as far as the siblings are as on the device. */
export class SiblingOrder {
	readonly #settlement: Settlement;
	/** The ids of the nodes that have got their places. */
	readonly #placed = new Set<string>();
	/** The priorities of the nodes that have made room for others, by id. */
	readonly #displaced = new Map<string, number>();
	/** The siblings that may still be read, beyond the usual number for each node: a delta may delete very many. */
	#readable: number;
	/** The line of each node that the delta places, and its index there; undefined until first needed. */
	#lines: Map<string, InLine> | undefined;

	constructor(settlement: Settlement) {
		this.#settlement = settlement;
		this.#readable = mostRead * settlement.changed.size;
	}

	/** The priority of a node on the server before it made room for others. */
	priorityBefore(id: string): number | undefined {
		return this.#displaced.get(id);
	}

	/** Notes that a node has got its place. */
	addPlaced(id: string): void {
		if (this.#placed.has(id)) return;
		const inLine = this.#lines?.get(id);
		this.#placed.add(id);
		if (inLine === undefined) return;
		const { line, index } = inLine;
		line.placed.splice(firstFrom(line.placed, index), 0, index);
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
			addTo(families, node.record.parentId, change);
		}
		for (const [parentId, family] of families) {
			const targets = new Set(family.map(({ after }) => after!.priority));
			const of = parentLocator(parentId);
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
	 * @param keepsParent - whether it has this parent already
	 */
	*priorityFor(
		change: NodeDelta,
		parentId: string | null,
		wanted: Pick<DeltaFields, "parentId" | "priority">,
		keepsParent: boolean,
	): Operation<number> {
		const { id } = change;
		const { changes, newKeys } = this.#settlement;
		const { priority = 0 } = wanted;
		const wantedParent = wanted.parentId ?? null;
		const isThere = wantedParent === parentId || this.#settlement.standInFor(wantedParent) === parentId;
		if (this.#lines === undefined) yield* this.#findLines();
		this.addPlaced(id);
		const place = isThere
			? yield* this.#placeBeside(priority, change, parentId)
			: { priority: 0, above: null, below: null, endIfGone: undefined };
		const key = newKeys.get(id);
		return yield* placeAmong(changes, parentId, id, place, {
			keepsParent,
			key: key !== undefined && parentKey(key) !== null ? key : undefined,
			leaves: (sibling) => this.#leaves(sibling),
			mayRead: (count) => {
				this.#readable -= count;
				return this.#readable >= 0;
			},
			makeRoom: (sibling, last) => {
				this.#displaced.set(sibling.id, sibling.priority);
				changes.put(sibling, placed(sibling, sibling.parentId, last.priority + gap));
			},
		});
	}

	/** Looks up the siblings that the device had beside a node. */
	*#placeBeside(priority: number, named: NodeDelta, parentId: string | null): Operation<WantedPlace> {
		const above = yield* this.#neighbour("above", named.above, parentId);
		const below = yield* this.#neighbour("below", named.below, parentId);
		const [upper, lower] = [above === gone ? null : above, below === gone ? null : below];
		const areGone = upper == null && lower == null && (above === gone || below === gone);
		const end = above === null ? "top" : "bottom";
		return { priority, above: upper, below: lower, endIfGone: areGone ? end : undefined };
	}

	/**
	 * Returns the sibling that the device had beside a node; `null` for the beginning and the end. Siblings that the
	 * delta has yet to place don't count: those beside them do.
	 */
	*#neighbour(
		side: "above" | "below",
		named: string | null | undefined,
		parentId: string | null,
	): Operation<StoredNode | typeof gone | null | undefined> {
		if (named == null) return named;
		const at = this.#yetToPlace(named) === undefined ? named : this.#beyond(side, named);
		if (at === null || at === gone) return at;
		const node = yield* this.#settlement.nodeAt(this.#settlement.standInFor(at));
		return node?.record.parentId === parentId ? node : gone;
	}

	/** Returns the id of the next sibling beyond a node that isn't yet to place; `null` if there is none. */
	#beyond(side: "above" | "below", id: string): string | null {
		const inLine = this.#lines!.get(id);
		// A delta that isn't sound may name a sibling that names another.
		if (inLine === undefined) return gone;
		const { line, index } = inLine;
		const next = firstFrom(line.placed, index);
		const found = line.placed[side === "below" ? next : next - 1];
		if (found !== undefined) return line.nodes[found]!.id;
		const end = line.nodes.at(side === "below" ? -1 : 0)![side] ?? null;
		return end === null || this.#yetToPlace(end) === undefined ? end : gone;
	}

	*#findLines(): Operation<void> {
		const counter = new Counter();
		this.#lines = new Map();
		const next = ({ id, below }: NodeDelta): NodeDelta | undefined => {
			const change = below == null ? undefined : this.#yetToPlace(below);
			return change?.above === id ? change : undefined;
		};
		for (const first of this.#settlement.changed.values()) {
			const above = first.above == null ? undefined : this.#yetToPlace(first.above);
			if (this.#yetToPlace(first.id) === undefined || (above !== undefined && next(above) === first)) continue;
			const line: Line = { nodes: [], placed: [] };
			for (let change: NodeDelta | undefined = first; change !== undefined; change = next(change)) {
				this.#lines.set(change.id, { line, index: line.nodes.length });
				line.nodes.push(change);
				if (counter.isDue()) yield* pause();
			}
		}
	}

	/** Whether a sibling will be deleted, or get another place. */
	#leaves(id: string): boolean {
		const { going, stays, unpromoted } = this.#settlement.staying;
		if (going.has(id)) return !stays.has(id);
		return this.#yetToPlace(id) !== undefined && !unpromoted.has(id);
	}

	#yetToPlace(id: string): NodeDelta | undefined {
		const change = this.#settlement.changed.get(id);
		const { parentId, priority } = change?.after ?? {};
		const isPlaced = change?.aside || this.#placed.has(id) || (parentId === undefined && priority === undefined);
		return isPlaced ? undefined : change;
	}
}
