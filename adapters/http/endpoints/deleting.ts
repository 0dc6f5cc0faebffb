import type { DeleteInput, MirrorPolicy } from "../../../src/operations/delete/delete.js";
import { offered } from "../server/options.js";
import type { AuthenticatedRequest } from "../server/request-call.js";

/**
 * `DELETE /api/v1/nodes/:id`. The parameter `mirrors` is the policy for mirrors of deleted origins. Spec
 * §4.5.
 */
export async function deleteNode({ outline, id, query }: AuthenticatedRequest): Promise<object> {
	await outline.delete(id, mirrorsIn(query));
	return { status: "ok" };
}

/** `GET /api/v1/nodes/:id/deletion-plan`: the effects of a deletion with the same parameter `mirrors`. */
export async function planDeletion({ outline, id, query }: AuthenticatedRequest): Promise<object> {
	const plan = await offered(outline, "plan").delete(id, mirrorsIn(query));
	return {
		plan: {
			node_ids: plan.nodeIds,
			mirror_ids: plan.mirrorIds,
			keys: plan.keys,
			forbidden_by: plan.forbiddenBy,
			promoted: plan.promoted.map(({ id, mirrorId }) => ({ id, mirror_id: mirrorId })),
			detached: plan.detached,
			copies: plan.copies,
		},
	};
}

/** The policy for mirrors. The outline checks it. */
function mirrorsIn(query: URLSearchParams): DeleteInput {
	const mirrors = query.get("mirrors");
	return mirrors === null ? {} : { mirrors: mirrors as MirrorPolicy };
}
