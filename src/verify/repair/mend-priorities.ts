import type { Call } from "../../engine/call.js";
import type { Changes } from "../../engine/changes.js";
import { ask, type Reading } from "../../engine/protocol.js";
import { comparePriorities, distinctPriorities, isPriority, numberOf } from "../priorities.js";
import { nodeProblem, type Problem } from "../problem.js";
import { idsOf, named } from "./mend-records.js";
import type { Repair } from "./repair-report.js";

/** Gives siblings right and distinct priorities, in the order in which they stand, and leaves as many as can be as they are. */
export function* mendPriorities(_: Call, changes: Changes, problems: readonly Problem[]): Reading<Repair[]> {
	const repairs: Repair[] = [];
	const [nodes] = yield* ask({ type: "related", ids: idsOf(problems) });
	const parents = new Set(named(nodes, problems).map(({ record }) => record.parentId));
	for (const parentId of parents) {
		const of = parentId === null ? null : { id: parentId };
		const [children] = yield* ask({ type: "children", of, scope: "own" });
		const records = children
			.map(({ record }) => record)
			.sort((left, right) => comparePriorities(left.priority, right.priority) || (left.id < right.id ? -1 : 1));
		const priorities = distinctPriorities(records.map(({ priority }) => numberOf(priority)));
		for (const [place, record] of records.entries()) {
			const priority = priorities[place]!;
			const { id, priority: before } = record;
			if (before === priority) continue;
			changes.put(record, { ...record, priority });
			const kind = isPriority(before) ? "duplicate_priority" : "invalid_priority";
			repairs.push({
				problem: nodeProblem(kind, id, `The priority was ${before}, which it couldn't keep among its siblings.`),
				action: `It was given the priority ${priority}, at the same place among its siblings.`,
				nodeId: id,
			});
		}
	}
	return repairs;
}
