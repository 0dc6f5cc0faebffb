import { expect, test } from "vitest";
import { createMemoryStorage } from "../../../../adapters/memory.js";
import { read } from "../../../../src/engine/protocol.js";
import { newRecord } from "../../../../src/node.js";
import { type KnownNodes, noSurroundings } from "../../../../src/sync/replica/commit-delta.js";
import { deltaDocuments, readEntries } from "../../../../src/sync/replica/exchange-documents.js";
import { entryDocuments, lineOf } from "../../../../src/sync/replica/journal.js";
import { numberedId } from "../../../support/ids.js";

const many = 2000;
const known: KnownNodes = Array.from({ length: many }, (_, at) => [numberedId(many + at), { parentId: null }]);
const nodes = Array.from({ length: many }, (_, at) => {
	const after = newRecord({ id: numberedId(at), parentId: numberedId(many + at), priority: 0, name: `node ${at}` }, 1);
	return { before: null, after };
});

/** Returns how many nodes each line of an entry names that aren't in its changes. */
function shares(documents: Parameters<typeof lineOf>[0][]): number[] {
	return documents.map((document) => Object.keys(lineOf(document).known ?? {}).length);
}

/** A server refuses the whole entry if one of its lines has too many values. */
test("each line of a large entry has its share of the nodes around the changes, made and stored again", async () => {
	const surroundings = { anchors: () => ({ above: null, below: null }), known: () => known };
	const put = entryDocuments({ base: 0, nodes, keys: [] }, surroundings, 1);
	expect(put.length).toBeGreaterThan(2);
	expect(Math.max(...shares(put))).toBe(Math.ceil(many / put.length));

	const next = entryDocuments({ base: 1, nodes: nodes.slice(0, 1), keys: [] }, noSurroundings, 1);
	const storage = createMemoryStorage();
	await storage.commit({ base: 0, nodes: [], keys: [], documents: { put: [...put, ...next], dropped: [] } });
	const { settled } = await read(storage, readEntries);
	const [entry, after] = "value" in settled ? settled.value : [];
	expect(after!.delta.known).toBeUndefined();
	expect(Object.entries(entry!.delta.known!)).toEqual(known);
	expect(entry!.delta.nodes).toHaveLength(many);

	const again = await read(storage, () => deltaDocuments(2, entry!.delta));
	const documents = "value" in again.settled ? again.settled.value : [];
	expect(Math.max(...shares(documents))).toBe(Math.ceil(many / documents.length));
	expect(documents.flatMap((document) => Object.entries(lineOf(document).known!))).toEqual(known);
});
