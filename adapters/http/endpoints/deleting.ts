import type { DeleteInput, MirrorPolicy } from "../../../src/operations/delete/delete.js";
import { offered } from "../server/options.js";
import type { Call } from "../server/request-call.js";

/** `DELETE /api/v1/nodes/:id`: what becomes of mirrors of what is deleted, `mirrors` says. Spec §4.5. */
export async function deleteNode({ outline, id, query }: Call): Promise<object> {
	await outline.delete(id, mirrorsIn(query));
	return { status: "ok" };
}

/** `GET /api/v1/nodes/:id/deletion-plan`: what deleting a node would do. Parameter: `mirrors`, as in the deletion. */
export async function planDeletion({ outline, id, query }: Call): Promise<object> {
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

/** What is to become of mirrors; the outline says which answers there are. */
function mirrorsIn(query: URLSearchParams): DeleteInput {
	const mirrors = query.get("mirrors");
	return mirrors === null ? {} : { mirrors: mirrors as MirrorPolicy };
}
