import { numberedId } from "../support/ids.js";
/// <reference lib="dom" />

import { createIndexedDbStorage } from "outlinekit/indexeddb";

/** Commits a key on the newest revision, in a page or a worker. Resolves with all keys there are then. */
export async function addKey(name: string, key: string): Promise<string[]> {
	const storage = createIndexedDbStorage(name);
	const { revision: base } = await storage.read([]);
	const after = { key, group: "shortcut", nodeId: numberedId(1), revision: base + 1 };
	const node = {
		id: after.nodeId,
		parentId: null,
		priority: 0,
		name: "",
		note: null,
		layoutMode: "bullets",
		properties: null,
		createdAt: 0,
		modifiedAt: 0,
		completedAt: null,
		originId: null,
		revision: base + 1,
	} as const;
	await storage.commit({
		base,
		nodes: base === 0 ? [{ before: null, after: node }] : [],
		keys: [{ before: null, after }],
	});
	const { results } = await storage.read([{ type: "keys", group: "shortcut" }]);
	await storage.close();
	return results[0].map(({ record }) => record.key).sort();
}

/** {@link addKey} in a worker. */
export function addKeyInWorker(name: string, key: string): Promise<string[]> {
	const worker = new Worker("/page.js", { type: "module" });
	return new Promise((resolve, reject) => {
		worker.onmessage = ({ data }) => {
			worker.terminate();
			resolve(data);
		};
		worker.onerror = ({ message }) => reject(new Error(message));
		worker.postMessage([name, key]);
	});
}

if (typeof document === "undefined") {
	addEventListener("message", async ({ data: [name, key] }) => postMessage(await addKey(name, key)));
}
