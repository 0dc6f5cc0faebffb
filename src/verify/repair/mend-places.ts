import type { Call } from "../../engine/call.js";
import type { Changes } from "../../engine/changes.js";
import { drawIds } from "../../engine/id-source.js";
import { ask, type Operation } from "../../engine/protocol.js";
import { newRecord, originIdOf } from "../../node.js";
import { farthestSound, gap } from "../../place/priority.js";
import type { StoredNode } from "../../storage.js";
import { nodeProblem, type Problem, type ProblemKind } from "../problem.js";
import { isPriority } from "../record-rules.js";
import { idsOf, named } from "./mend-records.js";
import type { Repair } from "./repair-report.js";

/** The repairs of places, and the node that holds the moved nodes. */
export interface Recovery {
	readonly repairs: Repair[];
	/** The id of the node that holds the moved nodes; `null` while there is none. */
	readonly recoveredId: string | null;
}

/** The name of the node at the bottom of the top level that holds the moved nodes. */
const recoveredName = "Recovered";

/**
 * Moves nodes with an invalid place, and their subtrees, under the node `Recovered`, which it creates if
 * necessary.
 */
export function* mendPlaces(
	call: Call,
	changes: Changes,
	problems: readonly Problem[],
	recoveredId: string | null,
): Operation<Recovery> {
	const [related] = yield* ask({ type: "related", ids: idsOf(problems) });
	const nodes = named(related, problems);
	const parentIds = nodes.flatMap(({ record }) => record.parentId ?? []);
	const [above] = yield* ask({ type: "related", ids: parentIds });
	const parents = new Map(above.map((node) => [node.record.id, node]));
	const misplaced: { node: StoredNode; kind: ProblemKind }[] = [];
	for (const node of nodes) {
		const { parentId } = node.record;
		const kind = parentId === null ? null : yield* flawOf(node, parents.get(parentId));
		if (kind !== null) misplaced.push({ node, kind });
	}
	if (misplaced.length === 0) return { repairs: [], recoveredId };
	const holder = yield* holderOf(call, changes, recoveredId);
	const repairs = misplaced.map(({ node: { record }, kind }, index): Repair => {
		const { id, parentId } = record;
		changes.put(record, { ...record, parentId: holder.id, priority: holder.next + gap * index });
		const action = `It was put under the node ${recoveredName} (${holder.id}), with all below it.`;
		return { problem: nodeProblem(kind, id, `Its parent was ${parentId}.`, parentId), action, nodeId: id };
	});
	return { repairs, recoveredId: holder.id };
}

/** The problem of a node's place, if any. */
function* flawOf(node: StoredNode, parent: StoredNode | undefined): Operation<ProblemKind | null> {
	if (parent === undefined) return "missing_parent";
	const { id } = node.record;
	if (parent.record.id !== id && originIdOf(parent) === originIdOf(node)) return "same_origin_as_parent";
	return (yield* isBelow(parent, id)) ? "parent_cycle" : null;
}

/**
 * Whether a node is below another one. Reads one parent after another, because storages may answer
 * differently on cycles.
 */
function* isBelow(node: StoredNode, id: string): Operation<boolean> {
	const seen = new Set<string>();
	let at: StoredNode | null = node;
	while (at !== null && at.record.id !== id && !seen.has(at.record.id)) {
		seen.add(at.record.id);
		if (at.record.parentId === null) return false;
		const [above]: readonly [StoredNode | null] = yield* ask({ type: "node", at: { id: at.record.parentId } });
		at = above;
	}
	return at?.record.id === id;
}

/** The node `Recovered`, and the priority of its next child. */
function* holderOf(
	call: Call,
	changes: Changes,
	recoveredId: string | null,
): Operation<{ readonly id: string; readonly next: number }> {
	if (recoveredId !== null) {
		const at = { id: recoveredId };
		const [holder, last] = yield* ask(
			{ type: "node", at },
			{ type: "children", of: at, scope: "own", limit: 1, fromLast: true },
		);
		if (holder !== null) return { id: recoveredId, next: below(last[0]) };
	}
	const bottom = { type: "children", of: null, scope: "own", limit: 1, fromLast: true } as const;
	const { ids, answers } = yield* drawIds(call.ids, 1, bottom);
	const id = ids[0]!;
	const place = { id, parentId: null, priority: below(answers[0][0]) };
	changes.put(null, newRecord({ ...place, name: recoveredName }, call.seconds));
	return { id, next: 0 };
}

/** A priority behind the last sibling. If that one's own is invalid, the next round mends both. */
function below(last: StoredNode | undefined): number {
	if (last === undefined) return 0;
	const { priority } = last.record;
	return isPriority(priority) ? priority + gap : farthestSound / 2;
}
