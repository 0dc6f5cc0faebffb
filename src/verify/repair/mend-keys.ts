import type { Call } from "../../engine/call.js";
import type { Changes } from "../../engine/changes.js";
import { ask, type Operation } from "../../engine/protocol.js";
import { groupOf } from "../../reference/key-group.js";
import { keyProblem, type Problem } from "../problem.js";
import type { Repair } from "./repair-report.js";

/** Moves keys into their own groups, and drops invalid keys, whose nodes stay. */
export function* mendKeys(_: Call, changes: Changes, problems: readonly Problem[]): Operation<Repair[]> {
	const repairs: Repair[] = [];
	for (const key of new Set(problems.flatMap(({ key }) => key ?? []))) {
		// The only query that returns a key of any group.
		const [{ keys }] = yield* ask({ type: "subtree", of: { key } });
		const record = keys.find((each) => each.key === key);
		if (record === undefined) continue;
		const { group, nodeId } = record;
		const right = groupOf(key);
		if (right === group) continue;
		const detail = `It was listed under ${group}, for the node ${nodeId}.`;
		if (right === null) changes.removeKey(record);
		else changes.putKey(record, { ...record, group: right });
		repairs.push({
			problem: keyProblem(right === null ? "invalid_key" : "misplaced_key", key, nodeId, detail),
			action: right === null ? "The key was dropped; its node stays." : `It is listed under ${right} now.`,
			nodeId,
		});
	}
	return repairs;
}
