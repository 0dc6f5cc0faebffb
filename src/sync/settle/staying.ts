import { ask, breathe, Counter, type Operation } from "../../engine/protocol.js";
import type { NodeRecord, StoredNode } from "../../storage.js";
import type { DeltaFields, NodeDelta } from "../delta.js";
import type { GivenParents } from "./parents.js";

/** The fields whose change keeps a node that another device deletes. */
const seenFields = ["name", "note", "properties"] as const;

/** What becomes of the deletions of a delta. */
export interface Staying {
	/** The nodes that the delta deletes and that exist, by id. */
	readonly going: ReadonlyMap<string, StoredNode>;
	/** The ids of those that stay. */
	readonly stays: ReadonlySet<string>;
	/** The ids of the mirrors that are not detached, because their origins stay. */
	readonly attached: ReadonlySet<string>;
	/**
	 * The ids of the nodes that are not promoted, because something below what would go stays, and of the nodes that
	 * the promotion would move out of a mirror.
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
	/** The promoted origins with their mirrors, and the mirrors that are to be detached with their origins. */
	readonly #promoted: { readonly origin: NodeDelta; readonly mirror: string }[] = [];
	readonly #detached: { readonly mirror: string; readonly origin: string }[] = [];
	/** The nodes that the deletion has copied below detached mirrors. Found when first needed. */
	#copied: readonly { readonly mirror: string; readonly copied: string }[] | undefined;
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
		for (const [id, { record }] of this.going) {
			if (record.parentId !== null && this.going.has(record.parentId)) continue;
			const [subtree] = yield* ask({ type: "subtree", of: { id } });
			if (yield* this.#isMovedAway(record)) for (const node of subtree.nodes) this.#keepLine(node.record.id);
			for (const node of subtree.nodes) {
				if (this.#counter.breathes) yield* breathe();
				this.#look(node);
			}
		}
		this.#keepCoupled();
	}

	/** Finds the promotions and detachments, which are done only with their deletions. */
	#findCoupled(): void {
		for (const change of this.#changed.values()) {
			const { id, before, after } = change;
			if (before?.parentId != null && after?.parentId !== undefined) {
				const moved = this.#movedFrom.get(before.parentId) ?? [];
				if (moved.push(change) === 1) this.#movedFrom.set(before.parentId, moved);
			}
			if (before?.originId == null) continue;
			if (after === null) {
				const origin = this.#changed.get(before.originId);
				if (origin?.after?.parentId !== undefined && origin.after.parentId === before.parentId) {
					this.#promoted.push({ origin, mirror: id });
				}
			} else if (after.originId === null && this.going.has(before.originId)) {
				this.#detached.push({ mirror: id, origin: before.originId });
			}
		}
	}

	/** Whether others have moved a node to a parent that doesn't go. It may also be there because its parent was gone. */
	*#isMovedAway({ id, parentId }: NodeRecord): Operation<boolean> {
		const seen = this.#changed.get(id)!.before!.parentId;
		return seen !== parentId && !(yield* this.#givenParents.includes(id, parentId, seen));
	}

	#look({ record, mirrorIds }: StoredNode): void {
		const { id, parentId } = record;
		const change = this.#changed.get(id);
		const goes = this.going.has(id);
		// The deleter has copied it below a mirror of what it was below then.
		const parent = goes ? change!.before!.parentId : parentId;
		if (parent != null) {
			const siblings = this.#children.get(parent) ?? [];
			if (siblings.push(id) === 1) this.#children.set(parent, siblings);
		}
		if (!goes) {
			// What the delta moves away may yet go there.
			if (this.#isWritten || change?.after?.parentId === undefined) this.#keepLine(parentId);
			return;
		}
		if (
			isEdited(record, change!.before!) ||
			this.#isUnseenCopy(record, change!.before!) ||
			mirrorIds.some((mirror) => this.#isUnseenMirror(mirror))
		) {
			this.#keepLine(id);
		}
	}

	/**
	 * Whether others have detached a mirror, which has the content alone then. The deleter thought that the origin
	 * stays, unless it deletes that too.
	 */
	#isUnseenCopy({ originId }: NodeRecord, before: DeltaFields): boolean {
		return originId === null && before.originId != null && this.#changed.get(before.originId)?.after !== null;
	}

	#isUnseenMirror(id: string): boolean {
		if (this.going.has(id)) return false;
		return this.#isWritten || this.#changed.get(id)?.after?.originId !== null;
	}

	/** Keeps a node and what goes above it. */
	#keepLine(id: string | null): void {
		for (let at = id; at !== null && !this.stays.has(at); ) {
			const node = this.going.get(at);
			if (node === undefined) return;
			this.stays.add(at);
			at = node.record.parentId;
		}
	}

	/** Keeps what belongs to what stays: the origins of mirrors, and all that was to be detached or promoted. */
	#keepCoupled(): void {
		for (let size = -1; size !== this.stays.size + this.unpromoted.size; ) {
			size = this.stays.size + this.unpromoted.size;
			for (const id of [...this.stays]) this.#keepLine(this.going.get(id)!.record.originId);
			for (const { mirror, origin } of this.#detached) {
				if (!this.stays.has(origin) || this.#isWritten) continue;
				this.attached.add(mirror);
				this.#keepBelow(origin);
			}
			if (this.attached.size > 0) this.#keepCopied();
			for (const { origin, mirror } of this.#promoted) {
				const { parentId } = origin.rest ?? {};
				const line = origin.before?.parentId ?? parentId ?? null;
				if (!this.stays.has(mirror) && !this.#isTopStaying(line)) continue;
				this.unpromoted.add(origin.id);
				for (const { id, after } of this.#movedFrom.get(mirror) ?? []) {
					if (after!.parentId === origin.id) this.unpromoted.add(id);
				}
				this.#keepLine(mirror);
				this.#keepLine(line);
			}
		}
	}

	/**
	 * Keeps what has copies below a mirror that isn't detached, because these aren't made. It needn't be below the origin:
	 * a mirror there shows what is elsewhere.
	 */
	#keepCopied(): void {
		this.#copied ??= [...this.#changed.values()].flatMap(({ id, copyOf }) => {
			const mirror = copyOf === undefined ? undefined : detachedAbove(this.#changed, id);
			return mirror === undefined ? [] : [{ mirror: mirror.id, copied: copyOf! }];
		});
		for (const { mirror, copied } of this.#copied) if (this.attached.has(mirror)) this.#keepLine(copied);
	}

	#keepBelow(id: string): void {
		const below = new Set([id]);
		// Grows during the loop.
		for (const each of below) {
			this.#keepLine(each);
			for (const child of this.#children.get(each) ?? []) below.add(child);
		}
	}

	/** Whether the uppermost deleted node above a place stays. */
	#isTopStaying(id: string | null): boolean {
		for (let at = id; at !== null; at = this.going.get(at)!.record.parentId) {
			if (!this.going.has(at)) return false;
			if (this.stays.has(at)) return true;
		}
		return false;
	}
}

function isEdited(record: NodeRecord, before: DeltaFields): boolean {
	return seenFields.some((field) => (before[field] ?? null) !== record[field]);
}

/** The change of the detached mirror that a copy is below. */
export function detachedAbove(changed: ReadonlyMap<string, NodeDelta>, copy: string): NodeDelta | undefined {
	let change = changed.get(copy);
	for (let level = changed.size; level > 0 && change?.copyOf !== undefined; level--) {
		change = change.after?.parentId == null ? undefined : changed.get(change.after.parentId);
	}
	return change?.before?.originId == null || change.after?.originId !== null ? undefined : change;
}
