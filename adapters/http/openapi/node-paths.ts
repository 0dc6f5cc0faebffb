import { type Operation, type Paths, reads, writes } from "./operation.js";
import { idempotencyKey, idParameter, inQuery, mirrorsParameter, parentReference } from "./parameters.js";
import { named } from "./schema.js";

/** The error codes of references. */
const ofReferences = ["invalid_argument", "invalid_reference", "unsupported_reference", "not_found"] as const;

const aboutNode = { tag: "nodes", parameters: [idParameter], codes: ofReferences } as const;
const done = { gives: { "application/json": named("Done") }, answer: "The operation succeeded." } as const;
const optionalBody = { takes: { "application/json": named("Nothing") } } as const;

/** The endpoints of nodes. */
export const nodePaths: Paths<Operation> = {
	"/api/v1/nodes": {
		get: reads({
			operationId: "listNodes",
			tag: "nodes",
			summary: "List the children of a node, or of the top level",
			parameters: [inQuery("parent_id", "The parent. Default: the top level.", parentReference)],
			gives: { "application/json": named("NodeList") },
			answer: "The children in no order: sort them by `priority`.",
			codes: ofReferences,
		}),
		post: writes({
			operationId: "createNode",
			tag: "nodes",
			summary: "Create a node",
			description:
				"Inbox and calendar nodes are created on demand. Below a mirror, the node is created below the mirror's origin.",
			parameters: [idempotencyKey],
			takes: { "application/json": named("NewNode") },
			bodyRequired: true,
			gives: { "application/json": named("Created") },
			answer: "The node has been created.",
			codes: [...ofReferences, "idempotency_mismatch"],
		}),
	},
	"/api/v1/nodes/{id}": {
		get: reads({
			operationId: "retrieveNode",
			...aboutNode,
			summary: "Retrieve a node",
			gives: { "application/json": named("NodeAnswer") },
			answer: "The node.",
		}),
		post: writes({
			operationId: "updateNode",
			...aboutNode,
			summary: "Change a node's name, note, layout mode, properties or completion",
			description:
				"For a mirror, it changes the origin. The name is an HTML fragment, unless `format` has another value.",
			takes: { "application/json": named("NodeUpdate") },
			...done,
			codes: [...ofReferences, "edit_conflict"],
		}),
		delete: writes({
			operationId: "deleteNode",
			...aboutNode,
			summary: "Delete a node with its subtree permanently",
			parameters: [idParameter, mirrorsParameter],
			...done,
			codes: [...ofReferences, "has_mirrors"],
		}),
	},
	"/api/v1/nodes/{id}/deletion-plan": {
		get: reads({
			operationId: "planDeletion",
			...aboutNode,
			summary: "Return the effects of a deletion, without deleting",
			parameters: [idParameter, mirrorsParameter],
			gives: { "application/json": named("DeletionPlanAnswer") },
			answer: "The plan.",
			codes: [...ofReferences, "forbidden", "too_large"],
		}),
	},
	"/api/v1/nodes/{id}/move": {
		post: writes({
			operationId: "moveNode",
			...aboutNode,
			summary: "Move a node with its subtree",
			takes: { "application/json": named("NewPlace") },
			...done,
			codes: [...ofReferences, "would_create_cycle"],
		}),
	},
	"/api/v1/nodes/{id}/duplicate": {
		post: writes({
			operationId: "duplicateNode",
			...aboutNode,
			summary: "Copy a node with its subtree",
			description:
				"The copy of a mirror is a mirror of the same origin, or of the origin's copy if the origin is copied too.",
			parameters: [idParameter, idempotencyKey],
			takes: { "application/json": named("NewCopy") },
			gives: { "application/json": named("Created") },
			answer: "The copy has been created.",
			codes: [...ofReferences, "would_create_cycle", "idempotency_mismatch"],
		}),
	},
	"/api/v1/nodes/{id}/mirror": {
		post: writes({
			operationId: "mirrorNode",
			...aboutNode,
			summary: "Mirror a node",
			parameters: [idParameter, idempotencyKey],
			takes: { "application/json": named("NewMirror") },
			bodyRequired: true,
			gives: { "application/json": named("CreatedMirror") },
			answer: "The mirror has been created.",
			codes: [...ofReferences, "would_create_cycle", "idempotency_mismatch"],
		}),
		delete: writes({
			operationId: "removeMirror",
			...aboutNode,
			summary: "Delete a mirror; its origin stays",
			...done,
			codes: [...ofReferences, "not_a_mirror", "has_mirrors"],
		}),
	},
	"/api/v1/nodes/{id}/complete": {
		post: writes({
			operationId: "completeNode",
			...aboutNode,
			summary: "Complete a node, or a mirror's origin",
			...optionalBody,
			...done,
		}),
	},
	"/api/v1/nodes/{id}/uncomplete": {
		post: writes({
			operationId: "uncompleteNode",
			...aboutNode,
			summary: "Reopen a completed node, or a mirror's origin",
			...optionalBody,
			...done,
		}),
	},
	"/api/v1/nodes/{id}/backlinks": {
		get: reads({
			operationId: "listBacklinks",
			...aboutNode,
			summary: "List the nodes that link to a node",
			gives: { "application/json": named("Backlinks") },
			answer: "The nodes whose name or note has the node's address or its short id, up to 1,000.",
		}),
	},
	"/api/v1/trees": {
		post: writes({
			operationId: "createTree",
			tag: "nodes",
			summary: "Create a node with its subtree",
			parameters: [idempotencyKey],
			takes: { "application/json": named("NewTree") },
			bodyRequired: true,
			gives: { "application/json": named("CreatedTree") },
			answer: "All nodes have been created.",
			codes: [...ofReferences, "idempotency_mismatch"],
		}),
	},
	"/api/v1/batch": {
		post: writes({
			operationId: "batch",
			tag: "nodes",
			summary: "Run several operations in one commit: all or none",
			description: "Each operation reads the results of the operations before it.",
			parameters: [idempotencyKey],
			takes: { "application/json": named("Batch") },
			bodyRequired: true,
			gives: { "application/json": named("BatchResults") },
			answer: "All operations succeeded.",
			codes: [
				"edit_conflict",
				...ofReferences,
				"reserved_key",
				"has_mirrors",
				"not_a_mirror",
				"would_create_cycle",
				"idempotency_mismatch",
			],
			inBatch: true,
		}),
	},
};
