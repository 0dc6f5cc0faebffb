import { describe, expect, test } from "vitest";
import { Changes } from "../../../src/engine/changes.js";
import { read } from "../../../src/engine/protocol.js";
import type { NodeReference } from "../../../src/reference/reference.js";
import { Exploration } from "../../../src/scope/exploration.js";
import { assertInside } from "../../../src/scope/guard.js";
import type { Key, KeyRecord, NodeRecord } from "../../../src/storage.js";
import { idOf } from "../../conformance/records.js";
import { recordAt } from "../../support/batches.js";
import { codeOf } from "../../support/outline.js";
import { storageWith } from "./state.js";

// 1 is the node of the scope, 2 and 3 are below it; 4 is outside, with 5 below it.
const parents = [null, 1, 1, null, 4];
const records = parents.map((parent, place) =>
	recordAt(place + 1, 1, { parentId: parent === null ? null : idOf(parent) }),
);
const [top, inside, other, outside, below] = records as [NodeRecord, NodeRecord, NodeRecord, NodeRecord, NodeRecord];
const key: KeyRecord = { key: "k", group: "shortcut", nodeId: inside.id, revision: 1 };
const fresh = recordAt(9, 0, { parentId: inside.id });

/** The error code of the guard for some changes; `undefined` if it allows them. */
async function verdict(
	change: (changes: Changes) => void,
	hiding: string[] = [],
	at = "own",
): Promise<string | undefined> {
	const nodes = new Map(records.map((record) => [record.id, record]));
	const storage = await storageWith({ nodes, keys: new Map() });
	const changes = new Changes();
	change(changes);
	const reference: NodeReference = { form: "shortcut", text: at, at: { key: at } };
	const { settled } = await read(storage, () =>
		assertInside(changes, new Exploration(top.id), new Set(hiding), reference),
	);
	return "error" in settled ? codeOf(Promise.reject(settled.error)) : undefined;
}

describe("the guard of a scope", () => {
	test("allows changes that are inside before and after", async () => {
		expect(await verdict((changes) => changes.put(inside, { ...inside, name: "x" }))).toBeUndefined();
		expect(await verdict((changes) => changes.put(inside, { ...inside, parentId: other.id }))).toBeUndefined();
		expect(await verdict((changes) => changes.put(top, { ...top, name: "x" }))).toBeUndefined();
		expect(await verdict((changes) => changes.put(null, fresh))).toBeUndefined();
		expect(await verdict((changes) => changes.remove(inside))).toBeUndefined();
		expect(await verdict((changes) => changes.touch(outside))).toBeUndefined();
		expect(await verdict((changes) => changes.putKey(key, { ...key, nodeId: other.id }))).toBeUndefined();
		expect(await verdict((changes) => changes.removeKey(key))).toBeUndefined();
	});

	test("refuses changes that are outside before or after", async () => {
		const tries: ((changes: Changes) => void)[] = [
			(changes) => changes.put(outside, { ...outside, name: "x" }),
			(changes) => changes.put(below, { ...below, parentId: inside.id }),
			(changes) => changes.put(inside, { ...inside, parentId: outside.id }),
			(changes) => changes.put(inside, { ...inside, parentId: null }),
			(changes) => changes.put(null, { ...fresh, parentId: below.id }),
			(changes) => changes.put(null, { ...fresh, parentId: null }),
			(changes) => changes.remove(below),
			(changes) => changes.remove(top),
			(changes) => changes.put(top, { ...top, priority: 9 }),
			(changes) => changes.put(top, { ...top, parentId: outside.id }),
			(changes) => changes.putKey(null, key),
			(changes) => changes.putKey(key, { ...key, nodeId: below.id }),
			(changes) => changes.putKey({ ...key, nodeId: below.id }, key),
			(changes) => changes.removeKey({ ...key, nodeId: outside.id }),
		];
		for (const [place, change] of tries.entries()) expect(await verdict(change), `${place}`).toBe("forbidden");
	});

	test("protects the scope's own key, and origins with hidden mirrors", async () => {
		expect(await verdict((changes) => changes.putKey(key, { ...key, nodeId: other.id }), [], "k")).toBe("forbidden");
		expect(await verdict((changes) => changes.removeKey(key), [], "k")).toBe("forbidden");
		expect(await verdict((changes) => changes.remove(inside), [inside.id])).toBe("has_mirrors");
		expect(await verdict((changes) => changes.put(inside, { ...inside, name: "x" }), [inside.id])).toBeUndefined();
	});

	test("allows nodes on demand only inside", async () => {
		const at = (nodeId: string): Key => ({ key: "2026-11-21", group: "2026-11", nodeId });
		expect(await verdict((changes) => changes.materialize(fresh, at(fresh.id), true))).toBeUndefined();
		expect(await verdict((changes) => changes.materialize({ ...fresh, parentId: null }, at(fresh.id), true))).toBe(
			"not_found",
		);
	});
});
