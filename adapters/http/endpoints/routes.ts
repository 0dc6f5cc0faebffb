import { LazyModule } from "../../../src/engine/lazy-module.js";
import type { OutlineNode } from "../../../src/node.js";
import type { OperationInputs, OperationName } from "../../../src/operations/description.js";
import { fieldsIn, inputFields } from "../server/fields.js";
import type { JsonObject } from "../server/json-body.js";
import { listOf } from "../server/json-text.js";
import { offered, type ServedOutline } from "../server/options.js";
import { withinLimit } from "../server/rate-limit.js";
import type { AuthenticatedRequest } from "../server/request-call.js";
import { TextBody } from "../server/response.js";
import { textStream } from "../server/text-stream.js";
import { wireNode } from "../server/wire.js";
import { batch, createdMirror, createTree } from "./batch.js";
import { streamChanges } from "./change-stream.js";
import { deleteNode, planDeletion } from "./deleting.js";
import { exportFile, importFile } from "./exchange.js";
import { exportStream, nodeListWriter } from "./export.js";
import { idempotent } from "./idempotency.js";
import { listBacklinks, listChanges, listTags, readTree, searchNodes } from "./reading.js";

/** Answers a call. Resolves with the value to send as JSON, or with a {@link TextBody}. */
type Handler = (call: AuthenticatedRequest) => Promise<object>;

/**
 * The handler of a method on a path. For `json`, the server reads a JSON body first. An `open` endpoint
 * needs no API key.
 */
export type Endpoint =
	| { readonly kind: "bare" | "json"; readonly handle: Handler }
	| { readonly kind: "open"; readonly answer: () => Promise<object> };

/** A path and the endpoints of its methods. */
export interface Route {
	/** Of its segments, `:id` stands for any one. */
	readonly path: string;
	/** Matches the path, also with a slash at the end. Its group is the segment at `:id`. */
	readonly pattern: RegExp;
	readonly methods: Readonly<Record<string, Endpoint>>;
}

/** The routes of the endpoints of spec §4 and of further ones. */
export const routes: readonly Route[] = [
	route("/api/v1/nodes", { GET: bare(listNodes), POST: json(createNode) }),
	route("/api/v1/nodes/:id", { GET: bare(retrieveNode), POST: json(updateNode), DELETE: bare(deleteNode) }),
	route("/api/v1/nodes/:id/move", { POST: json(moveNode) }),
	route("/api/v1/nodes/:id/duplicate", { POST: json(duplicateNode) }),
	route("/api/v1/nodes/:id/mirror", { POST: json(mirrorNode), DELETE: bare(removeMirror) }),
	route("/api/v1/nodes/:id/complete", { POST: json(completeNode) }),
	route("/api/v1/nodes/:id/uncomplete", { POST: json(uncompleteNode) }),
	route("/api/v1/nodes-export", { GET: bare(exportNodes) }),
	route("/api/v1/targets", { GET: bare(listTargets) }),
	route("/api/v1/trees", { POST: json(createTree) }),
	route("/api/v1/batch", { POST: json(batch) }),
	route("/api/v1/tree", { GET: bare(readTree) }),
	route("/api/v1/search", { GET: bare(searchNodes) }),
	route("/api/v1/tags", { GET: bare(listTags) }),
	route("/api/v1/nodes/:id/backlinks", { GET: bare(listBacklinks) }),
	route("/api/v1/nodes/:id/deletion-plan", { GET: bare(planDeletion) }),
	route("/api/v1/changes", { GET: bare(listChanges) }),
	route("/api/v1/changes/stream", { GET: bare(streamChanges) }),
	route("/api/v1/export", { GET: bare(exportFile) }),
	route("/api/v1/import", { POST: bare(importFile) }),
	route("/api/v1/sync", { POST: bare(synchronize) }),
	route("/api/v1/sync/image", { GET: bare(syncImage) }),
	// The description is no secret, and tools read it before they have a key.
	route("/api/v1/openapi.json", { GET: { kind: "open", answer: describeApi } }),
];

/** The methods of all paths. */
export const routedMethods: readonly string[] = [...new Set(routes.flatMap(({ methods }) => Object.keys(methods)))];

/** Long, and rarely read. */
const descriptionModule = new LazyModule("The description of the API", () => import("../openapi/document.js"));

/** Most servers have no devices that synchronize. */
const syncModule = new LazyModule("The endpoints of sync", () => import("./sync.js"));

async function describeApi(): Promise<object> {
	return (await descriptionModule.load()).openApiDocument;
}

async function synchronize(call: AuthenticatedRequest): Promise<object> {
	return (await syncModule.load()).synchronize(call);
}

async function syncImage(call: AuthenticatedRequest): Promise<object> {
	return (await syncModule.load()).syncImage(call);
}

function route(path: string, methods: Readonly<Record<string, Endpoint>>): Route {
	const pattern = RegExp(`^${path.replace(".", "\\.").replace(":id", "([^/]*)")}/?$`);
	return { path, pattern, methods };
}

function bare(handle: Handler): Endpoint {
	return { kind: "bare", handle };
}

function json(handle: Handler): Endpoint {
	return { kind: "json", handle };
}

const ok = { status: "ok" };

/** Spec §4.1. */
async function createNode({ outline, body, header }: AuthenticatedRequest): Promise<object> {
	const node = await outline.create({ ...input("create", body), ...idempotent(header) });
	return { item_id: node.id };
}

/** Spec §4.2. */
async function updateNode({ outline, id, body }: AuthenticatedRequest): Promise<object> {
	await outline.update(id, input("update", body));
	return ok;
}

/** Spec §4.3. */
async function retrieveNode({ outline, id }: AuthenticatedRequest): Promise<object> {
	return { node: wireNode(await outline.get(id)) };
}

/** A longer list of children is read while it is sent, so that a slow client doesn't hold it in memory. */
const longestList = 10_000;

/** Spec §4.4. */
async function listNodes({ outline, query, signal, report }: AuthenticatedRequest): Promise<object> {
	const { nodes, mirror } = await outline.list(query.get("parent_id") ?? undefined);
	const members = mirror === undefined ? {} : { mirror: { origin_id: mirror.originId } };
	if (nodes.length <= longestList || outline.walk == null) return { nodes: listOf(nodes, wireNode), ...members };
	const children = childrenOf(outline.walk.bind(outline), nodes[0]!.parentId);
	return new TextBody(await textStream(children, nodeListWriter(members), signal, report), "application/json");
}

/** The children of a node, or of the top level. Reads them in portions, during the iteration. */
async function* childrenOf(
	walk: NonNullable<ServedOutline["walk"]>,
	parentId: string | null,
): AsyncGenerator<OutlineNode> {
	for await (const { node, path } of walk(parentId, { depth: 1, budget: Number.POSITIVE_INFINITY })) {
		if (parentId === null || path.length > 1) yield node;
	}
}

/** Spec §4.6. */
async function moveNode({ outline, id, body }: AuthenticatedRequest): Promise<object> {
	await outline.move(id, input("move", body));
	return ok;
}

/** `POST /api/v1/nodes/:id/duplicate`: copies a node with its subtree. */
async function duplicateNode({ outline, id, body, header }: AuthenticatedRequest): Promise<object> {
	const node = await offered(outline, "duplicate")(id, { ...input("duplicate", body), ...idempotent(header) });
	return { item_id: node.id };
}

/** Spec §4.7. */
async function mirrorNode({ outline, id, body, header }: AuthenticatedRequest): Promise<object> {
	return createdMirror(await outline.mirror(id, { ...input("mirror", body), ...idempotent(header) }));
}

/** Spec §4.8. */
async function removeMirror({ outline, id }: AuthenticatedRequest): Promise<object> {
	await outline.removeMirror(id);
	return ok;
}

/** Spec §4.9. */
async function completeNode({ outline, id }: AuthenticatedRequest): Promise<object> {
	await outline.complete(id);
	return ok;
}

/** Spec §4.10. */
async function uncompleteNode({ outline, id }: AuthenticatedRequest): Promise<object> {
	await outline.uncomplete(id);
	return ok;
}

/** Spec §4.11. */
async function exportNodes({ outline, apiKey, signal, exportLimit, report }: AuthenticatedRequest): Promise<TextBody> {
	const begin = () => exportStream(outline.export(), signal, report);
	return new TextBody(await withinLimit(exportLimit, outline, apiKey, begin), "application/json");
}

/** Spec §4.12. */
async function listTargets({ outline }: AuthenticatedRequest): Promise<object> {
	return { targets: await outline.targets() };
}

/** Reads the input of an operation from a body. The outline checks its types. */
function input<T extends OperationName>(type: T, body: JsonObject): OperationInputs[T] {
	return fieldsIn(body, inputFields(type), nullable) as OperationInputs[T];
}

/** Fields in which `null` has a meaning, or is an error. */
const nullable = ["parent", "name", "note"];
