import { askAll, type Operation, stepwise } from "../../engine/protocol.js";
import type { Steps } from "../../pace.js";
import { sorted } from "../../pace.js";
import { freeFrom } from "../../place/priority.js";
import { byPlace } from "../../siblings.js";
import type { KeyChange, NodeRecord, Subtree } from "../../storage.js";
import { childrenIn } from "../subtree.js";

/** How many nodes a step goes through. */
const stepSize = 1000;

/** The children of each node that is to be deleted. */
type Children = ReadonlyMap<string, readonly NodeRecord[]>;

/** An origin that takes the place of one of its mirrors. */
export interface Promotion {
	readonly origin: NodeRecord;
	readonly mirror: NodeRecord;
}

/** What a deletion comes to where origins are promoted. */
export interface Promoted {
	/** The ids of the nodes of the subtree that go all the same. */
	readonly going: ReadonlySet<string>;
	readonly promotions: readonly Promotion[];
	/** The mirrors that make room for their origins for good. */
	readonly replaced: readonly NodeRecord[];
	/** The nodes that stand elsewhere now, with what they were. */
	readonly moved: readonly { readonly before: NodeRecord; readonly after: NodeRecord }[];
	/** The keys of replaced mirrors, which go over to their origins. */
	readonly keys: readonly KeyChange[];
}

/**
 * Promotes the origins of a subtree that is to be deleted. Where an origin leaves a place that stays, its mirror goes there
 * in exchange; else the origin gets what its mirror had of its own, the children that were moved into it and its keys. It gets
 * the children too where the place in exchange has come to be below them.
 *
 * @param lineage - the ids of the subtree's top and of its ancestors
 * @param outside - the mirrors outside of the subtree, the one to be replaced first coming first
 */
export function* promote(
	subtree: Subtree,
	lineage: readonly string[],
	outside: readonly NodeRecord[],
): Operation<Promoted> {
	const children = yield* stepwise(childrenIn(subtree));
	const { going, promotions } = yield* stepwise(promotionsIn(subtree, children, outside));
	const own = yield* askAll(promotions.map(({ mirror }) => ({ type: "subtree", of: { id: mirror.id } }) as const));
	const places = new Places(lineage, children, [subtree, ...own], promotions);
	const replaced: NodeRecord[] = [];
	const keys: KeyChange[] = [];
	for (const [index, { origin, mirror }] of promotions.entries()) {
		const below = own[index]!;
		const left = places.of(origin);
		const stays = left.parentId !== null && origin.id !== lineage[0] && !going.has(left.parentId);
		places.promote(origin, mirror);
		// A mirror that goes to a place below itself goes there without what has brought it about.
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
 * Which origins are promoted: from top to bottom, each that has a mirror outside of what goes. Whatever stands below one
 * stays with it, and mirrors among that may keep further origins.
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
	// Grows while it is walked: by the origins of mirrors that stay.
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

/** Where a node stands. */
type Place = Pick<NodeRecord, "parentId" | "priority">;

/** Where the nodes of a subtree and their mirrors stand while they change places. */
class Places {
	/** The children that nodes of the subtree had at first. */
	readonly #children: Children;
	/** The parents that nodes had at first: those of the subtree and above it, and those that stand below the mirrors. */
	readonly #parents = new Map<string, string | null>();
	/** The mirrors whose places are still to be taken, by their origins. */
	readonly #awaiting: Map<string, NodeRecord>;
	readonly #moved = new Map<string, { before: NodeRecord; place: Place }>();
	/** Those that have moved, by the parents that they stand under now. */
	readonly #arrived = new Map<string | null, Set<NodeRecord>>();

	/**
	 * @param children - of each node of the subtree that is to be deleted
	 * @param subtrees - that one first, then those of the mirrors
	 */
	constructor(
		lineage: readonly string[],
		children: Children,
		subtrees: readonly Subtree[],
		promotions: readonly Promotion[],
	) {
		this.#children = children;
		for (const [level, id] of lineage.entries()) this.#parents.set(id, lineage[level + 1] ?? null);
		for (const { nodes } of subtrees) for (const { record } of nodes) this.#parents.set(record.id, record.parentId);
		this.#awaiting = new Map(promotions.map(({ origin, mirror }) => [origin.id, mirror]));
	}

	of(record: NodeRecord): Place {
		return this.#moved.get(record.id)?.place ?? record;
	}

	/** Has an origin take the place of its mirror, which is elsewhere from then on, or gone. */
	promote(origin: NodeRecord, mirror: NodeRecord): void {
		this.put(origin, this.of(mirror));
		this.#awaiting.delete(origin.id);
	}

	put(record: NodeRecord, { parentId, priority }: Place): void {
		this.#arrived.get(this.of(record).parentId)?.delete(record);
		this.#moved.set(record.id, { before: record, place: { parentId, priority } });
		this.#arrived.set(parentId, (this.#arrived.get(parentId) ?? new Set()).add(record));
	}

	/**
	 * Whether a node is another one, or will stand below it once every origin has taken the place of its mirror. What is true
	 * now isn't enough: an origin above the node may yet take a place below the other.
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

	/** Hands the children of one node, those that haven't moved being given, over to another. */
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
