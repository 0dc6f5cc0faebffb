import type { Call } from "../../engine/call.js";
import type { Changes } from "../../engine/changes.js";
import { ask, type Operation } from "../../engine/protocol.js";
import { farthestSound, gap } from "../../place/priority.js";
import { parentLocator } from "../../storage.js";
import { comparePriorities, numberOf } from "../audit-table.js";
import { nodeProblem, type Problem } from "../problem.js";
import { isPriority } from "../record-rules.js";
import { idsOf, named } from "./mend-records.js";
import type { Repair } from "./repair-report.js";

/** Gives siblings valid and distinct priorities. Keeps their order, and as many priorities as possible. */
export function* mendPriorities(_: Call, changes: Changes, problems: readonly Problem[]): Operation<Repair[]> {
	const repairs: Repair[] = [];
	const [nodes] = yield* ask({ type: "related", ids: idsOf(problems) });
	const parents = new Set(named(nodes, problems).map(({ record }) => record.parentId));
	for (const parentId of parents) {
		const [children] = yield* ask({ type: "children", of: parentLocator(parentId), scope: "own" });
		const records = children
			.map(({ record }) => record)
			.sort((left, right) => comparePriorities(left.priority, right.priority) || (left.id < right.id ? -1 : 1));
		const priorities = distinctPriorities(records.map(({ priority }) => numberOf(priority)));
		for (const [index, record] of records.entries()) {
			const priority = priorities[index]!;
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

/**
 * Valid and distinct priorities for given ones in ascending order. Keeps the order, and as many priorities as
 * possible. If some would leave the range, spreads all of them out again.
 */
export function distinctPriorities(given: readonly number[]): number[] {
	const right: number[] = [];
	const first = given.findIndex(isWithin);
	// Priorities below the range go before the first one within it, and priorities above it go behind the last
	// one, with gaps.
	const start = first < 0 ? 0 : Math.floor(given[first]!) - gap * first;
	for (const [index, priority] of given.entries()) {
		const last = right.at(-1);
		if (last === undefined || index < first) right.push(start + gap * index);
		else if (isWithin(priority)) right.push(Math.max(Math.floor(priority), last + 1));
		else right.push(last + gap);
	}
	return right.every(isWithin) ? right : given.map((_, index) => gap * index);
}

function isWithin(priority: number): boolean {
	return Math.abs(priority) <= farthestSound;
}
