import type { Call } from "../../engine/call.js";
import type { Changes } from "../../engine/changes.js";
import { IdSource } from "../../engine/id-source.js";
import { ask, breathe, Counter, type Operation, stepwise } from "../../engine/protocol.js";
import { inboxKey, randomId } from "../../id.js";
import { newRecord, placed } from "../../node.js";
import { materialize } from "../../place/on-demand.js";
import { gap } from "../../place/priority.js";
import { parentKey } from "../../reference/calendar.js";
import { type NodeRecord, type StoredNode, shortcutGroup } from "../../storage.js";
import { groupOf } from "../../verify/key-check.js";
import type { ConflictKind, ConflictNote, Delta, DeltaFields, KeyDelta, NodeDelta, SettleOptions } from "../delta.js";
import { editedFields, type Merged, mergedContent } from "./content.js";
import { detachedAbove, inOrder } from "./order.js";
import { placeAmong } from "./place.js";
import { findStaying, type Staying } from "./staying.js";

/** A changed node's fields whose edit brings a deleted node back. */
const returningFields = ["name", "note", "properties"] as const;

/** The most rounds in which changes wait for others. Nodes that change places need few. */
const mostRounds = 16;

/** The number of changes from which the nodes that exist are looked up together. */
const lookUpTogether = 2;

/**
 * Settles a delta on the outline as it is: the changes of one commit on a device, which has not seen what
 * others have done meanwhile. Whatever the delta holds, the result is a sound outline. It takes no clock, no
 * zone and no random number, so the server and each device come to the same result.
 *
 * Run it by `Uncommitted.run`, with its changes.
 *
 * @param delta - its fields must be valid; its structure is not trusted
 */
export function* settle(changes: Changes, delta: Delta, options: SettleOptions): Operation<ConflictNote[]> {
	const settling = new Settling(changes, delta, options);
	yield* settling.run();
	return settling.conflicts;
}

class Settling {
	readonly conflicts: ConflictNote[] = [];
	readonly #changes: Changes;
	readonly #delta: Delta;
	readonly #options: SettleOptions;
	/** The changes of nodes by id. */
	readonly #changed: ReadonlyMap<string, NodeDelta>;
	/** The ids of the nodes that stand for others of the delta: a day that is there already, or a copied node. */
	readonly #standIns = new Map<string, string>();
	/** The ids of the nodes that this has created. */
	readonly #created = new Set<string>();
	/** The ids of the nodes that have got their places. */
	readonly #placed = new Set<string>();
	/** The priorities of the nodes that have made room for others, by id. */
	readonly #displaced = new Map<string, number>();
	/** By the id of a node that is yet to place: the next sibling beyond it that isn't. */
	readonly #beyond = { above: new Map<string, string>(), below: new Map<string, string>() } as const;
	/** The keys of the delta's new nodes from the calendar and the inbox, by node. */
	readonly #newKeys = new Map<string, string>();
	readonly #counter = new Counter();
	#staying!: Staying;

	constructor(changes: Changes, delta: Delta, options: SettleOptions) {
		this.#changes = changes;
		this.#delta = delta;
		this.#options = options;
		this.#changed = new Map(delta.nodes.map((change) => [change.id, change]));
		for (const { key, group, after } of delta.keys ?? []) {
			if (after !== null && group !== shortcutGroup && groupOf(key) === group) this.#newKeys.set(after, key);
		}
	}

	*run(): Operation<void> {
		if (this.#delta.nodes.length >= lookUpTogether) yield* ask({ type: "related", ids: this.#namedIds() });
		this.#staying = yield* findStaying(this.#changed, false);
		this.#tellStaying(this.#staying);
		yield* this.#replaceCopies();
		yield* this.#moveAside();
		yield* this.#writeAll(inOrder(this.#changed));
		yield* this.#remove();
		for (const key of this.#delta.keys ?? []) yield* this.#settleKey(key);
	}

	/** The ids of all nodes that the delta names. */
	#namedIds(): string[] {
		const ids = new Set<string>(this.#changed.keys());
		for (const { before, after, above, below } of this.#changed.values()) {
			for (const id of [before?.parentId, before?.originId, after?.parentId, after?.originId, above, below]) {
				if (id != null) ids.add(id);
			}
		}
		return [...ids];
	}

	#tell(kind: ConflictKind, nodeId: string, shown: unknown, other: unknown, field?: string): void {
		this.conflicts.push({ kind, nodeId, ...(field !== undefined && { field }), shown, other });
	}

	/** Tells of each deletion that isn't done in full, by its uppermost node. */
	#tellStaying({ going, stays }: Staying): void {
		for (const id of stays) {
			const { parentId } = going.get(id)!.record;
			if (parentId === null || !stays.has(parentId)) this.#tell("deletion", id, id, null);
		}
	}

	/**
	 * Finds the nodes that stand for copies. If a mirror isn't detached, because its origin stays, its copies
	 * aren't made, and the copied nodes stand for them. If another device has detached it already, it has its
	 * copies, and the mirror stands for these.
	 */
	*#replaceCopies(): Operation<void> {
		for (const { id, copyOf, after } of this.#changed.values()) {
			if (copyOf === undefined || after === null) continue;
			const mirror = detachedAbove(this.#changed, id);
			if (mirror === undefined) continue;
			if (this.#staying.attached.has(mirror.id)) this.#standIns.set(id, copyOf);
			else {
				const node = yield* this.#nodeAt(mirror.id);
				if (node === null || node.record.originId === null) this.#standIns.set(id, mirror.id);
			}
		}
	}

	/**
	 * Makes the room that the device has made, if no other device has changed the siblings there. If not, each node that needs
	 * room makes it.
	 */
	*#moveAside(): Operation<void> {
		const families = new Map<string | null, NodeDelta[]>();
		for (const change of this.#changed.values()) {
			if (!change.aside || change.before?.priority === undefined || change.after?.priority === undefined) continue;
			const node = yield* this.#nodeAt(change.id);
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
				this.#changed.get(id)?.aside || (this.#leaves(id) && !targets.has(priority));
			if (targets.size < family.length || !there.every(isOwn)) continue;
			for (const { id, after } of family) {
				const { record } = (yield* this.#nodeAt(id))!;
				this.#changes.moveAside(record, placed(record, parentId, after!.priority!));
			}
		}
	}

	/**
	 * Writes changes. One that has no place yet waits for the others: two nodes may change places, for example. If
	 * all wait for each other, others have changed the places meanwhile, and each gets the best one.
	 */
	*#writeAll(changes: readonly NodeDelta[]): Operation<void> {
		let left = changes;
		for (let round = 0; left.length > 1 && round < mostRounds; round++) {
			const waiting: NodeDelta[] = [];
			for (const change of left) {
				if (this.#counter.breathes) yield* breathe();
				if (yield* this.#mustWait(change)) waiting.push(change);
				else yield* this.#write(change);
			}
			const isStuck = waiting.length === left.length;
			left = waiting;
			if (isStuck) break;
		}
		for (const change of left) {
			if (this.#counter.breathes) yield* breathe();
			yield* this.#write(change);
		}
	}

	/** Whether a node can't go to its parent before other changes of the delta. */
	*#mustWait({ id, before, after }: NodeDelta): Operation<boolean> {
		const { parentId, originId } = after!;
		if (parentId == null || this.#standIns.has(id)) return false;
		const parent = this.#standInFor(parentId);
		if (before === null && originId == null)
			return this.#changed.get(parent)?.after != null && !(yield* this.#exists(parent));
		if (!(yield* this.#exists(parent))) return this.#changed.get(parent)?.after != null;
		const node = yield* this.#nodeAt(id);
		const shownId = node?.record.originId ?? originId ?? id;
		return yield* this.#isCyclic(parent, node === null ? null : id, shownId);
	}

	*#write(change: NodeDelta): Operation<void> {
		const { id, before, after } = change as NodeDelta & { readonly after: DeltaFields };
		if (change.aside || this.#staying.unpromoted.has(id)) return;
		const standIn = this.#standIns.get(id);
		if (standIn !== undefined) return yield* this.#writeToStandIn(change, standIn);
		const node = yield* this.#nodeAt(id);
		if (before === null) yield* node === null ? this.#create(id, after, change) : this.#join(node, after, id);
		else if (node === null) yield* this.#bringBack(change);
		else yield* this.#edit(node, change);
	}

	/** A copy that isn't made: an edit of it goes to the copied node. */
	*#writeToStandIn({ id, copyOf, after }: NodeDelta, standIn: string): Operation<void> {
		const source = this.#changed.get(copyOf!)?.before;
		if (source == null) return;
		const edited = editedFields(source, after!);
		if (Object.keys(edited.after).length === 0) return;
		const node = yield* this.#nodeAt(standIn);
		if (node !== null && standIn === copyOf) return yield* this.#writeContent(node, edited.before, edited.after);
		// Another device has made the copy, and this one has edited its own.
		this.#standIns.delete(id);
		yield* this.#create(id, after!, this.#changed.get(id)!);
	}

	*#create(id: string, fields: DeltaFields, change: NodeDelta): Operation<void> {
		const key = this.#newKeys.get(id);
		if (key !== undefined) {
			const [held] = yield* ask({ type: "node", at: { key } });
			if (held !== null) {
				this.#standIns.set(id, held.record.id);
				return yield* this.#join(held, fields, id);
			}
		}
		const origin = yield* this.#originOf(fields.originId ?? null, id);
		const originId = origin?.record.id ?? null;
		const parentId = yield* this.#parentFor(fields.parentId ?? null, id, originId ?? id);
		const priority = yield* this.#priorityFor(id, parentId, fields, change, false);
		const wanted = { ...fields, id, parentId, priority, name: fields.name ?? "", originId };
		this.#changes.put(null, newRecord({ modifiedAt: fields.createdAt ?? this.#delta.at, ...wanted }, this.#delta.at));
		this.#created.add(id);
		if (origin !== null) this.#changes.touch(origin.record);
		else if (fields.originId != null) this.#tell("returned", id, id, null);
	}

	/** The true origin that a new mirror names; `null` if it is gone. */
	*#originOf(originId: string | null, id: string): Operation<StoredNode | null> {
		if (originId === null) return null;
		const node = yield* this.#nodeAt(this.#standInFor(originId));
		if (node === null || node.record.originId === null) return node?.record.id === id ? null : node;
		const origin = node.origin === null ? null : yield* this.#nodeAt(node.origin.id);
		return origin?.record.id === id ? null : origin;
	}

	/** A new node that is there already: made by both, as days are, or sent twice. */
	*#join(node: StoredNode, fields: DeltaFields, id: string): Operation<void> {
		if (this.#created.has(node.record.id)) return;
		const { name, modifiedAt, createdAt, parentId, priority, originId, ...content } = fields;
		const isEdited = modifiedAt !== undefined && modifiedAt !== createdAt;
		// Each device names the inbox and its days by itself. A name counts only if a user has changed it.
		const hasName = name !== undefined && (isEdited || !this.#newKeys.has(id));
		const { layoutMode, ...texts } = content;
		yield* this.#writeContent(node, {}, { ...texts, ...(hasName && { name }), ...(isEdited && { modifiedAt }) });
	}

	/** Brings a deleted node back, if the change of it is one that its deleter would have wanted to see. */
	*#bringBack(change: NodeDelta): Operation<void> {
		const { id, before, rest = {} } = change;
		const after = change.after!;
		const isEdited = returningFields.some((field) => after[field] !== undefined && after[field] !== before![field]);
		const target = after.parentId === undefined ? undefined : this.#standInFor(after.parentId);
		const isMoved =
			target !== undefined &&
			(target === null || (yield* this.#nodeAt(target)) !== null || this.#keyOf(target) !== undefined);
		if (!isEdited && !isMoved) return;
		yield* this.#create(id, { parentId: null, priority: 0, ...rest, ...after }, change);
		const key = this.#keyOf(id);
		if (key !== undefined) yield* this.#takeKey(key, id);
		this.#tell("returned", id, id, null);
	}

	*#takeKey(key: string, id: string): Operation<void> {
		const [held] = yield* ask({ type: "node", at: { key } });
		if (held === null) this.#changes.putKey(null, { key, group: groupOf(key)!, nodeId: id });
	}

	/** The key of the calendar or the inbox that a node of the delta had. */
	#keyOf(id: string): string | undefined {
		const key = this.#delta.known?.[id]?.key;
		const group = key === undefined ? null : groupOf(key);
		return group === null || group === shortcutGroup ? undefined : key;
	}

	*#edit(node: StoredNode, change: NodeDelta): Operation<void> {
		const { id, before, rest = {} } = change as NodeDelta & { readonly before: DeltaFields };
		const { parentId, priority, originId, ...content } = change.after!;
		let current = node.record;
		if (this.#staying.attached.has(id)) {
			// The mirror stays one, so an edit of it is one of its origin.
			const source = this.#changed.get(current.originId ?? "")?.before;
			const edited = source == null ? undefined : editedFields(source, content);
			const origin = node.origin === null ? null : yield* this.#nodeAt(node.origin.id);
			if (edited !== undefined && origin !== null) yield* this.#writeContent(origin, edited.before, edited.after);
		} else {
			if (originId !== undefined) current = yield* this.#changeOrigin(node, originId, before);
			const stored = (yield* this.#nodeAt(id))!;
			// A mirror shows its origin's content. Its own is only for the case that the origin is gone.
			if (originId === undefined && rest.originId == null && stored.origin !== null) {
				// An earlier entry has detached the mirror, and here it stays one.
				const origin = yield* this.#nodeAt(stored.origin.id);
				if (origin !== null) yield* this.#writeContent(origin, before, content);
			} else if (originId === undefined || current.originId === originId) {
				yield* this.#writeContent(stored, before, content);
			}
			current = (yield* this.#nodeAt(id))!.record;
		}
		if (parentId === undefined && priority === undefined) return;
		const formerParent = before.parentId === undefined ? rest.parentId : before.parentId;
		// Another device has moved it elsewhere, and this one only gave it another place among its former siblings.
		if (parentId === undefined && formerParent !== undefined && current.parentId !== formerParent) return;
		const wanted = parentId === undefined ? current.parentId : this.#standInFor(parentId);
		const shownId = current.originId ?? id;
		if (wanted !== current.parentId && wanted !== null && (yield* this.#isCyclic(wanted, id, shownId))) {
			this.#tell("move", id, current.parentId, wanted);
			return;
		}
		const isGone = wanted !== null && (yield* this.#nodeAt(wanted)) === null;
		const to = yield* this.#parentFor(wanted, id, shownId);
		if (isGone && to !== null && (yield* this.#isCyclic(to, id, shownId))) return;
		const place = { ...(priority === undefined ? {} : { priority }), parentId: wanted };
		const at = yield* this.#priorityFor(
			id,
			to,
			{ priority: this.#displaced.get(id) ?? current.priority, ...place },
			change,
			to === current.parentId,
		);
		current = (yield* this.#nodeAt(id))!.record;
		if (to !== current.parentId || at !== current.priority) this.#changes.put(current, placed(current, to, at));
	}

	/** Makes a mirror a plain node, or the reverse, if no other device has done either meanwhile. */
	*#changeOrigin({ record, mirrorIds }: StoredNode, wanted: string | null, before: DeltaFields): Operation<NodeRecord> {
		if (record.originId === wanted || record.originId !== (before.originId ?? null)) return record;
		const old = record.originId === null ? null : yield* this.#nodeAt(record.originId);
		let originId: string | null = null;
		if (wanted !== null) {
			const origin = yield* this.#originOf(wanted, record.id);
			const isEdited = returningFields.some((field) => before[field] !== undefined && before[field] !== record[field]);
			if (origin === null || isEdited || mirrorIds.length > 0) return record;
			if (record.parentId !== null && (yield* this.#isCyclic(record.parentId, null, origin.record.id))) return record;
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
		const merged: Merged = yield* stepwise(mergedContent(record, before, after));
		if (merged.record !== record) this.#changes.put(record, merged.record);
		for (const { field, shown, other } of merged.conflicts) this.#tell("text", record.id, shown, other, field);
	}

	/**
	 * Returns the parent for a node: the wanted one, or the nearest above it that the delta knows and that is
	 * there, or the inbox. A deleted day returns.
	 *
	 * @param shownId - the id of the node whose content it shows
	 */
	*#parentFor(wanted: string | null, id: string, shownId: string): Operation<string | null> {
		let at = wanted === null ? null : this.#standInFor(wanted);
		if (at === null) return null;
		let isFirst = true;
		const seen = new Set<string>();
		while (at !== null) {
			seen.add(at);
			const node: StoredNode | null = yield* this.#nodeAt(at);
			if (node !== null && !(yield* this.#isCyclic(at, id, shownId))) break;
			const key = node === null ? this.#keyOf(at) : undefined;
			if (key !== undefined) {
				const day = yield* this.#dayAt(key, at);
				if (!(yield* this.#isCyclic(day, id, shownId))) {
					at = day;
					if (isFirst) return at;
					break;
				}
			}
			isFirst = false;
			const above: string | null = node?.record.parentId ?? this.#delta.known?.[at]?.parentId ?? null;
			const next: string | null = above === null ? null : this.#standInFor(above);
			// The ancestors in a hostile delta may form a circle.
			at = next !== null && seen.has(next) ? null : next;
		}
		if (isFirst) return at;
		if (at === null) {
			const inbox = yield* this.#dayAt(inboxKey, undefined);
			at = (yield* this.#isCyclic(inbox, id, shownId)) ? null : inbox;
		}
		this.#tell("parent", id, at, wanted);
		return at;
	}

	/** Returns the id of the node of a key, and creates it if need be. @param former - the id that it had */
	*#dayAt(key: string, former: string | undefined): Operation<string> {
		const [held] = yield* ask({ type: "node", at: { key } });
		let id = held?.record.id;
		if (id === undefined) {
			const { names } = this.#options;
			const call = { settings: { names }, seconds: this.#delta.at, ids: new IdSource(randomId) } as unknown as Call;
			id = (yield* materialize(call, this.#changes, key)).node.record.id;
		}
		if (former !== undefined && former !== id) this.#standIns.set(former, id);
		return id;
	}

	/** Whether a node below a parent would be below itself, or a mirror of its parent. */
	*#isCyclic(parentId: string, id: string | null, shownId: string): Operation<boolean> {
		const [parent] = yield* ask({ type: "node", at: { id: parentId } });
		if (parent !== null && (parent.record.originId ?? parent.record.id) === shownId) return true;
		if (
			id === null ||
			this.#created.has(id) ||
			(this.#changed.get(id)?.before === null && !(yield* this.#exists(id)))
		) {
			return parentId === id;
		}
		const [ancestors] = yield* ask({ type: "ancestors", of: { id: parentId } });
		return ancestors.includes(id);
	}

	*#exists(id: string): Operation<boolean> {
		return (yield* this.#nodeAt(id)) !== null;
	}

	*#priorityFor(
		id: string,
		parentId: string | null,
		wanted: DeltaFields,
		{ above, below }: NodeDelta,
		moves: boolean,
	): Operation<number> {
		const isThere = (wanted.parentId ?? null) === parentId || this.#standInFor(wanted.parentId ?? "") === parentId;
		const { priority = 0 } = wanted;
		this.#placed.add(id);
		const place = isThere
			? {
					priority,
					above: yield* this.#neighbour("above", above, parentId),
					below: yield* this.#neighbour("below", below, parentId),
				}
			: { priority: 0, above: null, below: null };
		const key = this.#newKeys.get(id);
		return yield* placeAmong(this.#changes, parentId, id, place, {
			moves,
			key: key !== undefined && parentKey(key) !== null ? key : undefined,
			leaves: (sibling) => this.#leaves(sibling),
			makeRoom: (sibling, last) => {
				this.#displaced.set(sibling.id, sibling.priority);
				this.#changes.put(sibling, placed(sibling, sibling.parentId, last.priority + gap));
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
		const passed: string[] = [];
		let at: string | null = named;
		for (let change = this.#yetToPlace(at); change !== undefined; change = this.#yetToPlace(at)) {
			passed.push(at);
			const next: string | null = this.#beyond[side].get(at) ?? change[side] ?? null;
			if (next === null || passed.length > this.#changed.size) {
				at = null;
				break;
			}
			at = next;
		}
		if (at !== null) for (const id of passed) this.#beyond[side].set(id, at);
		const node = at === null ? null : yield* this.#nodeAt(this.#standInFor(at));
		return node?.record.parentId === parentId ? node : null;
	}

	/** Whether a sibling will be deleted, or get another place. */
	#leaves(id: string): boolean {
		if (this.#staying.going.has(id)) return !this.#staying.stays.has(id);
		return this.#yetToPlace(id) !== undefined && !this.#staying.unpromoted.has(id);
	}

	#yetToPlace(id: string): NodeDelta | undefined {
		const change = this.#changed.get(id);
		const { parentId, priority } = change?.after ?? {};
		const isPlaced = change?.aside || this.#placed.has(id) || (parentId === undefined && priority === undefined);
		return isPlaced ? undefined : change;
	}

	/** Removes the nodes that the delta deletes and that no other device has changed. */
	*#remove(): Operation<void> {
		const { stays: kept } = this.#staying;
		const changed = new Map([...this.#changed].filter(([id, { after }]) => after !== null || !kept.has(id)));
		const staying = yield* findStaying(changed, true);
		const { going, stays } = staying;
		this.#tellStaying(staying);
		const dropped = new Map<string, string>();
		for (const [id, { record }] of going) {
			if (stays.has(id) || (record.parentId !== null && going.has(record.parentId) && !stays.has(record.parentId)))
				continue;
			const [{ keys }] = yield* ask({ type: "subtree", of: { id } });
			for (const { key, nodeId } of keys) dropped.set(key, nodeId);
		}
		for (const [id, { record, origin }] of going) {
			if (this.#counter.breathes) yield* breathe();
			if (stays.has(id)) continue;
			this.#changes.remove(record);
			if (origin !== null && (!going.has(origin.id) || stays.has(origin.id))) {
				this.#changes.touch((yield* this.#nodeAt(origin.id))!.record);
			}
		}
		for (const [key, nodeId] of dropped) {
			this.#changes.removeKey({ key, group: groupOf(key) ?? shortcutGroup, nodeId });
		}
	}

	/** A shortcut goes to the later of two nodes, the key of a day to the earlier. */
	*#settleKey({ key, group, before, after }: KeyDelta): Operation<void> {
		if (groupOf(key) !== group) return;
		const [held] = yield* ask({ type: "node", at: { key } });
		const heldId = held?.record.id ?? null;
		const old = heldId === null ? null : { key, group, nodeId: heldId };
		const isShortcut = group === shortcutGroup;
		if (after === null) {
			if (old !== null && isShortcut && heldId === before) this.#changes.removeKey(old);
			return;
		}
		const target = this.#standInFor(after);
		if (target === heldId) return;
		if ((yield* this.#nodeAt(target)) === null) {
			if (isShortcut) this.#tell("shortcut", target, heldId, target, key);
			return;
		}
		if (!isShortcut && heldId !== null && heldId !== before) return;
		if (isShortcut && heldId !== null && heldId !== before) this.#tell("shortcut", target, target, heldId, key);
		this.#changes.putKey(old, { key, group, nodeId: target });
	}

	#standInFor<T extends string | null>(id: T): T {
		return (id === null ? null : (this.#standIns.get(id) ?? id)) as T;
	}

	*#nodeAt(id: string): Operation<StoredNode | null> {
		const [node] = yield* ask({ type: "node", at: { id } });
		return node;
	}
}
