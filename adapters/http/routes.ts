import type { JsonObject } from "./body.js";
import { batch, createdMirror, createTree } from "./bulk.js";
import { streamChanges } from "./change-stream.js";
import { exportStream } from "./export.js";
import type { ExportLimit } from "./export-limit.js";
import type { ServedOutline } from "./options.js";
import { listChanges, readTree, searchNodes } from "./reading.js";
import { wireNode } from "./wire.js";

/** A request that has been let in, as an operation sees it. */
export interface Call {
	readonly outline: ServedOutline;
	readonly apiKey: string;
	/** What stands for `:id` in the path, decoded; empty where the path has none. */
	readonly id: string;
	readonly query: URLSearchParams;
	readonly headers: Headers;
	/** Empty but for POST. */
	readonly body: JsonObject;
	/** Aborts when the client is gone. */
	readonly signal: AbortSignal;
	readonly exportLimit: ExportLimit;
	/** Takes an error that comes too late for the response. */
	readonly report: (error: unknown) => void;
}

/** Carries out a call. The answer is the body of the response: JSON, or the stream of it; or the whole response. */
export type Operation = (call: Call) => Promise<object | ReadableStream<Uint8Array> | Response>;

/** A path and what its methods do. */
export interface Route {
	/** The segments after the first slash; `:id` takes any. */
	readonly segments: readonly string[];
	readonly methods: Readonly<Record<string, Operation>>;
}

/** The twelve endpoints of spec §4, and ours. */
export const routes: readonly Route[] = [
	route("api/v1/nodes", { GET: listNodes, POST: createNode }),
	route("api/v1/nodes/:id", { GET: retrieveNode, POST: updateNode, DELETE: deleteNode }),
	route("api/v1/nodes/:id/move", { POST: moveNode }),
	route("api/v1/nodes/:id/mirror", { POST: mirrorNode, DELETE: removeMirror }),
	route("api/v1/nodes/:id/complete", { POST: completeNode }),
	route("api/v1/nodes/:id/uncomplete", { POST: uncompleteNode }),
	route("api/v1/nodes-export", { GET: exportNodes }),
	route("api/v1/targets", { GET: listTargets }),
	route("api/v1/trees", { POST: createTree }),
	route("api/v1/batch", { POST: batch }),
	route("api/v1/tree", { GET: readTree }),
	route("api/v1/search", { GET: searchNodes }),
	route("api/v1/changes", { GET: listChanges }),
	route("api/v1/changes/stream", { GET: streamChanges }),
];

/** Every method that some path takes. */
export const routedMethods: readonly string[] = [...new Set(routes.flatMap(({ methods }) => Object.keys(methods)))];

function route(path: string, methods: Readonly<Record<string, Operation>>): Route {
	return { segments: path.split("/"), methods };
}

const ok = { status: "ok" };

/** Spec §4.1. */
async function createNode({ outline, body }: Call): Promise<object> {
	const node = await outline.create(argument(body, ["parent_id", "name", "note", "layoutMode", "position", "format"]));
	return { item_id: node.id };
}

/** Spec §4.2. */
async function updateNode({ outline, id, body }: Call): Promise<object> {
	await outline.update(id, argument(body, ["name", "note", "layoutMode", "format"]));
	return ok;
}

/** Spec §4.3. */
async function retrieveNode({ outline, id }: Call): Promise<object> {
	return { node: wireNode(await outline.get(id)) };
}

/** Spec §4.4. */
async function listNodes({ outline, query }: Call): Promise<object> {
	const { nodes, mirror } = await outline.list(query.get("parent_id") ?? undefined);
	const answer = { nodes: nodes.map(wireNode) };
	return mirror === undefined ? answer : { ...answer, mirror: { origin_id: mirror.originId } };
}

/** Spec §4.5. */
async function deleteNode({ outline, id }: Call): Promise<object> {
	await outline.delete(id);
	return ok;
}

/** Spec §4.6. */
async function moveNode({ outline, id, body }: Call): Promise<object> {
	await outline.move(id, argument(body, ["parent_id", "position"]));
	return ok;
}

/** Spec §4.7. */
async function mirrorNode({ outline, id, body }: Call): Promise<object> {
	const node = await outline.mirror(id, argument(body, ["parent_id", "position"]));
	return createdMirror(node);
}

/** Spec §4.8. */
async function removeMirror({ outline, id }: Call): Promise<object> {
	await outline.removeMirror(id);
	return ok;
}

/** Spec §4.9. */
async function completeNode({ outline, id }: Call): Promise<object> {
	await outline.complete(id);
	return ok;
}

/** Spec §4.10. */
async function uncompleteNode({ outline, id }: Call): Promise<object> {
	await outline.uncomplete(id);
	return ok;
}

/** Spec §4.11. An export that fails before its first byte doesn't count against the limit. */
async function exportNodes(call: Call): Promise<ReadableStream<Uint8Array>> {
	const takeBack = call.exportLimit.admit(call.outline, call.apiKey);
	try {
		return await exportStream(call.outline.export(), call.signal, call.report);
	} catch (error) {
		takeBack();
		throw error;
	}
}

/** Spec §4.12. */
async function listTargets({ outline }: Call): Promise<object> {
	return { targets: await outline.targets() };
}

/**
 * The fields of a body that an operation takes, as the outline's argument. Absent ones stay absent. A `null` says "not
 * given" for layoutMode, position and format, and is passed on for the others. Types are the outline's to check, so the result is
 * of whatever type it asks for.
 */
function argument<T>(body: JsonObject, fields: readonly string[]): T {
	const given = fields.filter(
		(field) => Object.hasOwn(body, field) && !(body[field] === null && isOptionalWord(field)),
	);
	return Object.fromEntries(given.map((field) => [field === "parent_id" ? "parent" : field, body[field]])) as T;
}

function isOptionalWord(field: string): boolean {
	return field === "layoutMode" || field === "position" || field === "format";
}
