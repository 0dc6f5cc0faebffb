import type { WireNode } from "../../adapters/http/index.js";
import { createHttpHandler } from "../../adapters/http/index.js";
import type { ChangedKey } from "../../src/engine/event.js";
import { OutlineError, type OutlineErrorCode } from "../../src/errors.js";
import type { OutlineNode } from "../../src/node.js";
import type { OperationName } from "../../src/operations/description.js";
import type { Outline } from "../../src/outline.js";
import type { OutlineChanges } from "../../src/read/changes.js";
import type { Target } from "../../src/read/targets.js";

/** A key in an answer with changes. */
interface WireKey extends Omit<ChangedKey, "nodeId"> {
	readonly node_id: string | null;
}

/**
 * An outline behind its HTTP interface, with all methods that write, and the methods that the random tests read
 * with. So a test of an outline also tests the whole binding.
 */
export function remoteOutline(outline: Outline): Outline {
	const handler = createHttpHandler({ authenticate: () => outline, exportsPerMinute: Number.POSITIVE_INFINITY });
	async function request(method: string, path: string, body?: object): Promise<Record<string, unknown>> {
		const response = await handler(
			new Request(`http://127.0.0.1/api/v1${path}`, {
				method,
				headers: { authorization: "Bearer key", "content-type": "application/json" },
				...(body !== undefined && { body: JSON.stringify(body) }),
			}),
		);
		const answer = (await response.json()) as Record<string, unknown>;
		if (response.ok) return answer;
		throw new OutlineError(answer.code as OutlineErrorCode, answer.detail as string);
	}
	const at = (ref: string, suffix = "") => `/nodes/${encodeURIComponent(ref)}${suffix}`;
	const node = async (ref: string) => fromWire((await request("GET", at(ref))).node as WireNode);
	/** Performs an operation that has no request of its own. */
	const inBatch = async (type: OperationName, fields: object) => {
		const { results } = await request("POST", "/batch", { operations: [{ type, ...fields }] });
		return (results as { item_id?: string }[])[0]!.item_id;
	};
	const remote: Pick<Outline, OperationName> & Partial<Outline> = {
		async create({ parent, name, note, layoutMode, properties, completed, position }) {
			const created = await request("POST", "/nodes", {
				parent_id: parent,
				name,
				note,
				data: { layoutMode, properties },
				completed,
				position,
			});
			return node(created.item_id as string);
		},
		async update(ref, input) {
			await request("POST", at(ref), input);
			return node(ref);
		},
		async ensure(ref) {
			return node((await inBatch("ensure", { id: ref }))!);
		},
		async setShortcut(key, ref) {
			await inBatch("setShortcut", { key, id: ref });
		},
		async deleteShortcut(key) {
			await inBatch("deleteShortcut", { key });
		},
		// No random test creates trees over HTTP.
		createTree: outline.createTree.bind(outline),
		get: node,
		async list(parent) {
			const query = parent === undefined || parent === null ? "" : `?${new URLSearchParams({ parent_id: parent })}`;
			const { nodes, mirror } = (await request("GET", `/nodes${query}`)) as {
				nodes: WireNode[];
				mirror?: { origin_id: string | null };
			};
			const sorted = nodes
				.map(fromWire)
				.sort((left, right) => left.priority - right.priority || (left.id < right.id ? -1 : 1));
			return mirror === undefined ? { nodes: sorted } : { nodes: sorted, mirror: { originId: mirror.origin_id } };
		},
		async delete(ref) {
			await request("DELETE", at(ref));
		},
		async move(ref, { parent, position } = {}) {
			await request("POST", at(ref, "/move"), { parent_id: parent, position });
			return node(ref);
		},
		async duplicate(ref, { parent, position } = {}) {
			const { item_id } = await request("POST", at(ref, "/duplicate"), { parent_id: parent, position });
			return node(item_id as string);
		},
		async mirror(ref, { parent, position }) {
			const created = await request("POST", at(ref, "/mirror"), { parent_id: parent, position });
			const mirror = await node(created.item_id as string);
			if ((mirror.mirror as { originId: string }).originId !== created.origin_id) throw new Error("another origin_id");
			return mirror;
		},
		async removeMirror(ref) {
			await request("DELETE", at(ref, "/mirror"));
		},
		async complete(ref) {
			await request("POST", at(ref, "/complete"));
			return node(ref);
		},
		async uncomplete(ref) {
			await request("POST", at(ref, "/uncomplete"));
			return node(ref);
		},
		async *export() {
			const { nodes } = (await request("GET", "/nodes-export")) as { nodes: WireNode[] };
			yield* nodes.map(fromWire);
		},
		async changes({ since, limit }) {
			const query = new URLSearchParams({ since: `${since}`, ...(limit !== undefined && { limit: `${limit}` }) });
			const { nodes, keys, ...rest } = await request("GET", `/changes?${query}`);
			return {
				...(rest as Omit<OutlineChanges, "nodes" | "keys">),
				nodes: (nodes as WireNode[]).map(fromWire),
				keys: (keys as WireKey[]).map(({ key, type, node_id }) => ({ key, type, nodeId: node_id })),
			};
		},
		async targets() {
			return (await request("GET", "/targets")).targets as Target[];
		},
	};
	return new Proxy(outline, {
		get(target, name) {
			const method = remote[name as keyof Outline] ?? target[name as keyof Outline];
			return typeof method === "function" ? method.bind(target) : method;
		},
	});
}

function fromWire({ data, parent_id, ...shared }: WireNode): OutlineNode {
	const { layoutMode, properties = {} } = data;
	const node: OutlineNode = { ...shared, parentId: parent_id, layoutMode, properties };
	if (data.mirror !== undefined) {
		node.mirror =
			"origin_id" in data.mirror ? { originId: data.mirror.origin_id } : { mirrorIds: data.mirror.mirror_ids };
	}
	return node;
}
