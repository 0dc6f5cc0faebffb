import type { Call } from "../../engine/call.js";
import type { Changes } from "../../engine/changes.js";
import { ask, newestQuery, type Operation } from "../../engine/protocol.js";
import type { NodeRecord, StoredNode } from "../../storage.js";
import { nodeProblem, type Problem, type ProblemKind } from "../problem.js";
import { mended, recordProblems } from "../record-rules.js";
import type { Repair } from "./repair-report.js";

const actions: { readonly [K in ProblemKind]?: string } = {
	invalid_name: "The name was rewritten as the canonical fragment that shows the same.",
	invalid_note: "The note was rewritten as the text that it shows.",
	invalid_layout_mode: "The layout mode was set to bullets.",
	invalid_properties: "The properties were rewritten as a JSON object. What can't be a value was kept as a text.",
	invalid_time: "The time was cut to whole seconds, or taken from another time of the node.",
	invalid_revision: "The node was written again.",
};

/** Mends the single fields of nodes. */
export function* mendRecords(call: Call, changes: Changes, problems: readonly Problem[]): Operation<Repair[]> {
	const repairs: Repair[] = [];
	const [nodes, { revision }] = yield* ask({ type: "related", ids: idsOf(problems) }, newestQuery);
	for (const { record } of named(nodes, problems)) {
		const flaws = [...recordProblems(record), ...beyond(record, revision)];
		if (flaws.length === 0) continue;
		changes.put(record, mended(record, call.seconds));
		for (const problem of flaws) repairs.push({ problem, action: actions[problem.kind]!, nodeId: record.id });
	}
	return repairs;
}

/** The ids of the nodes that some problems are about. */
export function idsOf(problems: readonly Problem[]): string[] {
	return [...new Set(problems.flatMap(({ nodeId }) => nodeId ?? []))];
}

/** The nodes that some problems are about. */
export function named(nodes: readonly StoredNode[], problems: readonly Problem[]): StoredNode[] {
	const ids = new Set(idsOf(problems));
	return nodes.filter(({ record }) => ids.has(record.id));
}

function* beyond({ id, revision }: NodeRecord, newest: number): Generator<Problem> {
	if (revision > newest) yield nodeProblem("invalid_revision", id, `The revision is ${revision}, of ${newest}.`);
}
