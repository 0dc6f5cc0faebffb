import { calendarKey, inboxKey } from "../id.js";
import { parentKey } from "../reference/calendar.js";
import { groupOf } from "../reference/key-group.js";
import { type StoredKey, shortcutGroup, systemGroup } from "../storage.js";
import type { AuditTable } from "./audit-table.js";
import type { ChangedNodes } from "./changed-nodes.js";
import { keyProblem, type Problem } from "./problem.js";

/** The most groups or keys in one request. */
const pageSize = 16;

/**
 * Checks every listed key: the shortcuts, the inbox, and the calendar from its root down. Returns the number
 * of keys. A key in any other group, or of a missing node, can't be found this way. It has no effect, and
 * setting it replaces it.
 */
export async function checkKeys(
	table: AuditTable,
	changed: ChangedNodes,
	report: (problem: Problem) => void,
): Promise<number> {
	const found = new Set<string>();
	const groups: string[] = [shortcutGroup, systemGroup, calendarKey];
	const known = new Set(groups);
	// The list grows during the loop, because each entry of the calendar is a group as well.
	for (let at = 0; at < groups.length; ) {
		const asked = groups.slice(at, at + pageSize);
		at += asked.length;
		const answers = await changed.read(...asked.map((group) => ({ type: "keys", group }) as const));
		for (const [index, keys] of answers.entries()) {
			for (const stored of keys) {
				const { key } = stored.record;
				found.add(key);
				for (const problem of keyProblems(stored, asked[index]!, table, changed)) report(problem);
				for (const each of [key, parentKey(key)]) {
					if (each === null || each.length > 7 || parentKey(each) === null || known.has(each)) continue;
					known.add(each);
					groups.push(each);
				}
			}
		}
	}
	await checkUnlisted(found, groups, changed, report);
	return found.size;
}

function* keyProblems(
	{ record, node }: StoredKey,
	asked: string,
	table: AuditTable,
	changed: ChangedNodes,
): Generator<Problem> {
	const { key, group, nodeId } = record;
	const right = groupOf(key);
	if (right === null) {
		yield keyProblem("invalid_key", key, nodeId, "It is a calendar form that is no date, or no shortcut can have it.");
	} else if (right !== group) {
		yield keyProblem("misplaced_key", key, nodeId, `It is listed under ${group}, and belongs under ${right}.`);
	}
	if (group !== asked) {
		yield keyProblem("disagreement", key, nodeId, `The storage lists it under ${asked}, and its group is ${group}.`);
	}
	const isThere = node?.record.id === nodeId && (changed.has(nodeId) || table.isPresent(table.ids.find(nodeId)));
	if (!isThere) yield keyProblem("disagreement", key, nodeId, `Its node ${nodeId} isn't there.`);
}

/**
 * Reports the inbox, the calendar, and entries with entries below them if they lead to a node but no group
 * lists them.
 */
async function checkUnlisted(
	found: ReadonlySet<string>,
	groups: readonly string[],
	changed: ChangedNodes,
	report: (problem: Problem) => void,
): Promise<void> {
	const unlisted = [inboxKey, ...groups.slice(2)].filter((key) => !found.has(key));
	for (let at = 0; at < unlisted.length; at += pageSize) {
		const asked = unlisted.slice(at, at + pageSize);
		const nodes = await changed.read(...asked.map((key) => ({ type: "node", at: { key } }) as const));
		for (const [index, node] of nodes.entries()) {
			if (node === null || changed.has(node.record.id)) continue;
			report(
				keyProblem(
					"misplaced_key",
					asked[index]!,
					node.record.id,
					"It leads to a node, and its group doesn't list it.",
				),
			);
		}
	}
}
