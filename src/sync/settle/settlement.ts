import type { Changes } from "../../engine/changes.js";
import { IdSource } from "../../engine/id-source.js";
import { ask, Counter, type Operation, pause } from "../../engine/protocol.js";
import { type Settings, usualLimits } from "../../engine/settings.js";
import { randomId } from "../../id.js";
import { materialize } from "../../place/on-demand.js";
import { groupOf } from "../../reference/key-group.js";
import { type StoredNode, shortcutGroup } from "../../storage.js";
import type { ConflictKind, ConflictNote, Delta, NodeDelta } from "../delta.js";
import type { GivenParents } from "./given-parents.js";
import { nothingGoes, type Staying } from "./staying.js";

/** The names of an inbox and of the calendar's root that no user has named: canonical fragments. */
export interface KeyNames {
	readonly inbox: string;
	readonly calendar: string;
}

/** The settings of the outline on which a delta is settled, and the state of the settling. */
export interface SettleOptions {
	/** The names of new nodes. */
	readonly names: KeyNames;
	/**
	 * The most characters of merged texts and properties. Default: the usual limits of an outline, because a device
	 * doesn't know those of the server.
	 */
	readonly limits?: ContentLimits;
	/** The parents that nodes have got in place of others, before and by the settling. */
	readonly givenParents: GivenParents;
}

/** The most characters of a name without its markup, of a note, and of the JSON of the properties. */
export type ContentLimits = Pick<Settings["limits"], "name" | "note" | "properties">;

/** A changed node's fields whose edit brings a deleted node back. */
export const returningFields = ["name", "note", "properties"] as const;

/** A delta during its settlement: the nodes and keys that it names, and the results so far. */
export class Settlement {
	readonly conflicts: ConflictNote[] = [];
	readonly changes: Changes;
	readonly delta: Delta;
	/** The changes of nodes by id. */
	readonly changed = new Map<string, NodeDelta>();
	/** Whether the delta deletes any node. */
	readonly deletes: boolean = false;
	/** Whether the delta moves any node aside. */
	readonly movesAside: boolean = false;
	/** The keys of the delta's new nodes from the calendar and the inbox, by node. */
	readonly newKeys = new Map<string, string>();
	/** The ids of the nodes that stand for others of the delta: a day that is there already, or a copied node. */
	readonly standIns = new Map<string, string>();
	/** The ids of the nodes that the settlement has created. */
	readonly created = new Set<string>();
	/** The ids of the delta's nodes that the outline had before. A delta of one node needs none. */
	former: ReadonlySet<string> = new Set();
	/** The delta's deletions, and the nodes that stay in spite of them. */
	staying: Staying = nothingGoes;
	/** The most characters of merged content. */
	readonly limits: ContentLimits;
	readonly givenParents: GivenParents;
	readonly #names: SettleOptions["names"];

	constructor(changes: Changes, delta: Delta, { names, limits = usualLimits, givenParents }: SettleOptions) {
		this.changes = changes;
		this.delta = delta;
		this.limits = limits;
		this.givenParents = givenParents;
		this.#names = names;
		for (const change of delta.nodes) {
			this.changed.set(change.id, change);
			this.deletes ||= change.after === null;
			this.movesAside ||= change.aside === true;
		}
		for (const { key, group, after } of delta.keys ?? []) {
			if (after !== null && group !== shortcutGroup && groupOf(key) === group) this.newKeys.set(after, key);
		}
	}

	/** Adds a conflict. */
	addConflict(kind: ConflictKind, nodeId: string, shown: unknown, other: unknown, field?: string): void {
		this.conflicts.push({ kind, nodeId, ...(field !== undefined && { field }), shown, other });
	}

	/** Returns the id of the node that stands for a node of the delta: mostly its own. */
	standInFor<T extends string | null>(id: T): T {
		return (id === null ? null : (this.standIns.get(id) ?? id)) as T;
	}

	/** Reads a node. */
	*nodeAt(id: string): Operation<StoredNode | null> {
		const [node] = yield* ask({ type: "node", at: { id } });
		return node;
	}

	/** Whether a node exists. */
	*exists(id: string): Operation<boolean> {
		return (yield* this.nodeAt(id)) !== null;
	}

	/** The key of the calendar or the inbox that a node of the delta had. */
	keyOf(id: string): string | undefined {
		const key = this.delta.known?.[id]?.key;
		const group = key === undefined ? null : groupOf(key);
		return group === null || group === shortcutGroup ? undefined : key;
	}

	/** Gives a node the key that it had, if no other node has it. */
	*takeKey(id: string): Operation<void> {
		const key = this.keyOf(id);
		if (key === undefined) return;
		const [held] = yield* ask({ type: "node", at: { key } });
		if (held === null) this.changes.putKey(null, { key, group: groupOf(key)!, nodeId: id });
	}

	/** Returns the id of the node of a key, and creates it if need be. @param former - the id that it had */
	*nodeOfKey(key: string, former?: string): Operation<string> {
		const [held] = yield* ask({ type: "node", at: { key } });
		let id = held?.record.id;
		if (id === undefined) {
			const call = { settings: { names: this.#names }, seconds: this.delta.at, ids: new IdSource(randomId) };
			id = (yield* materialize(call, this.changes, key)).node.record.id;
		}
		if (former !== undefined && former !== id) this.standIns.set(former, id);
		return id;
	}
}

/** Returns the ids that changes of nodes name. */
export function* namedIdsOf(changes: Iterable<NodeDelta>): Operation<string[]> {
	const ids = new Set<string>();
	const counter = new Counter();
	for (const { id, before, after, above, below } of changes) {
		if (counter.isDue()) yield* pause();
		ids.add(id);
		for (const other of [before?.parentId, before?.originId, after?.parentId, after?.originId, above, below])
			if (other != null) ids.add(other);
	}
	return [...ids];
}
