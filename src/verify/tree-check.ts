import { type AuditTable, none } from "./audit-table.js";
import { nodeProblem, type Problem } from "./problem.js";
import { isPriority } from "./record-rules.js";

/**
 * The problems of ids, places and mirrors that only the whole outline shows, check by check. Yields
 * `undefined` between steps of the work.
 *
 * @param newest - the outline's revision; no node can have a later one
 */
export function* treeProblems(table: AuditTable, newest: number): Generator<Problem | undefined> {
	for (const problems of checks(table, newest)) {
		yield* problems;
		yield;
	}
}

function* checks(table: AuditTable, newest: number): Generator<Iterable<Problem | undefined>> {
	yield idProblems(table);
	yield shortIdProblems(table);
	yield revisionProblems(table, newest);
	yield originProblems(table);
	yield priorityProblems(table);
	yield parentProblems(table);
	yield cycleProblems(table);
	yield sameOriginProblems(table);
}

function* idProblems(table: AuditTable): Generator<Problem> {
	for (const number of table.numbers()) {
		if (table.ids.isRight(number)) continue;
		yield nodeProblem("invalid_id", table.ids.idOf(number), "The id isn't 8-4-4-4-12 hex digits in lower case.");
	}
}

function* shortIdProblems(table: AuditTable): Generator<Problem> {
	const sorted = Float64Array.from(table.numbers(), (number) => table.ids.shortIdOf(number)).sort();
	const shared = new Map<number, number[]>();
	for (let at = 1; at < sorted.length; at++) {
		if (sorted[at] === sorted[at - 1]) shared.set(sorted[at]!, []);
	}
	if (shared.size === 0) return;
	for (const number of table.numbers()) shared.get(table.ids.shortIdOf(number))?.push(number);
	for (const numbers of shared.values()) {
		// The node that was written first keeps the short id.
		const [first, ...others] = numbers.sort((left, right) => table.revisionOf(left) - table.revisionOf(right));
		const firstId = table.ids.idOf(first!);
		for (const number of others) {
			const detail = `The node ${firstId} has the same short id.`;
			yield nodeProblem("duplicate_short_id", table.ids.idOf(number), detail, firstId);
		}
	}
}

function* revisionProblems(table: AuditTable, newest: number): Generator<Problem> {
	for (const number of table.numbers()) {
		const revision = table.revisionOf(number);
		if (!(revision > newest)) continue;
		const detail = `The revision is ${revision}, and the outline is at ${newest}.`;
		yield nodeProblem("invalid_revision", table.ids.idOf(number), detail);
	}
}

function* originProblems(table: AuditTable): Generator<Problem> {
	for (const number of table.numbers()) {
		const origin = table.originOf(number);
		if (origin === none) continue;
		const [id, originId] = [table.ids.idOf(number), table.ids.idOf(origin)];
		if (origin === number) yield nodeProblem("own_origin", id, "The node is a mirror of itself.");
		else if (!table.isPresent(origin)) {
			yield nodeProblem(
				"missing_origin",
				id,
				`Its origin ${originId} isn't there, so it shows its own record.`,
				originId,
			);
		} else if (table.originOf(origin) !== none) {
			yield nodeProblem("mirror_as_origin", id, `Its origin ${originId} is a mirror itself.`, originId);
		}
	}
}

function* priorityProblems(table: AuditTable): Generator<Problem | undefined> {
	for (const number of table.numbers()) {
		const priority = table.priorityOf(number);
		if (isPriority(priority)) continue;
		yield nodeProblem("invalid_priority", table.ids.idOf(number), `The priority is ${priority}.`);
	}
	for (const parent of table.parents()) {
		const children = yield* table.childrenOf(parent);
		for (let at = 1; at < children.length; at++) {
			const [number, other] = [children[at]!, children[at - 1]!];
			const priority = table.priorityOf(number);
			if (!isPriority(priority) || priority !== table.priorityOf(other)) continue;
			const otherId = table.ids.idOf(other);
			const detail = `The sibling ${otherId} has the same priority (${priority}).`;
			yield nodeProblem("duplicate_priority", table.ids.idOf(number), detail, otherId);
		}
	}
}

function* parentProblems(table: AuditTable): Generator<Problem> {
	for (const number of table.numbers()) {
		const parent = table.parentOf(number);
		if (parent === none || table.isPresent(parent)) continue;
		const parentId = table.ids.idOf(parent);
		yield nodeProblem("missing_parent", table.ids.idOf(number), `Its parent ${parentId} isn't there.`, parentId);
	}
}

/**
 * A problem for each cycle, of the node that was written last, because a move of that node may have closed
 * the cycle. If one commit wrote several nodes of it, the one with the lowest id.
 */
function* cycleProblems(table: AuditTable): Generator<Problem> {
	/** The walk that met each node; 0 for none yet. */
	const met = new Int32Array(table.ids.length);
	let walk = 0;
	for (const start of table.numbers()) {
		walk += 1;
		let number = start;
		for (; table.isPresent(number) && met[number] === 0; number = table.parentOf(number)) met[number] = walk;
		if (!table.isPresent(number) || met[number] !== walk) continue;
		let last = number;
		let length = 1;
		for (let at = table.parentOf(number); at !== number; at = table.parentOf(at)) {
			if (wasWrittenLater(table, at, last)) last = at;
			length += 1;
		}
		const detail = `Its parents lead back to it after ${length}, so that none of them is below the top level.`;
		yield nodeProblem("parent_cycle", table.ids.idOf(last), detail, table.ids.idOf(table.parentOf(last)));
	}
}

function wasWrittenLater(table: AuditTable, number: number, other: number): boolean {
	const difference = table.revisionOf(number) - table.revisionOf(other);
	return difference > 0 || (difference === 0 && table.ids.idOf(number) < table.ids.idOf(other));
}

/** The nodes that show the same content as their parents. Spec §4.7. */
function* sameOriginProblems(table: AuditTable): Generator<Problem> {
	for (const number of table.numbers()) {
		const parent = table.parentOf(number);
		// A node that is its own parent is a cycle.
		if (!table.isPresent(parent) || parent === number || table.shownBy(number) !== table.shownBy(parent)) continue;
		const [id, parentId] = [table.ids.idOf(number), table.ids.idOf(parent)];
		const detail = `Its parent ${parentId} shows the same content (of ${table.ids.idOf(table.shownBy(number))}).`;
		yield nodeProblem("same_origin_as_parent", id, detail, parentId);
	}
}
