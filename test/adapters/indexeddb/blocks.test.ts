import { serialize } from "node:v8";
import { describe, expect, test } from "vitest";
import { smallBlocks } from "../../../adapters/indexeddb/blocks.js";
import type { IndexPart } from "../../../adapters/resident/index/record-index.js";
import { contentOf } from "../../../adapters/resident/snapshot-block.js";
import type { NodeRecord } from "../../../src/storage.js";
import { recordAt } from "../../support/batches.js";

const empty = { nodes: [], keys: [], deleted: [], droppedKeys: [], documents: [] };

function imageOf(names: readonly string[], more: Partial<NodeRecord> = {}): Required<IndexPart> {
	const nodes = names.map((name, number) => ({ ...recordAt(number, 1), name, ...more }));
	return { ...empty, nodes };
}

/** The content of all blocks together. */
function contentOfAll(blocks: Iterable<Parameters<typeof contentOf>[0]>) {
	const parts = Array.from(blocks, contentOf);
	return {
		nodes: parts.flatMap(({ nodes = [] }) => nodes),
		keys: parts.flatMap(({ keys = [] }) => keys),
		deleted: parts.flatMap(({ deleted = [] }) => deleted),
		droppedKeys: parts.flatMap(({ droppedKeys = [] }) => droppedKeys),
		documents: parts.flatMap(({ documents = [] }) => documents),
	};
}

describe("the blocks of a snapshot", () => {
	const images: Record<string, Required<IndexPart>> = {
		"empty names": imageOf(Array(2_000).fill("")),
		"short names": imageOf(Array.from({ length: 2_000 }, (_, number) => `task ${number}`)),
		"long names": imageOf(Array.from({ length: 300 }, (_, number) => `${number}`.repeat(1_000))),
		"names of two bytes a character": imageOf(Array.from({ length: 300 }, () => "漢字".repeat(300))),
		"names and notes": imageOf(Array(300).fill("n".repeat(500)), {
			note: "note".repeat(100),
			completedAt: 1_700_000_000,
		}),
		properties: imageOf(Array(300).fill("n"), { properties: `{"text":"${"p".repeat(500)}"}` }),
		"large numbers": imageOf(Array(1_000).fill("x"), {
			parentId: recordAt(1, 1).id,
			originId: recordAt(2, 1).id,
			priority: Number.MAX_SAFE_INTEGER,
			createdAt: 1_700_000_000,
			modifiedAt: 1_700_000_000,
		}),
	};

	for (const [name, image] of Object.entries(images)) {
		test(`with ${name} are small enough for the database, and not much smaller; nothing is missing`, () => {
			const blocks = [...smallBlocks(image)];
			const sizes = blocks.map((block) => serialize(block).length);
			expect(Math.max(...sizes)).toBeLessThan(1 << 16);
			expect(Math.max(...sizes)).toBeGreaterThan(1 << 14);
			expect(contentOfAll(blocks)).toEqual(image);
		});
	}

	test("hold keys, tombstones and documents too, and any single node or document, however large", () => {
		const record = recordAt(1, 1);
		const image: Required<IndexPart> = {
			nodes: [recordAt(0, 1), { ...record, name: "x".repeat(1_000_000) }, recordAt(2, 1)],
			keys: Array.from({ length: 2_000 }, (_, revision) => {
				return { key: `key ${revision}`, group: "shortcut", nodeId: record.id, revision };
			}),
			deleted: Array.from({ length: 2_000 }, (_, number) => ({ id: recordAt(number, 1).id, revision: number })),
			droppedKeys: Array.from({ length: 2_000 }, (_, revision) => ({ key: `dropped ${revision}`, revision })),
			documents: Array.from({ length: 200 }, (_, number) => ({
				key: `request/${number}`,
				value: (number % 2 === 0 ? "a" : "漢").repeat(number === 100 ? 1_000_000 : 1000),
			})),
		};
		const blocks = [...smallBlocks(image)];
		expect(contentOfAll(blocks)).toEqual(image);
		const large = blocks.filter((block) => serialize(block).length >= 1 << 16);
		expect(large.map(contentOf)).toMatchObject([{ nodes: [{}] }, { documents: [{}] }]);
	});

	test("are empty for an empty outline", () => {
		expect([...smallBlocks(imageOf([]))]).toEqual([]);
	});
});
