import { addTo } from "../../engine/lists.js";
import { Counter, type Operation, pause } from "../../engine/protocol.js";
import { contentFields } from "../../node.js";
import { changedProperties, propertiesIn } from "../../properties.js";
import { byPlace } from "../../siblings.js";
import { type Key, type NodeRecord, shortcutGroup } from "../../storage.js";
import type { Delta, DeltaFields, KeyDelta, NodeDelta } from "../delta.js";
import type { Conflict } from "../protocol.js";
import { fieldsOfRecord, type Records } from "../record-fields.js";
import { otherContentOf } from "../settle/content.js";
import type { KeyNames } from "../settle/settlement.js";
import { type Entry, readConflicts } from "./exchange-documents.js";
import { names } from "./states.js";

/** The way in which an outline meets that of a server. */
export interface Meeting {
	/** Whether the two have never met. If they have, the nodes that both have go to their local place. */
	readonly isFirst: boolean;
	/** The names that this device gives to an inbox and a calendar. At a first meeting, they don't count as edits. */
	readonly usual: KeyNames;
}

/** Whether any node of a view exists in the base too. */
export function* existsAny(base: Records["nodes"], view: Records["nodes"]): Operation<boolean> {
	const counter = new Counter();
	for (const id of view.keys()) {
		if (base.get(id) !== null) return true;
		if (counter.isDue()) yield* pause();
	}
	return false;
}

/**
 * Returns the delta of all that an outline has and the server's outline lacks, for two outlines that have no
 * known state in common. It deletes nothing. A node of a calendar or system key that the server has under
 * another id becomes the server's node.
 *
 * A changed field without a value in `before` means that the state before isn't known: if the server has
 * another value, settling keeps both.
 *
 * @param lost - contents that gave way in conflicts that the server has lost, with the ids of their nodes
 */
export function* joiningDelta(
	local: Records,
	server: Records,
	{ isFirst, usual }: Meeting,
	lost: readonly (readonly [id: string, other: DeltaFields])[],
): Operation<Delta> {
	const counter = new Counter();
	const merged = mergedNodes(local, server);
	const idOf = (id: string) => merged.get(id) ?? id;
	const nodes: NodeDelta[] = [];
	const line = withoutTwins(topDown(local), merged);
	const above = siblingsAbove(line, idOf);
	const unnamed = isFirst ? unnamedNodes(local, usual) : new Set<string>();
	let latest = 0;
	for (const record of line) {
		if (counter.isDue()) yield* pause();
		const parentId = record.parentId === null ? null : idOf(record.parentId);
		const originId = record.originId === null ? null : idOf(record.originId);
		const here = { ...record, id: idOf(record.id), parentId, originId };
		const there = server.nodes.get(here.id) ?? null;
		latest = Math.max(latest, record.modifiedAt, record.createdAt);
		if (there === null) {
			const beside = parentId === null || server.nodes.has(parentId);
			nodes.push({ id: here.id, before: null, after: fieldsOfRecord(here), ...(beside && above.get(here.id)) });
			continue;
		}
		const fields: { [field: string]: unknown } = {};
		for (const field of contentFields) {
			if (here[field] !== there[field] && !(field === "name" && unnamed.has(record.id))) fields[field] = here[field];
		}
		const moves = !isFirst && (here.parentId !== there.parentId || here.priority !== there.priority);
		if (moves) Object.assign(fields, { parentId, priority: here.priority });
		if (Object.keys(fields).length === 0) continue;
		if (contentFields.some((field) => field in fields)) fields.modifiedAt = here.modifiedAt;
		nodes.push({ id: here.id, before: {}, after: fields as DeltaFields, ...(moves && above.get(here.id)) });
	}
	const gaveWay = new Map<string, DeltaFields[]>();
	for (const [id, other] of lost) {
		addTo(gaveWay, idOf(id), other);
	}
	for (const [at, node] of gaveWay.size === 0 ? [] : nodes.entries()) {
		const others = gaveWay.get(node.id);
		if (others !== undefined) nodes[at] = { ...node, others };
		gaveWay.delete(node.id);
	}
	for (const [id, others] of gaveWay) nodes.push({ id, before: {}, after: {}, others });
	const keys: KeyDelta[] = [];
	for (const record of local.keys.values()) {
		if (record === null) continue;
		const { key, group } = record;
		const before = server.keys.get(key)?.nodeId ?? null;
		const after = idOf(record.nodeId);
		// Of a shortcut of both, the state before isn't known.
		if (before === null || (group === shortcutGroup && before !== after))
			keys.push({ key, group, before: null, after });
	}
	return { at: latest, nodes, keys };
}

/** Returns the ids of the inbox and of the calendar, as far as no user has named them. */
function unnamedNodes({ nodes, keys }: Records, usual: KeyNames): Set<string> {
	const unnamed = new Set<string>();
	for (const [key, name] of Object.entries(usual)) {
		const record = nodes.get(keys.get(key)?.nodeId ?? "");
		// An edit that ends in the same name was a user's choice.
		if (record && record.name === name && record.modifiedAt === record.createdAt) unnamed.add(record.id);
	}
	return unnamed;
}

/** Returns the contents that gave way in conflicts that the server has lost, with the ids of their nodes. */
export function* lostConflicts(
	entries: readonly Entry[],
	conflicts: readonly Conflict[],
): Operation<[string, DeltaFields][]> {
	const lost = new Map<string, [string, DeltaFields]>();
	const add = (id: string, other: DeltaFields) => lost.set(JSON.stringify([id, other]), [id, other]);
	// An entry of an earlier joining still has the contents of that time.
	for (const { delta } of entries)
		for (const { id, others = [] } of delta.nodes) for (const other of others) add(id, other);
	for (const conflict of yield* readConflicts()) {
		if (conflict.kind === "text" && conflict.other !== null) add(conflict.nodeId, otherContentOf(conflict));
	}
	for (const conflict of conflicts) lost.delete(JSON.stringify([conflict.nodeId, otherContentOf(conflict)]));
	return [...lost.values()];
}

/**
 * Returns the names that users have given to an inbox and a calendar that the server lacks, with the ids of
 * their nodes. Another device may make such a node first. Then the name of this one gives way, and its times
 * show no edit if the node is as old as that.
 */
export function givenNames(local: Records, server: Records, own: KeyNames): [string, DeltaFields][] {
	const given: [string, DeltaFields][] = [];
	for (const key of ["inbox", "calendar"] as const) {
		const record = local.nodes.get(local.keys.get(key)?.nodeId ?? "");
		if (!record || server.nodes.has(record.id) || record.name === own[key] || record.name === names[key]) continue;
		given.push([record.id, { name: record.name }]);
	}
	return given;
}

/** Returns the server's nodes for local nodes that have the same calendar or system key. */
function mergedNodes(local: Records, server: Records): Map<string, string> {
	const merged = new Map<string, string>();
	for (const [key, record] of local.keys) {
		const there: Key | null | undefined = server.keys.get(key);
		if (!record || !there || record.group === shortcutGroup || record.nodeId === there.nodeId) continue;
		if (!server.nodes.has(record.nodeId)) merged.set(record.nodeId, there.nodeId);
	}
	return merged;
}

/**
 * Returns the nodes, but one instead of two that become the same node of the server. An outline has two if its
 * calendar, say, was deleted and made again, and the deleted one came back without its key. The one stands where
 * the higher of the two was, so that it can't be below itself. It has the texts of both. Of two values of a property,
 * its note has the second.
 */
function withoutTwins(line: NodeRecord[], merged: ReadonlyMap<string, string>): NodeRecord[] {
	for (const [id, theirs] of merged) {
		const twins = line.filter((record) => record.id === id || record.id === theirs);
		if (twins.length < 2) continue;
		const [place, lower] = twins as [NodeRecord, NodeRecord];
		const [kept, other] = place.id === theirs ? [place, lower] : [lower, place];
		const [mine, theirValues] = [propertiesIn(kept.properties), propertiesIn(other.properties)];
		const values = new Map(Object.entries(mine).map(([key, value]) => [key, JSON.stringify(value)]));
		let note = bothTexts(kept.note, other.note, "\n");
		for (const [key, value] of Object.entries(theirValues)) {
			const text = JSON.stringify(value);
			if ((values.get(key) ?? text) !== text) note = bothTexts(note, `${key}: ${text}`, "\n");
		}
		line[line.indexOf(place)] = {
			...kept,
			parentId: place.parentId,
			priority: place.priority,
			name: bothTexts(kept.name, other.name, " "),
			note,
			properties: changedProperties(other.properties, values, Number.POSITIVE_INFINITY),
			completedAt: kept.completedAt ?? other.completedAt,
		};
		line.splice(line.indexOf(lower), 1);
	}
	return line;
}

/** Returns two texts as one, or the one that has the other in it. */
function bothTexts<Text extends string | null>(one: Text, other: Text, between: string): Text {
	if (one === null || other === null) return one ?? other;
	if (one.includes(other)) return one;
	return other.includes(one) ? other : (`${one}${between}${other}` as Text);
}

/** Returns the nodes, each parent before its children. */
function topDown({ nodes }: Records): NodeRecord[] {
	const line: NodeRecord[] = [];
	const children = childrenOf(nodes.values());
	for (const child of children.get(null) ?? []) line.push(child);
	// Grows while it is read.
	for (const { id } of line) for (const child of children.get(id) ?? []) line.push(child);
	return line;
}

function childrenOf(nodes: Iterable<NodeRecord | null>): Map<string | null, NodeRecord[]> {
	const children = new Map<string | null, NodeRecord[]>();
	for (const record of nodes) {
		if (record === null) continue;
		addTo(children, record.parentId, record);
	}
	return children;
}

/** Returns the siblings above and below each node. */
function siblingsAbove(
	nodes: readonly NodeRecord[],
	idOf: (id: string) => string,
): Map<string, Pick<NodeDelta, "above" | "below">> {
	const found = new Map<string, Pick<NodeDelta, "above" | "below">>();
	for (const siblings of childrenOf(nodes).values()) {
		siblings.sort(byPlace);
		for (const [at, { id }] of siblings.entries()) {
			const [above, below] = [siblings[at - 1], siblings[at + 1]];
			found.set(idOf(id), { above: above ? idOf(above.id) : null, below: below ? idOf(below.id) : null });
		}
	}
	return found;
}
