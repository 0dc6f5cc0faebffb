import type { Call } from "../../engine/call.js";
import type { Changes } from "../../engine/changes.js";
import { ask, type Operation } from "../../engine/protocol.js";
import type { NodeRecord } from "../../storage.js";
import { nodeProblem, type Problem } from "../problem.js";
import { idsOf, named } from "./mend-records.js";
import type { Repair } from "./repair-report.js";

/**
 * Mends mirrors whose origin is missing or a mirror. Points them at the true origin if the mirrors lead to
 * one. Otherwise makes them plain nodes with the content of their own records.
 */
export function* mendOrigins(_: Call, changes: Changes, problems: readonly Problem[]): Operation<Repair[]> {
	const repairs: Repair[] = [];
	const [nodes] = yield* ask({ type: "related", ids: idsOf(problems) });
	for (const { record, origin } of named(nodes, problems)) {
		const { id, originId } = record;
		if (originId === null || (origin !== null && origin.originId === null)) continue;
		const target = origin === null ? null : yield* trueOrigin(record, origin);
		changes.put(record, { ...record, originId: target?.id ?? null });
		for (const concerned of [origin, target]) if (concerned !== null && concerned.id !== id) changes.touch(concerned);
		const kind = originId === id ? "own_origin" : origin === null ? "missing_origin" : "mirror_as_origin";
		repairs.push({
			problem: nodeProblem(kind, id, `Its origin is ${originId}.`, originId),
			action:
				target === null
					? "It was made a node that is no mirror, with the content of its own record."
					: `It was made a mirror of ${target.id}, to which its origin leads.`,
			nodeId: id,
		});
	}
	return repairs;
}

/** The node at the end of a chain of mirrors; null if there is none. */
function* trueOrigin(mirror: NodeRecord, origin: NodeRecord): Operation<NodeRecord | null> {
	const seen = new Set([mirror.id]);
	let at: NodeRecord | null = origin;
	while (at !== null && at.originId !== null) {
		if (seen.has(at.id)) return null;
		seen.add(at.id);
		const [node]: readonly [{ readonly record: NodeRecord } | null] = yield* ask({
			type: "node",
			at: { id: at.originId },
		});
		at = node?.record ?? null;
	}
	return at;
}
