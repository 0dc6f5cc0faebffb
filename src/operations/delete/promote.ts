import { askAll, type Operation, stepwise } from "../../engine/protocol.js";
import { type Steps, sorted } from "../../pace.js";
import type { Placement } from "../../place/placement.js";
import { freeFrom } from "../../place/priority.js";
import { byPlace } from "../../siblings.js";
import type { KeyChange, NodeRecord, Subtree } from "../../storage.js";
import { childrenIn } from "../subtree.js";

/** The number of nodes in a step. */
const stepSize = 1000;

/** The children of each node of the subtree. */
type Children = ReadonlyMap<string, readonly NodeRecord[]>;

/** An origin that takes the place of one of its mirrors. */
export interface Promotion {
	readonly origin: NodeRecord;
	readonly mirror: NodeRecord;
}

/** The effect of a deletion that promotes origins. */
export interface Promoted {
	/** The ids of the nodes of the subtree that the deletion deletes. */
	readonly going: ReadonlySet<string>;
	readonly promotions: readonly Promotion[];
	/** The mirrors that it deletes, because their origins replace them. */
	readonly replaced: readonly NodeRecord[];
	/** The records of the moved nodes, before and after. */
	readonly moved: readonly { readonly before: NodeRecord; readonly after: NodeRecord }[];
	/** The keys of replaced mirrors, which move to their origins. */
	readonly keys: readonly KeyChange[];
}

/**
 * Promotes the origins of a subtree that a deletion deletes. If the old place of an origin stays, its mirror
 * moves there in exchange. If not, the mirror is deleted, and its origin gets its keys and the children that
 * were moved into it. The origin also gets the mirror's children if the mirror would otherwise move below itself.
 *
 * @param ancestors - the ids of the subtree's top and of its ancestors
 * @param outside - the mirrors outside of the subtree; of each origin, the first one is replaced
 */
export function* promote(
	subtree: Subtree,
	ancestors: readonly string[],
	outside: readonly NodeRecord[],
): Operation<Promoted> {
	const children = yield* stepwise(childrenIn(subtree));
	const { going, promotions } = yield* stepwise(promotionsIn(subtree, children, outside));
	const own = yield* askAll(promotions.map(({ mirror }) => ({ type: "subtree", of: { id: mirror.id } }) as const));
	const places = new Places(ancestors, children, [subtree, ...own], promotions);
	const replaced: NodeRecord[] = [];
	const keys: KeyChange[] = [];
	for (const [index, { origin, mirror }] of promotions.entries()) {
		const below = own[index]!;
		const left = places.of(origin);
		const stays = left.parentId !== null && origin.id !== ancestors[0] && !going.has(left.parentId);
		places.promote(origin, mirror);
		// If the mirror's new place is below the mirror itself, its children go to the origin.
		if (!stays || places.willBeBelow(left.parentId, mirror.id)) {
			const children = below.nodes
				.map(({ record }) => record)
				.filter(({ id, parentId }) => parentId === mirror.id && !going.has(id));
			places.hand(mirror, children, origin);
		}
		if (stays) {
			places.put(mirror, left);
			continue;
		}
		replaced.push(mirror);
		for (const before of below.keys) {
			if (before.nodeId === mirror.id) keys.push({ before, after: { ...before, nodeId: origin.id } });
		}
	}
	const gone = new Set(replaced.map(({ id }) => id));
	return { going, promotions, replaced, moved: places.moved().filter(({ after }) => !gone.has(after.id)), keys };
}

/**
 * Returns the origins to promote: from top to bottom, each that has a mirror outside of the deleted nodes.
 * All nodes below it stay with it. Mirrors among them may keep further origins.
 */
function* promotionsIn(
	subtree: Subtree,
	children: Children,
	outside: readonly NodeRecord[],
): Steps<{ going: ReadonlySet<string>; promotions: Promotion[] }> {
	const records = new Map(subtree.nodes.map(({ record }) => [record.id, record]));
	const going = new Set(records.keys());
	const first = new Map<string, NodeRecord>();
	const offer = (mirror: NodeRecord) => {
		if (!first.has(mirror.originId!)) first.set(mirror.originId!, mirror);
	};
	for (const mirror of outside) offer(mirror);
	const promotions: Promotion[] = [];
	const order = [subtree.nodes[0]!.record];
	for (const { id } of order) {
		for (const child of yield* sorted(children.get(id) ?? [], byPlace)) {
			if (order.push(child) % stepSize === 0) yield;
		}
	}
	const upcoming = order.filter(({ id }) => first.has(id));
	// Grows during the loop, by the origins of mirrors that stay.
	for (const origin of upcoming) {
		if (!going.has(origin.id)) continue;
		promotions.push({ origin, mirror: first.get(origin.id)! });
		const staying = [origin];
		for (const record of staying) {
			if (!going.delete(record.id)) continue;
			for (const child of yield* sorted(children.get(record.id) ?? [], byPlace)) {
				if (staying.push(child) % stepSize === 0) yield;
			}
			const kept = record.originId === null ? undefined : records.get(record.originId);
			if (kept === undefined) continue;
			offer(record);
			if (going.has(kept.id)) upcoming.push(kept);
		}
	}
	return { going, promotions };
}

/** The parents and priorities of the nodes of a subtree and of their mirrors, while they swap places. */
class Places {
	/** The children of each node of the subtree, as stored. */
	readonly #children: Children;
	/** The parents of nodes, as stored: in the subtree, above it, and below the mirrors. */
	readonly #parents = new Map<string, string | null>();
	/** The mirrors whose origins haven't taken their places yet, by origin. */
	readonly #awaiting: Map<string, NodeRecord>;
	readonly #moved = new Map<string, { before: NodeRecord; place: Placement }>();
	/** The moved nodes, by their new parents. */
	readonly #arrived = new Map<string | null, Set<NodeRecord>>();

	/**
	 * @param ancestors - the ids of the subtree's top and of its ancestors
	 * @param children - the children of each node of the subtree
	 * @param subtrees - the deleted subtree, then the subtrees of the mirrors
	 */
	constructor(
		ancestors: readonly string[],
		children: Children,
		subtrees: readonly Subtree[],
		promotions: readonly Promotion[],
	) {
		this.#children = children;
		for (const [level, id] of ancestors.entries()) this.#parents.set(id, ancestors[level + 1] ?? null);
		for (const { nodes } of subtrees) for (const { record } of nodes) this.#parents.set(record.id, record.parentId);
		this.#awaiting = new Map(promotions.map(({ origin, mirror }) => [origin.id, mirror]));
	}

	of(record: NodeRecord): Placement {
		return this.#moved.get(record.id)?.place ?? record;
	}

	/** Moves an origin to the place of its mirror. The mirror then moves elsewhere, or is deleted. */
	promote(origin: NodeRecord, mirror: NodeRecord): void {
		this.put(origin, this.of(mirror));
		this.#awaiting.delete(origin.id);
	}

	put(record: NodeRecord, { parentId, priority }: Placement): void {
		this.#arrived.get(this.of(record).parentId)?.delete(record);
		this.#moved.set(record.id, { before: record, place: { parentId, priority } });
		this.#arrived.set(parentId, (this.#arrived.get(parentId) ?? new Set()).add(record));
	}

	/**
	 * Whether a node is `above`, or will be below it once every origin has taken the place of its mirror. The
	 * present places are not enough: an origin above the node may still move below `above`.
	 */
	willBeBelow(id: string | null, above: string): boolean {
		for (let at: string | null | undefined = id; at; ) {
			if (at === above) return true;
			const mirror = this.#awaiting.get(at);
			const moved = this.#moved.get(mirror?.id ?? at);
			at = moved === undefined ? this.#parents.get(mirror?.id ?? at) : moved.place.parentId;
		}
		return false;
	}

	/** Moves children from one node to another: the given ones that haven't moved, and all that moved there. */
	hand(from: NodeRecord, children: readonly NodeRecord[], to: NodeRecord): void {
		const taken = new Set((this.#children.get(to.id) ?? []).map(({ priority }) => priority));
		for (const record of this.#arrived.get(to.id) ?? []) taken.add(this.of(record).priority);
		const arrived = this.#arrived.get(from.id) ?? [];
		const handed = [...children.filter(({ id }) => !this.#moved.has(id)), ...arrived];
		for (const record of handed.sort(byPlace)) {
			this.put(record, { parentId: to.id, priority: freeFrom(this.of(record).priority, taken) });
		}
	}

	moved(): { before: NodeRecord; after: NodeRecord }[] {
		return Array.from(this.#moved.values(), ({ before, place }) => ({ before, after: { ...before, ...place } }));
	}
}
