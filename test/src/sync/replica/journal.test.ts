import { expect, test } from "vitest";
import { createMemoryStorage } from "../../../../adapters/memory.js";
import { read } from "../../../../src/engine/protocol.js";
import { newRecord } from "../../../../src/node.js";
import { type KnownNodes, noSurroundings } from "../../../../src/sync/replica/commit-delta.js";
import { deltaDocuments, readEntries } from "../../../../src/sync/replica/exchange-documents.js";
import { entryDocuments } from "../../../../src/sync/replica/journal.js";
import { lineOf } from "../../../../src/sync/replica/read-line.js";
import { numberedId } from "../../../support/ids.js";

const many = 2000;
const known: KnownNodes = Array.from({ length: many }, (_, at) => [numberedId(many + at), { parentId: null }]);
const nodes = Array.from({ length: many }, (_, at) => {
	const after = newRecord({ id: numberedId(at), parentId: numberedId(many + at), priority: 0, name: `node ${at}` }, 1);
	return { before: null, after };
});

const keys = Array.from({ length: many }, (_, at) => {
	return { before: null, after: { key: `key${at}`, group: "shortcut", nodeId: numberedId(at), revision: 1 } };
});

/** Returns the most keys, and the most nodes that aren't in its changes, of a line of an entry. */
function largest(documents: Parameters<typeof lineOf>[0][]): number[] {
	const lines = documents.map(lineOf);
	const most = (lists: (readonly unknown[])[]) => Math.max(...lists.map(({ length }) => length));
	return [most(lines.map((line) => line.keys ?? [])), most(lines.map(({ known = {} }) => Object.keys(known)))];
}

/** A server refuses the whole entry if one of its lines has too many values. */
test("each line of a large entry has its share of the keys and of the nodes around the changes", async () => {
	const surroundings = { anchors: () => ({ above: null, below: null }), known: () => known };
	const put = entryDocuments({ base: 0, nodes, keys }, surroundings, 1);
	expect(put.length).toBeGreaterThan(2);
	expect(largest(put)).toEqual([Math.ceil(many / put.length), Math.ceil(many / put.length)]);
	expect(put.map((document) => lineOf(document).more)).toEqual([...put.slice(1).map(() => true), undefined]);

	const next = entryDocuments({ base: 1, nodes: nodes.slice(0, 1), keys: [] }, noSurroundings, 1);
	const storage = createMemoryStorage();
	await storage.commit({ base: 0, nodes: [], keys: [], documents: { put: [...put, ...next], dropped: [] } });
	const { settled } = await read(storage, readEntries);
	const [entry, after] = "value" in settled ? settled.value : [];
	expect([after!.delta.known, after!.delta.keys]).toEqual([undefined, undefined]);
	expect(Object.entries(entry!.delta.known!)).toEqual(known);
	expect(entry!.delta.keys!.map(({ key }) => key)).toEqual(keys.map((change) => change.after.key));
	expect(entry!.delta.nodes).toHaveLength(many);

	// A rebase stores entries again.
	const again = await read(storage, () => deltaDocuments(2, entry!.delta));
	const documents = "value" in again.settled ? again.settled.value : [];
	expect(largest(documents)).toEqual([Math.ceil(many / documents.length), Math.ceil(many / documents.length)]);
	const lines = documents.map(lineOf);
	expect(lines.flatMap((line) => Object.entries(line.known!))).toEqual(known);
	expect(lines.flatMap((line) => line.keys!)).toEqual(entry!.delta.keys);
	expect(lines.map(({ more, at }) => more ?? at)).toEqual([...lines.slice(1).map(() => true), 1]);
});
