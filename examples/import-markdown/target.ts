import type { Outline } from "outlinekit";

/** Where an import goes: an outline in this process, or one behind its HTTP interface. */
export interface ImportTarget {
	/** Creates a node at the bottom of its parent and returns its id. */
	create(parentId: string | null, name: string): Promise<string>;
	/** The children of a node, first to last. */
	children(parentId: string | null): Promise<{ id: string; name: string }[]>;
}

/** An outline in this process. */
export function inProcess(outline: Outline): ImportTarget {
	return {
		async create(parent, name) {
			return (await outline.create({ parent, name, position: "bottom" })).id;
		},
		async children(parent) {
			return (await outline.list(parent)).nodes;
		},
	};
}

/** An outline at an address such as `http://127.0.0.1:3000`. */
export function overHttp(address: string, apiKey: string): ImportTarget {
	async function request(path: string, body?: object): Promise<unknown> {
		const response = await fetch(`${address}/api/v1${path}`, {
			method: body === undefined ? "GET" : "POST",
			headers: { authorization: `Bearer ${apiKey}`, "content-type": "application/json" },
			...(body !== undefined && { body: JSON.stringify(body) }),
		});
		const answer = (await response.json()) as { detail?: string };
		if (!response.ok) throw new Error(answer.detail ?? `The server answered ${response.status}.`);
		return answer;
	}
	return {
		async create(parent_id, name) {
			const { item_id } = (await request("/nodes", { parent_id, name, position: "bottom" })) as { item_id: string };
			return item_id;
		},
		async children(parentId) {
			const query = new URLSearchParams({ parent_id: parentId ?? "None" });
			const { nodes } = (await request(`/nodes?${query}`)) as {
				nodes: { id: string; name: string; priority: number }[];
			};
			return nodes.sort((left, right) => left.priority - right.priority);
		},
	};
}
