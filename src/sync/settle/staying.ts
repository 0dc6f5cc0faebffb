import { addTo } from "../../engine/lists.js";
import { ask, Counter, type Operation, pause } from "../../engine/protocol.js";
import type { NodeRecord, StoredNode } from "../../storage.js";
import type { DeltaFields, NodeDelta } from "../delta.js";
import { detachedMirrors } from "./detached-mirrors.js";
import type { GivenParents } from "./given-parents.js";

/** The fields whose change keeps a node that another device deletes. */
const seenFields = ["name", "note", "properties"] as const;

/** The deletions of a delta, with the nodes that stay in spite of them. */
export interface Staying {
	/** The nodes that the delta deletes and that exist, by id. */
	readonly going: ReadonlyMap<string, StoredNode>;
	/** The ids of those that stay. */
	readonly stays: ReadonlySet<string>;
	/** The ids of the mirrors that are not detached, because their origins stay. */
	readonly attached: ReadonlySet<string>;
	/**
	 * The ids of the origins that aren't promoted, because their mirror or the uppermost deleted node above them
	 * stays; and of the nodes that the promotion would move from that mirror to the origin.
	 */
	readonly unpromoted: ReadonlySet<string>;
}

/** The result for a delta that deletes nothing, as most do. */
export const nothingGoes: Staying = { going: new Map(), stays: new Set(), attached: new Set(), unpromoted: new Set() };

/**
 * Finds the nodes that stay although a delta deletes them: each that changed in a way that the deleter had not
 * seen, and each above such a node. A change is an edit, a mirror, a move to elsewhere, or a node that came
 * below.
 *
 * @param changed - the changes of the delta, by id
 * @param isWritten - whether the other changes of the delta have been made already. If not, nodes that it moves
 * away don't count
 */
export function* findStaying(
	changed: ReadonlyMap<string, NodeDelta>,
	isWritten: boolean,
	givenParents: GivenParents,
): Operation<Staying> {
	const search = new Search(changed, isWritten, givenParents);
	yield* search.run();
	return search;
}

/** An origin that takes the place of a deleted mirror. */
interface Promotion {
	readonly origin: NodeDelta;
	readonly mirror: string;
}

class Search implements Staying {
	readonly going = new Map<string, StoredNode>();
	readonly stays = new Set<string>();
	readonly attached = new Set<string>();
	readonly unpromoted = new Set<string>();
	readonly #changed: ReadonlyMap<string, NodeDelta>;
	readonly #isWritten: boolean;
	readonly #givenParents: GivenParents;
	/**
	 * The nodes below deleted nodes, by the parent that the deleter saw. Of a node that the deletion doesn't delete, by
	 * the current parent.
	 */
	readonly #children = new Map<string, string[]>();
	/** The promoted origins with their mirrors. */
	readonly #promoted: Promotion[] = [];
	/** The mirrors that are to be detached, by their origins. */
	readonly #detached = new Map<string, string[]>();
	/** The nodes from which {@link #keepBelow} has begun, and all that it has found below them. */
	readonly #below = new Set<string>();
	/** The changes that move nodes away, by the former parent. */
	readonly #movedFrom = new Map<string, NodeDelta[]>();
	readonly #counter = new Counter();

	constructor(changed: ReadonlyMap<string, NodeDelta>, isWritten: boolean, givenParents: GivenParents) {
		this.#changed = changed;
		this.#isWritten = isWritten;
		this.#givenParents = givenParents;
	}

	*run(): Operation<void> {
		for (const { id, after } of this.#changed.values()) {
			if (after !== null) continue;
			const [node] = yield* ask({ type: "node", at: { id } });
			if (node !== null) this.going.set(id, node);
		}
		if (this.going.size === 0) return;
		this.#findCoupled();
		const seen = new Set<string>();
		for (const [id, { record }] of this.going) {
			if (record.parentId !== null && this.going.has(record.parentId)) continue;
			const isMovedAway = yield* this.#isMovedAway(record);
			// In a deep tree, every second node may go. Then one subtree has the next ones.
			if (seen.has(id) && !isMovedAway) continue;
			const [subtree] = yield* ask({ type: "subtree", of: { id } });
			for (const node of subtree.nodes) {
				if (this.#counter.isDue()) yield* pause();
				if (isMovedAway) this.#keepWithAncestors(node.record.id);
				if (!seen.has(node.record.id)) this.#look(node);
				seen.add(node.record.id);
			}
		}
		yield* this.#keepCoupled();
	}

	/** Finds the promotions and detachments, which are done only with their deletions. */
	#findCoupled(): void {
		for (const change of this.#changed.values()) {
			const { id, before, after } = change;
			if (before?.parentId != null && after?.parentId !== undefined) {
				addTo(this.#movedFrom, before.parentId, change);
			}
			if (before?.originId == null) continue;
			if (after === null) {
				const origin = this.#changed.get(before.originId);
				if (origin?.after?.parentId !== undefined && origin.after.parentId === before.parentId) {
					this.#promoted.push({ origin, mirror: id });
				}
			} else if (after.originId === null && this.going.has(before.originId)) {
				addTo(this.#detached, before.originId, id);
			}
		}
	}

	/** Whether other devices have moved a node to a parent that doesn't go. It may also be there because its parent was gone. */
	*#isMovedAway(record: NodeRecord): Operation<boolean> {
		const seen = this.#changed.get(record.id)!.before!.parentId;
		return seen !== record.parentId && !(yield* this.#givenParents.includes(record, seen));
	}

	#look({ record, mirrorIds }: StoredNode): void {
		const { id, parentId } = record;
		const change = this.#changed.get(id);
		const goes = this.going.has(id);
		// The deleter has copied it below a mirror of what it was below then.
		const parent = goes ? change!.before!.parentId : parentId;
		if (parent != null) {
			addTo(this.#children, parent, id);
		}
		if (!goes) {
			// A node that the delta moves away may yet go there.
			if (this.#isWritten || change?.after?.parentId === undefined) this.#keepWithAncestors(parentId);
			return;
		}
		if (
			isEdited(record, change!.before!) ||
			this.#wasDetached(record, change!.before!) ||
			mirrorIds.some((mirror) => this.#isUnseenMirror(mirror))
		) {
			this.#keepWithAncestors(id);
		}
	}

	/**
	 * Whether other devices have detached a mirror, which has the content alone then. The deleter thought that the
	 * origin stays, unless it deletes that too.
	 */
	#wasDetached({ originId }: NodeRecord, before: DeltaFields): boolean {
		return originId === null && before.originId != null && this.#changed.get(before.originId)?.after !== null;
	}

	#isUnseenMirror(id: string): boolean {
		if (this.going.has(id)) return false;
		return this.#isWritten || this.#changed.get(id)?.after?.originId !== null;
	}

	/** Keeps a node and what goes above it. */
	#keepWithAncestors(id: string | null): void {
		for (let at = id; at !== null && !this.stays.has(at); ) {
			const node = this.going.get(at);
			if (node === undefined) return;
			this.stays.add(at);
			at = node.record.parentId;
		}
	}

	/** Keeps what belongs to what stays: the origins of mirrors, and all that was to be detached or promoted. */
	*#keepCoupled(): Operation<void> {
		if (this.stays.size === 0) return;
		const copied = yield* this.#copiedBelow();
		const promotions = yield* this.#promotionsBy();
		// Grows during the loop.
		for (const id of this.stays) {
			if (this.#counter.isDue()) yield* pause();
			this.#keepWithAncestors(this.going.get(id)!.record.originId);
			const mirrors = this.#isWritten ? undefined : this.#detached.get(id);
			if (mirrors !== undefined) yield* this.#keepBelow(id);
			for (const mirror of mirrors ?? []) {
				if (this.#counter.isDue()) yield* pause();
				this.attached.add(mirror);
				for (const each of copied.get(mirror) ?? []) this.#keepWithAncestors(each);
			}
			for (const promotion of promotions.get(id) ?? []) {
				if (this.#counter.isDue()) yield* pause();
				this.#giveUp(promotion);
			}
		}
	}

	/**
	 * Returns the nodes with copies below a mirror that is to be detached, by the mirror. They stay if it isn't detached,
	 * because the copies aren't made then. They needn't be below the origin: a mirror there shows nodes of another place.
	 */
	*#copiedBelow(): Operation<ReadonlyMap<string, readonly string[]>> {
		const copied = new Map<string, string[]>();
		if (this.#isWritten || this.#detached.size === 0) return copied;
		for (const [id, mirror] of yield* detachedMirrors(this.#changed)) {
			if (this.#counter.isDue()) yield* pause();
			addTo(copied, mirror.id, this.#changed.get(id)!.copyOf!);
		}
		return copied;
	}

	/**
	 * Returns the promotions by the nodes that prevent them if they stay: the mirror, and the uppermost deleted node above
	 * the origin.
	 */
	*#promotionsBy(): Operation<ReadonlyMap<string, readonly Promotion[]>> {
		const promotions = new Map<string, Promotion[]>();
		/** The uppermost deleted nodes above others. */
		const tops = new Map<string, string>();
		for (const promotion of this.#promoted) {
			if (this.#counter.isDue()) yield* pause();
			addTo(promotions, promotion.mirror, promotion);
			const above: string[] = [];
			let at = formerParentOf(promotion);
			while (at !== null && this.going.has(at) && !tops.has(at)) {
				if (this.#counter.isDue()) yield* pause();
				above.push(at);
				at = this.going.get(at)!.record.parentId;
			}
			const top = (at === null ? undefined : tops.get(at)) ?? above.at(-1);
			if (top === undefined) continue;
			for (const each of above) tops.set(each, top);
			addTo(promotions, top, promotion);
		}
		return promotions;
	}

	/** Leaves a promotion undone. */
	#giveUp(promotion: Promotion): void {
		const { origin, mirror } = promotion;
		this.unpromoted.add(origin.id);
		for (const { id, after } of this.#movedFrom.get(mirror) ?? []) {
			if (after!.parentId === origin.id) this.unpromoted.add(id);
		}
		this.#keepWithAncestors(mirror);
		this.#keepWithAncestors(formerParentOf(promotion));
	}

	*#keepBelow(id: string): Operation<void> {
		const below = [id];
		for (let each = below.pop(); each !== undefined; each = below.pop()) {
			if (this.#counter.isDue()) yield* pause();
			if (this.#below.has(each)) continue;
			this.#below.add(each);
			this.#keepWithAncestors(each);
			for (const child of this.#children.get(each) ?? []) below.push(child);
		}
	}
}

/** The node below which the origin of a promotion was. */
function formerParentOf({ origin: { before, rest } }: Promotion): string | null {
	return before?.parentId ?? rest?.parentId ?? null;
}

function isEdited(record: NodeRecord, before: DeltaFields): boolean {
	return seenFields.some((field) => (before[field] ?? null) !== record[field]);
}
