import { ask, askAll, Counter, type Operation, pause } from "../../engine/protocol.js";
import type { Uncommitted } from "../../engine/uncommitted.js";
import { differs } from "../../node.js";
import { groupByForm } from "../../reference/key-group.js";
import type { KeyChange, NodeChange, NodeRecord } from "../../storage.js";
import type { Conflict } from "../protocol.js";
import { type Records, recordOfFields } from "../record-fields.js";
import { GivenParents } from "../settle/given-parents.js";
import { settle } from "../settle/settle.js";
import type { KeyNames } from "../settle/settlement.js";
import { type Entry, readConflicts } from "./exchange-documents.js";
import { changesAfter } from "./foreign-commits.js";

/*
 * The states of an outline in a rebase. The local state is the outline of the device. The base is the outline of
 * the server, as far as the device knows it. It is the local state with all entries of the journal taken back.
 */

/** The names of nodes that a rebase creates. The server's take their place with the next answer. */
export const names: KeyNames = { inbox: "Inbox", calendar: "Calendar" };

/** The most ids of one query. */
const idsAtOnce = 1000;

/**
 * Reads the nodes and keys that entries, the stored base or the server's answer name.
 *
 * @param uncommitted - keeps the nodes: settling the entries then asks for none of them again
 */
export function* localStateOf(
	entries: readonly Entry[],
	stored: Records,
	pulled: Records,
	uncommitted: Uncommitted,
): Operation<Records> {
	const ids = new Set([...stored.nodes.keys(), ...pulled.nodes.keys()]);
	const keys = new Set([...stored.keys.keys(), ...pulled.keys.keys()]);
	const counter = new Counter();
	for (const { delta } of entries) {
		for (const { id } of delta.nodes) {
			if (counter.isDue()) yield* pause();
			ids.add(id);
		}
		for (const { key } of delta.keys ?? []) keys.add(key);
	}
	const local: Records = { nodes: new Map(), keys: new Map() };
	yield* uncommitted.run(readNodes(local, ids));
	const names = [...keys];
	const found = names.length === 0 ? [] : yield* askAll(names.map((key) => ({ type: "node", at: { key } }) as const));
	for (const [index, key] of names.entries()) {
		const nodeId = found[index]?.record.id;
		local.keys.set(key, nodeId === undefined ? null : { key, group: groupByForm(key), nodeId });
	}
	return local;
}

function* readNodes({ nodes }: Records, ids: ReadonlySet<string>): Operation<void> {
	const wanted = [...ids];
	for (let at = 0; at < wanted.length; at += idsAtOnce) {
		const portion = wanted.slice(at, at + idsAtOnce);
		for (const id of portion) nodes.set(id, null);
		const [related] = yield* ask({ type: "related", ids: portion });
		for (const { record } of related) if (ids.has(record.id)) nodes.set(record.id, record);
		yield* pause();
	}
}

/** Reads all nodes and keys. */
export function* wholeLocalState(): Operation<Records> {
	const local: Records = { nodes: new Map(), keys: new Map() };
	const counter = new Counter();
	for (const { nodes, keys } of yield* changesAfter(0)) {
		for (const record of nodes) {
			if (counter.isDue()) yield* pause();
			local.nodes.set(record.id, record);
		}
		for (const key of keys) local.keys.set(key.key, key);
	}
	return local;
}

/**
 * Returns the nodes and keys that entries have changed, as they were before the entries.
 *
 * @param nodeNow - returns a node as it is after the entries
 */
export function* takenBack(
	entries: readonly Entry[],
	nodeNow: (id: string) => NodeRecord | null | undefined,
	stored: Records,
): Operation<Records> {
	const base: Records = { nodes: new Map(stored.nodes), keys: new Map(stored.keys) };
	const counter = new Counter();
	for (let at = entries.length - 1; at >= 0; at--) {
		const { nodes, keys = [] } = entries[at]!.delta;
		for (const { id, before, after } of nodes) {
			if (counter.isDue()) yield* pause();
			if (stored.nodes.has(id)) continue;
			const now = base.nodes.has(id) ? base.nodes.get(id)! : (nodeNow(id) ?? null);
			if (before === null) base.nodes.set(id, null);
			else if (after === null) base.nodes.set(id, recordOfFields(id, before));
			else base.nodes.set(id, now && { ...now, ...before });
		}
		for (const { key, group, before } of keys) {
			if (!stored.keys.has(key)) base.keys.set(key, before === null ? null : { key, group, nodeId: before });
		}
	}
	return base;
}

/**
 * Settles entries on a base. Returns the base with what they change. Adds the nodes and keys that only the
 * entries change to the base and to the local state, as they were before.
 *
 * @param conflicts - those of the server's answer
 */
export function* settledOn(
	base: Records,
	local: Records,
	entries: readonly Entry[],
	uncommitted: Uncommitted,
	conflicts: readonly Conflict[],
): Operation<Records> {
	const { changes } = uncommitted;
	const givenParents = new GivenParents(readConflicts);
	yield* givenParents.add(conflicts);
	const counter = new Counter();
	for (const [id, record] of base.nodes) {
		if (counter.isDue()) yield* pause();
		const before = local.nodes.get(id) ?? null;
		if (!differs(before, record)) continue;
		if (record === null) changes.remove(before!);
		else changes.put(before, record);
	}
	for (const [key, record] of base.keys) {
		const before = local.keys.get(key) ?? null;
		if (before?.nodeId === record?.nodeId) continue;
		if (record === null) changes.removeKey(before!);
		else changes.putKey(before, record);
	}
	for (const { delta } of entries) {
		yield* uncommitted.run(settle(changes, delta, { names, givenParents }));
		yield* pause();
	}
	const merged: Records = { nodes: new Map(), keys: new Map(base.keys) };
	for (const [id, record] of base.nodes) {
		if (counter.isDue()) yield* pause();
		// A node that is new in the base and removed again is in no change.
		merged.nodes.set(id, local.nodes.get(id) ? record : null);
	}
	for (const [key, record] of base.keys) if (record !== null && !local.keys.get(key)) merged.keys.set(key, null);
	for (const { before, after: record } of changes.nodes) {
		if (counter.isDue()) yield* pause();
		const { id } = (record ?? before)!;
		merged.nodes.set(id, record);
		// Of a node that the base lacks, the server has what the outline has locally.
		if (!base.nodes.has(id)) {
			local.nodes.set(id, before);
			base.nodes.set(id, before);
		}
	}
	for (const { before, after: record } of changes.keys) {
		const { key } = (record ?? before)!;
		merged.keys.set(key, record);
		if (!base.keys.has(key)) {
			local.keys.set(key, before);
			base.keys.set(key, before);
		}
	}
	return merged;
}

/** Returns the changes that lead from the local state to the merged one. */
export function* difference(local: Records, merged: Records): Operation<{ nodes: NodeChange[]; keys: KeyChange[] }> {
	const nodes: NodeChange[] = [];
	const counter = new Counter();
	/** The origins that gain or lose a mirror: readers of the feed must see them among the changes. */
	const touched = new Set<string>();
	for (const [id, record] of merged.nodes) {
		if (counter.isDue()) yield* pause();
		const before = local.nodes.get(id) ?? null;
		if (!differs(before, record)) continue;
		nodes.push({ before, after: record && { ...record } });
		if (before?.originId === record?.originId) continue;
		if (before?.originId) touched.add(before.originId);
		if (record?.originId) touched.add(record.originId);
	}
	for (const { before, after } of nodes) touched.delete((after ?? before)!.id);
	if (touched.size > 0) {
		const [related] = yield* ask({ type: "related", ids: [...touched] });
		for (const { record } of related) if (touched.has(record.id)) nodes.push({ before: record, after: { ...record } });
	}
	const keys: KeyChange[] = [];
	for (const [key, record] of merged.keys) {
		const before = local.keys.get(key) ?? null;
		if (before?.nodeId !== record?.nodeId) keys.push({ before, after: record && { ...record, revision: 0 } });
	}
	return { nodes, keys };
}

/** Returns the base of the nodes and keys for which taking back the remaining entries doesn't lead there. */
export function* shadowOf(
	base: Records,
	local: Records,
	merged: Records,
	remaining: readonly Entry[],
): Operation<Records> {
	const shadow: Records = { nodes: new Map(), keys: new Map() };
	if (remaining.length === 0) return shadow;
	const nodeNow = (id: string) => (merged.nodes.has(id) ? merged.nodes.get(id) : local.nodes.get(id)) ?? null;
	const keyNow = (key: string) => (merged.keys.has(key) ? merged.keys.get(key) : local.keys.get(key)) ?? null;
	const back = yield* takenBack(remaining, nodeNow, shadow);
	const counter = new Counter();
	for (const ids of [back.nodes, base.nodes]) {
		for (const id of ids.keys()) {
			if (counter.isDue()) yield* pause();
			const wanted = (base.nodes.has(id) ? base.nodes.get(id) : local.nodes.get(id)) ?? null;
			const found = (back.nodes.has(id) ? back.nodes.get(id) : nodeNow(id)) ?? null;
			if (differs(found, wanted)) shadow.nodes.set(id, wanted);
		}
	}
	for (const keys of [back.keys, base.keys]) {
		for (const key of keys.keys()) {
			const wanted = (base.keys.has(key) ? base.keys.get(key) : local.keys.get(key)) ?? null;
			const found = (back.keys.has(key) ? back.keys.get(key) : keyNow(key)) ?? null;
			if (found?.nodeId !== wanted?.nodeId) shadow.keys.set(key, wanted);
		}
	}
	return shadow;
}
