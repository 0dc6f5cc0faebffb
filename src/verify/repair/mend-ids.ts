import type { Call } from "../../engine/call.js";
import type { Changes } from "../../engine/changes.js";
import { drawIds } from "../../engine/id-source.js";
import { ask, type Operation } from "../../engine/protocol.js";
import { isId, shortIdOf } from "../../id.js";
import type { NodeRecord } from "../../storage.js";
import { isRightId } from "../id-numbers.js";
import { nodeProblem, type Problem } from "../problem.js";
import type { Repair } from "./repair-report.js";

/**
 * Gives another id to nodes with an invalid id, or with the short id of another node: the same in lower case
 * if that is valid and free, else a new one. Children, mirrors and keys follow. Of two nodes with the same
 * short id, the one that the storage returns for it keeps its id.
 */
export function* mendIds(call: Call, changes: Changes, problems: readonly Problem[]): Operation<Repair[]> {
	const repairs: Repair[] = [];
	for (const { nodeId, otherId } of problems) {
		const id = otherId === null ? nodeId! : yield* notHolder(nodeId!, otherId);
		if (id === null || (otherId === null && isRightId(id))) continue;
		const newId = yield* rename(call, changes, id);
		if (newId === null) continue;
		const kind = otherId === null ? "invalid_id" : "duplicate_short_id";
		repairs.push({
			problem: nodeProblem(kind, id, `The id was ${id}.`, otherId),
			action: `The node was given the id ${newId}, and all that named it follows.`,
			nodeId: newId,
		});
	}
	return repairs;
}

/**
 * The id of the one of two nodes that the storage doesn't return for their short id; null unless both exist.
 */
function* notHolder(id: string, otherId: string): Operation<string | null> {
	const [node, other, holder] = yield* ask(
		{ type: "node", at: { id } },
		{ type: "node", at: { id: otherId } },
		{ type: "node", at: { shortId: shortIdOf(id) } },
	);
	if (node === null || other === null) return null;
	return holder?.record.id === id ? otherId : id;
}

/** Gives a node another id and returns that. Null if the node doesn't exist any more. */
function* rename(call: Call, changes: Changes, id: string): Operation<string | null> {
	const at = { id };
	const [node, children, related, subtree] = yield* ask(
		{ type: "node", at },
		{ type: "children", of: at, scope: "own" },
		{ type: "related", ids: [id] },
		{ type: "subtree", of: at },
	);
	if (node === null) return null;
	const newId = yield* freeId(call, id);
	const follow = (named: string | null) => (named === id ? newId : named);
	const records = new Map<string, NodeRecord>();
	for (const { record } of [...children, ...related]) {
		if (record.parentId === id || record.originId === id) records.set(record.id, record);
	}
	records.delete(id);
	for (const record of records.values()) {
		changes.put(record, { ...record, parentId: follow(record.parentId), originId: follow(record.originId) });
	}
	const { record, origin } = node;
	changes.remove(record);
	changes.put(null, { ...record, id: newId, parentId: follow(record.parentId), originId: follow(record.originId) });
	if (origin !== null && origin.id !== id) changes.touch(origin);
	for (const key of subtree.keys) if (key.nodeId === id) changes.putKey(key, { ...key, nodeId: newId });
	return newId;
}

/** The id in lower case, if it is valid then, and no other node has it or its short id; else a new one. */
function* freeId(call: Call, id: string): Operation<string> {
	const lower = id.toLowerCase();
	if (lower !== id && isId(lower)) {
		const [taken] = yield* ask({ type: "taken", shortIds: [shortIdOf(lower)] });
		// Its own short id doesn't count, which may have no letters.
		if (taken.length === 0 || shortIdOf(lower) === shortIdOf(id)) {
			const [other] = yield* ask({ type: "node", at: { id: lower } });
			if (other === null) return lower;
		}
	}
	const { ids } = yield* drawIds(call.ids, 1);
	return ids[0]!;
}
