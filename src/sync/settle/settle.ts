import type { Changes } from "../../engine/changes.js";
import { ask, type Operation, pause, stepwise } from "../../engine/protocol.js";
import { newRecord, placed } from "../../node.js";
import { calendarName, parentKey } from "../../reference/calendar.js";
import { groupOf } from "../../reference/key-group.js";
import { type NodeRecord, type StoredNode, shortcutGroup } from "../../storage.js";
import type { ConflictNote, Delta, DeltaFields, KeyDelta, NodeDelta } from "../delta.js";
import { conflictsWith, editedFields, type Merged, mergedContent } from "./content.js";
import { inOrder } from "./order.js";
import { isCyclic, parentFor } from "./parents.js";
import { highest } from "./place.js";
import { namedIdsOf, Settlement, type SettleOptions } from "./settlement.js";
import { SiblingOrder } from "./sibling-order.js";
import { detachedMirrors, findStaying, nothingGoes, type Staying } from "./staying.js";

/** The content that a conflict shows of a node that is gone. */
const goneContent = { name: "", note: null, properties: null };

/** A changed node's fields whose edit brings a deleted node back. */
const returningFields = ["name", "note", "properties"] as const;

/** The most rounds in which changes wait for others. Nodes that change places need few. */
const mostRounds = 16;

/** The number of changes from which the nodes that exist are looked up together. */
const lookUpTogether = 2;

/**
 * Settles a delta on the outline as it is: the changes of one commit on a device, which has not seen the
 * later changes of other devices. Whatever the delta holds, the result is a sound outline. It takes no clock, no
 * zone and no random number, so the server and each device come to the same result. Only the limits of the host
 * can make a difference, until the device has the server's answer.
 *
 * Run it by `Uncommitted.run`, with its changes.
 *
 * @param delta - its fields must be valid; its structure is not trusted
 */
export function* settle(changes: Changes, delta: Delta, options: SettleOptions): Operation<ConflictNote[]> {
	const settlement = new Settlement(changes, delta, options);
	yield* new Settler(settlement).run();
	yield* options.givenParents.add(settlement.conflicts);
	return settlement.conflicts;
}

class Settler {
	readonly #settlement: Settlement;
	readonly #changes: Changes;
	/** The changes of nodes by id. */
	readonly #changed: ReadonlyMap<string, NodeDelta>;
	#staying = nothingGoes;
	/** The ids of the delta's nodes that the outline had before. A delta of one node needs none. */
	#former: ReadonlySet<string> = new Set();
	/** The changes of nodes that become mirrors when all other changes and the deletions are done. */
	readonly #late: NodeDelta[] = [];
	/** The highest priority below a new parent, by its id; infinity if it isn't known. */
	readonly #lastBelow = new Map<string, number>();
	#siblingsOnce: SiblingOrder | undefined;

	constructor(settlement: Settlement) {
		this.#settlement = settlement;
		this.#changes = settlement.changes;
		this.#changed = settlement.changed;
	}

	*run(): Operation<void> {
		if (this.#changed.size >= lookUpTogether) {
			const [found] = yield* ask({ type: "related", ids: yield* namedIdsOf(this.#changed.values()) });
			this.#former = new Set(found.map(({ record }) => record.id));
		}
		const { deletes, movesAside } = this.#settlement;
		if (deletes) this.#staying = yield* findStaying(this.#changed, false, this.#settlement.givenParents);
		this.#reportKeptDeletions(this.#staying);
		yield* this.#replaceCopies();
		if (movesAside) yield* this.#siblings.moveAside();
		yield* this.#writeAll(yield* stepwise(inOrder(this.#changed)));
		if (deletes) yield* this.#remove();
		for (const change of this.#late) {
			yield* pause();
			yield* this.#makeMirror(change);
		}
		for (const key of this.#settlement.delta.keys ?? []) {
			yield* pause();
			yield* this.#settleKey(key);
		}
		for (const { id, others = [] } of this.#changed.values()) {
			if (others.length === 0) continue;
			const nodeId = this.#settlement.standInFor(id);
			// A text that gave way stays in its conflict after its node is deleted, because the deleter may not have seen it.
			const record = (yield* this.#settlement.nodeAt(nodeId))?.record ?? goneContent;
			for (const other of others) {
				yield* pause();
				this.#reportTexts(nodeId, conflictsWith(record, other));
			}
		}
	}

	/** The order among siblings. Few deltas change it. */
	get #siblings(): SiblingOrder {
		this.#siblingsOnce ??= new SiblingOrder(this.#settlement, this.#staying);
		return this.#siblingsOnce;
	}

	/** Adds a conflict for the uppermost node of each deletion that isn't done in full. */
	#reportKeptDeletions({ going, stays }: Staying): void {
		for (const id of stays) {
			const { parentId } = going.get(id)!.record;
			if (parentId === null || !stays.has(parentId)) this.#settlement.addConflict("deletion", id, id, null);
		}
	}

	/**
	 * Chooses an existing node for each copy that need not be made. The first case that holds counts:
	 *
	 * 1. The mirror isn't detached, because its origin stays: the copied node.
	 * 2. The copied node isn't deleted, and the mirror is gone or plain already: the mirror.
	 * 3. The copied node was to be deleted and stays, or it isn't deleted and the copy's parent isn't made: the
	 *    copied node.
	 *
	 * All other copies are made, also those of nodes that the same commit created.
	 */
	*#replaceCopies(): Operation<void> {
		const { attached, going, stays } = this.#staying;
		const mirrors = yield* detachedMirrors(this.#changed);
		for (const { id, copyOf, after } of mirrors.size === 0 ? [] : this.#changed.values()) {
			const mirror = mirrors.get(id);
			if (mirror === undefined || copyOf === undefined || after === null) continue;
			if (this.#changed.get(copyOf)?.before == null) continue;
			if (attached.has(mirror.id)) this.#settlement.standIns.set(id, copyOf);
			else if (!going.has(copyOf) || stays.has(copyOf)) {
				const node = yield* this.#settlement.nodeAt(mirror.id);
				if (node === null || node.record.originId === null) this.#settlement.standIns.set(id, mirror.id);
				else if (stays.has(copyOf) || this.#settlement.standIns.has(after.parentId ?? ""))
					this.#settlement.standIns.set(id, copyOf);
			}
		}
	}

	/**
	 * Writes changes. One that has no place yet waits for the others: two nodes may change places, for example. If
	 * all wait for each other, other devices have changed the places meanwhile, and each gets the best one.
	 */
	*#writeAll(changes: readonly NodeDelta[]): Operation<void> {
		let left = changes;
		for (let round = 0; left.length > 1 && round < mostRounds; round++) {
			const waiting: NodeDelta[] = [];
			for (const change of left) {
				yield* pause();
				if (this.#createBelowNew(change)) continue;
				if (yield* this.#mustWait(change)) waiting.push(change);
				else yield* this.#write(change);
			}
			const isStuck = waiting.length === left.length;
			left = waiting;
			if (isStuck) break;
		}
		for (const change of left) {
			yield* pause();
			yield* this.#write(change);
		}
	}

	/** Whether a node can't go to its parent before other changes of the delta. */
	*#mustWait({ id, before, after }: NodeDelta): Operation<boolean> {
		const { parentId, originId } = after!;
		if (parentId == null || this.#settlement.standIns.has(id)) return false;
		const parent = this.#settlement.standInFor(parentId);
		if (before === null && originId == null)
			return this.#changed.get(parent)?.after != null && !(yield* this.#settlement.exists(parent));
		if (!(yield* this.#settlement.exists(parent))) return this.#changed.get(parent)?.after != null;
		const node = yield* this.#settlement.nodeAt(id);
		const shownId = node?.record.originId ?? originId ?? id;
		return yield* isCyclic(this.#settlement, parent, node === null ? null : id, shownId);
	}

	*#write(given: NodeDelta): Operation<void> {
		const isPlaced = !given.aside && !this.#staying.unpromoted.has(given.id);
		const change = isPlaced ? given : withoutPlace(given);
		const { id, before, after } = change as NodeDelta & { readonly after: DeltaFields };
		if (!isPlaced && Object.keys(after).length === 0) return;
		const standIn = this.#settlement.standIns.get(id);
		if (standIn !== undefined) return yield* this.#writeToStandIn(change, standIn);
		const node = yield* this.#settlement.nodeAt(id);
		if ((node === null) === (before === null) && (yield* this.#isLate(node, after))) {
			yield* node === null
				? this.#create(id, { ...after, originId: null }, change)
				: this.#edit(node, { ...change, after: placeOf(after) });
			this.#late.push(withoutPlace(change));
		} else if (before === null) yield* node === null ? this.#create(id, after, change) : this.#join(node, after, id);
		else if (node !== null) yield* this.#edit(node, change);
		else if (this.#staying.attached.has(id)) yield* this.#bringMirrorBack(change);
		else yield* this.#bringBack(change);
	}

	/**
	 * Whether a node is to become a mirror, and can't do so yet: its origin is still to come, because one of them is above
	 * the other. Or it was detached, and the delta has yet to delete copies that are mirrors of it.
	 */
	*#isLate(node: StoredNode | null, { originId }: DeltaFields): Operation<boolean> {
		if (originId == null) return false;
		const { going, stays } = this.#staying;
		if (node?.mirrorIds.some((id) => going.has(id) && !stays.has(id))) return true;
		const origin = this.#settlement.standInFor(originId);
		return this.#changed.get(origin)?.after != null && !(yield* this.#settlement.exists(origin));
	}

	*#makeMirror(change: NodeDelta): Operation<void> {
		const { id, before, after } = change;
		const node = yield* this.#settlement.nodeAt(id);
		if (node === null) return;
		if (before !== null) return yield* this.#edit(node, change);
		const { originId } = yield* this.#changeOrigin(node, after!.originId!, node.record);
		if (originId === null) this.#settlement.addConflict("returned", id, id, null);
	}

	/** A copy that isn't made: an edit of it goes to the copied node. */
	*#writeToStandIn({ id, copyOf, after }: NodeDelta, standIn: string): Operation<void> {
		const source = this.#changed.get(copyOf!)?.before;
		if (source == null) return;
		const edited = editedFields(source, after!);
		if (Object.keys(edited.after).length === 0) return;
		const node = yield* this.#settlement.nodeAt(standIn);
		if (node !== null && standIn === copyOf) return yield* this.#writeContent(node, edited.before, edited.after);
		// Another device has made the copy, and this one has edited its own.
		this.#settlement.standIns.delete(id);
		yield* this.#create(id, after!, this.#changed.get(id)!);
	}

	/**
	 * Creates a node below one that the delta has just created, where no other device can have put anything. Returns
	 * whether it did so. Most nodes of a large delta are such, and this takes a fraction of the time of the general way.
	 */
	#createBelowNew({ id, before, after }: NodeDelta): boolean {
		const { created, newKeys, standIns } = this.#settlement;
		if (before !== null || after?.parentId == null || !created.has(after.parentId)) return false;
		if (this.#former.has(id) || newKeys.has(id) || standIns.has(id) || after.originId != null) return false;
		const { parentId, priority = 0 } = after;
		const last = this.#lastBelow.get(parentId) ?? -highest - 1;
		if (priority <= last || priority > highest) return false;
		this.#lastBelow.set(parentId, priority);
		this.#siblings.addPlaced(id);
		this.#put(id, after, parentId, priority, null);
		return true;
	}

	*#create(id: string, fields: DeltaFields, change: NodeDelta): Operation<void> {
		const key = this.#settlement.newKeys.get(id);
		if (key !== undefined) {
			const [held] = yield* ask({ type: "node", at: { key } });
			if (held !== null) {
				this.#settlement.standIns.set(id, held.record.id);
				return yield* this.#join(held, fields, id);
			}
		}
		const origin = yield* this.#originOf(fields.originId ?? null, id);
		const originId = origin?.record.id ?? null;
		const parentId = yield* parentFor(this.#settlement, fields.parentId ?? null, id, originId ?? id);
		const priority = yield* this.#siblings.priorityFor(change, parentId, fields, false);
		if (parentId !== null) this.#lastBelow.set(parentId, Number.POSITIVE_INFINITY);
		this.#put(id, fields, parentId, priority, originId);
		if (origin !== null) this.#changes.touch(origin.record);
		else if (fields.originId != null) this.#settlement.addConflict("returned", id, id, null);
	}

	/** Adds the record of a new node. */
	#put(id: string, fields: DeltaFields, parentId: string | null, priority: number, originId: string | null): void {
		const { at } = this.#settlement.delta;
		const wanted = { ...fields, id, parentId, priority, name: fields.name ?? "", originId };
		this.#changes.put(null, newRecord({ modifiedAt: fields.createdAt ?? at, ...wanted }, at));
		this.#settlement.created.add(id);
	}

	/** The true origin that a new mirror names; `null` if it is gone. */
	*#originOf(originId: string | null, id: string): Operation<StoredNode | null> {
		if (originId === null) return null;
		const node = yield* this.#settlement.nodeAt(this.#settlement.standInFor(originId));
		if (node === null || node.record.originId === null) return node?.record.id === id ? null : node;
		const origin = node.origin === null ? null : yield* this.#settlement.nodeAt(node.origin.id);
		return origin?.record.id === id ? null : origin;
	}

	/** A new node that is there already: made by both, as days are, or sent twice. */
	*#join(node: StoredNode, fields: DeltaFields, id: string): Operation<void> {
		if (this.#settlement.created.has(node.record.id)) return;
		// A mirror has no content of its own, only a copy for the case that its origin is gone.
		if (fields.originId != null) return;
		// Two imported files may have a node with one id, and only one of them as a mirror. The content of the
		// other would be hidden in the mirror, so it goes to the origin.
		const shown = node.origin === null ? node : yield* this.#settlement.nodeAt(node.origin.id);
		if (shown === null) return;
		const { name, modifiedAt, createdAt, parentId, priority, originId, ...content } = fields;
		const isEdited = modifiedAt !== undefined && modifiedAt !== createdAt;
		const key = this.#settlement.newKeys.get(id);
		// Each device names the inbox and its days by itself. A name counts only if a user has changed it.
		const hasName = name !== undefined && (isEdited || key === undefined || isNamedOtherwise(key, name));
		const { layoutMode, ...texts } = content;
		yield* this.#writeContent(shown, {}, { ...texts, ...(hasName && { name }), ...(isEdited && { modifiedAt }) });
	}

	/** Brings a deleted node back, if the change of it is one that its deleter would have wanted to see. */
	*#bringBack(change: NodeDelta): Operation<void> {
		const before = change.before!;
		const after = change.after!;
		const isEdited = returningFields.some((field) => after[field] !== undefined && after[field] !== before[field]);
		// A detached mirror has the content of its origin, which this delta deletes.
		const isDetached = before.originId != null && after.originId === null && this.#staying.going.has(before.originId);
		if (isEdited || isDetached || (yield* this.#isMoved(after))) yield* this.#createAgain(change, after);
	}

	/** Brings a deleted mirror back that isn't detached, because its origin stays. An edit of it goes to the origin. */
	*#bringMirrorBack(change: NodeDelta): Operation<void> {
		const after = change.after!;
		const originId = change.before!.originId!;
		yield* this.#editOrigin(originId, after);
		if (yield* this.#isMoved(after)) yield* this.#createAgain(change, { ...after, originId });
	}

	/** Whether a change moves a node to a parent that exists, or to a day or an inbox, which is made again if need be. */
	*#isMoved({ parentId }: DeltaFields): Operation<boolean> {
		if (parentId === undefined) return false;
		if (parentId === null) return true;
		const parent = this.#settlement.standInFor(parentId);
		return (yield* this.#settlement.exists(parent)) || this.#settlement.keyOf(parent) !== undefined;
	}

	*#createAgain(change: NodeDelta, fields: DeltaFields): Operation<void> {
		const { id, rest = {} } = change;
		yield* this.#create(id, { parentId: null, priority: 0, ...rest, ...fields }, change);
		yield* this.#settlement.takeKey(id);
		this.#settlement.addConflict("returned", id, id, null);
	}

	*#edit(node: StoredNode, change: NodeDelta): Operation<void> {
		const { id, before, rest = {} } = change as NodeDelta & { readonly before: DeltaFields };
		const { parentId, priority, originId, ...content } = change.after!;
		if (this.#staying.attached.has(id)) {
			yield* this.#editOrigin(node.record.originId, content);
		} else if (originId !== undefined) {
			const changed = yield* this.#changeOrigin(node, originId, { ...rest, ...before });
			if (changed.originId === originId)
				yield* this.#writeContent((yield* this.#settlement.nodeAt(id))!, before, content);
		} else {
			// A mirror shows its origin's content. Its own is only for the case that the origin is gone. Here it may be a
			// mirror still, although an earlier entry has detached it.
			const isMirror = rest.originId == null && node.origin !== null;
			const shown = isMirror ? yield* this.#settlement.nodeAt(node.origin.id) : node;
			if (shown !== null) yield* this.#writeContent(shown, before, content);
		}
		if (parentId === undefined && priority === undefined) return;
		let current = (yield* this.#settlement.nodeAt(id))!.record;
		const formerParent = before.parentId === undefined ? rest.parentId : before.parentId;
		// Another device has moved it elsewhere, and this one only gave it another place among its former siblings.
		if (parentId === undefined && formerParent !== undefined && current.parentId !== formerParent) return;
		const wanted = parentId === undefined ? current.parentId : this.#settlement.standInFor(parentId);
		const shownId = current.originId ?? id;
		if (wanted !== current.parentId && wanted !== null && (yield* isCyclic(this.#settlement, wanted, id, shownId))) {
			this.#settlement.addConflict("move", id, current.parentId, wanted);
			return;
		}
		const to = yield* parentFor(this.#settlement, wanted, id, shownId);
		const place = { parentId: wanted, priority: priority ?? this.#siblings.priorityBefore(id) ?? current.priority };
		const at = yield* this.#siblings.priorityFor(change, to, place, to === current.parentId);
		if (to !== null) this.#lastBelow.set(to, Number.POSITIVE_INFINITY);
		current = (yield* this.#settlement.nodeAt(id))!.record;
		if (to !== current.parentId || at !== current.priority) this.#changes.put(current, placed(current, to, at));
	}

	/** Writes an edit of a mirror that isn't detached, because its origin stays, to that origin. */
	*#editOrigin(originId: string | null | undefined, content: DeltaFields): Operation<void> {
		if (originId == null) return;
		const source = this.#changed.get(originId)?.before;
		const origin = yield* this.#settlement.nodeAt(originId);
		if (source == null || origin === null) return;
		const edited = editedFields(source, content);
		yield* this.#writeContent(origin, edited.before, edited.after);
	}

	/**
	 * Makes a mirror a plain node, or the reverse, if no other device has done either meanwhile. A plain node that
	 * another device has edited stays one, because a mirror doesn't show its own content.
	 *
	 * @param known - the fields of the node that the device knew. A usual value is left out, and a very long text may be
	 */
	*#changeOrigin({ record, mirrorIds }: StoredNode, wanted: string | null, known: DeltaFields): Operation<NodeRecord> {
		if (record.originId === wanted || record.originId !== (known.originId ?? null)) return record;
		const old = record.originId === null ? null : yield* this.#settlement.nodeAt(record.originId);
		let originId: string | null = null;
		if (wanted !== null) {
			const origin = yield* this.#originOf(wanted, record.id);
			const isEdited = returningFields.some((field) => (known[field] ?? null) !== record[field]);
			if (origin === null || isEdited || mirrorIds.length > 0) return record;
			if (record.parentId !== null && (yield* isCyclic(this.#settlement, record.parentId, null, origin.record.id)))
				return record;
			const [children] = yield* ask({ type: "children", of: { id: record.id }, scope: "own" });
			for (const child of children) {
				if ((child.record.originId ?? child.record.id) === origin.record.id) return record;
			}
			originId = origin.record.id;
			this.#changes.touch(origin.record);
		}
		const changed = { ...record, originId };
		this.#changes.put(record, changed);
		if (old !== null) this.#changes.touch(old.record);
		return changed;
	}

	*#writeContent({ record }: StoredNode, before: DeltaFields, after: DeltaFields): Operation<void> {
		const merged: Merged = yield* stepwise(mergedContent(record, before, after, this.#settlement.limits));
		if (merged.record !== record) this.#changes.put(record, merged.record);
		this.#reportTexts(record.id, merged.conflicts);
	}

	#reportTexts(id: string, conflicts: Merged["conflicts"]): void {
		for (const { field, shown, other } of conflicts) this.#settlement.addConflict("text", id, shown, other, field);
	}

	/** Removes the nodes that the delta deletes and that no other device has changed. */
	*#remove(): Operation<void> {
		const { stays: kept } = this.#staying;
		const changed = new Map([...this.#changed].filter(([id, { after }]) => after !== null || !kept.has(id)));
		const staying = yield* findStaying(changed, true, this.#settlement.givenParents);
		const { going, stays } = staying;
		this.#reportKeptDeletions(staying);
		const dropped = new Map<string, string>();
		for (const [id, { record }] of going) {
			if (stays.has(id) || (record.parentId !== null && going.has(record.parentId) && !stays.has(record.parentId)))
				continue;
			const [{ keys }] = yield* ask({ type: "subtree", of: { id } });
			for (const { key, nodeId } of keys) dropped.set(key, nodeId);
		}
		for (const [id, { record, origin }] of going) {
			yield* pause();
			if (stays.has(id)) continue;
			this.#changes.remove(record);
			if (origin !== null && (!going.has(origin.id) || stays.has(origin.id))) {
				this.#changes.touch((yield* this.#settlement.nodeAt(origin.id))!.record);
			}
		}
		for (const [key, nodeId] of dropped) {
			this.#changes.removeKey({ key, group: groupOf(key) ?? shortcutGroup, nodeId });
		}
	}

	/**
	 * A shortcut goes to the later of two nodes, the key of a day to the earlier. The shortcut of a node that the delta
	 * deletes has gone with the node, or stays with it.
	 */
	*#settleKey({ key, group, before, after }: KeyDelta): Operation<void> {
		if (groupOf(key) !== group) return;
		const [held] = yield* ask({ type: "node", at: { key } });
		const heldId = held?.record.id ?? null;
		const old = heldId === null ? null : { key, group, nodeId: heldId };
		const isShortcut = group === shortcutGroup;
		if (after === null) {
			const goesAlone = before !== null && this.#changed.get(before)?.after !== null;
			if (old !== null && isShortcut && heldId === before && goesAlone) this.#changes.removeKey(old);
			return;
		}
		const target = this.#settlement.standInFor(after);
		if (target === heldId) return;
		if ((yield* this.#settlement.nodeAt(target)) === null) {
			if (isShortcut) this.#settlement.addConflict("shortcut", target, heldId, target, key);
			return;
		}
		if (!isShortcut && heldId !== null && heldId !== before) return;
		if (isShortcut && heldId !== null && heldId !== before)
			this.#settlement.addConflict("shortcut", target, target, heldId, key);
		this.#changes.putKey(old, { key, group, nodeId: target });
	}
}

/** Whether a node of the calendar has another name than it gets from its key. Hosts name the calendar itself. */
function isNamedOtherwise(key: string, name: string): boolean {
	return parentKey(key) !== null && name !== calendarName(key, "");
}

/** The new place of a node. */
function placeOf({ parentId, priority }: DeltaFields): DeltaFields {
	return { ...(parentId !== undefined && { parentId }), ...(priority !== undefined && { priority }) };
}

/** A change of a node without its new place, which is not to count. */
function withoutPlace(change: NodeDelta): NodeDelta {
	const { parentId, priority, ...after } = change.after!;
	return { ...change, after };
}
