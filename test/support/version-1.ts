import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect } from "vitest";
import type { BatchOperation } from "../../src/operations/batch.js";
import type { CreateInput } from "../../src/operations/create.js";
import type { IdempotencyInput } from "../../src/operations/idempotency.js";
import { Outline } from "../../src/outline.js";
import type { Key, StorageAdapter } from "../../src/storage.js";
import { stateText, storedState } from "../model/witness.js";
import { countedIds } from "./ids.js";
import { codeOf } from "./outline.js";

/** Returns the path of a file that version 0.1 has made. */
export function fixture(name: string): string {
	return fileURLToPath(new URL(`../fixtures/version-1/${name}`, import.meta.url));
}

/** Returns the content of a file of JSON that version 0.1 has made. */
export function fixtureJson<T>(name: string): T {
	return JSON.parse(readFileSync(fixture(name), "utf8"));
}

/** The outline as version 0.1 returned it. */
const expected = fixtureJson<{
	now: number;
	revision: number;
	deleted: string[];
	export: string[];
	keys: Key[];
	results: Record<"short" | "again" | "long", unknown>;
	requests: {
		short: [CreateInput];
		again: [CreateInput];
		long: [BatchOperation[], IdempotencyInput];
	};
}>("expected.json");

const groups = new Set(expected.keys.map(({ group }) => group));

/** Returns a text that is the same for the same content of a storage, except for tombstones of keys. */
export async function stateOf(storage: StorageAdapter): Promise<string> {
	return stateText({ ...(await storedState(storage, groups)), droppedKeys: new Map() });
}

/**
 * Proves that a storage holds all that version 0.1 stored, and goes on from there.
 *
 * @param open - opens a storage on the data, which may be used already
 * @param stored - returns the stored data
 */
export async function proveKept(open: () => StorageAdapter, stored: () => unknown): Promise<void> {
	const storage = open();
	const state = await stateOf(storage);
	await expectContent(storage);
	await expectReceipts(outlineOn(storage));
	expect(await stateOf(storage)).toBe(state);
	await storage.close();

	const migrated = await stored();
	const again = open();
	expect(await stateOf(again)).toBe(state);
	await again.close();
	expect(await stored()).toEqual(migrated);
	await proveWrites(open);
}

async function expectContent(storage: StorageAdapter): Promise<void> {
	const outline = outlineOn(storage);
	expect(await exportOf(outline)).toEqual(expected.export);
	const { deleted, revision } = await outline.changes({ since: 0 });
	expect({ deleted, revision }).toEqual({ deleted: expected.deleted, revision: expected.revision });
	const [changes] = (await storage.read([{ type: "changes", since: 0, limit: 10_000 }])).results;
	const found = changes.keys.toSorted((left, right) => (left.key < right.key ? -1 : 1));
	expect(found).toEqual(expected.keys.map((key) => ({ ...key, revision: expect.any(Number) })));
	for (const { revision } of found) expect(revision).toBeGreaterThan(0);
	expect(changes.horizon).toBe(0);
	expect((await outline.verify()).problems).toEqual([]);
}

/** Expects that no request with an idempotency key has a second effect. */
async function expectReceipts(outline: Outline): Promise<void> {
	const { short, again, long } = expected.requests;
	const results = {
		short: await outline.create(...short),
		again: await outline.create(...again),
		long: await outline.batch(...long),
	};
	expect(results).toEqual(withProperties(expected.results));
	for (const [input] of [short, again]) {
		expect(await codeOf(outline.create({ ...input, name: "another" }))).toBe("idempotency_mismatch");
	}
	expect((await outline.changes({ since: 0 })).revision).toBe(expected.revision);
}

/** A result of version 0.1, whose nodes had no properties. */
function withProperties(result: unknown): unknown {
	return JSON.parse(JSON.stringify(result), (_, value: unknown) =>
		typeof value === "object" && value !== null && "layoutMode" in value ? { ...value, properties: {} } : value,
	);
}

/** Proves that writes work, that they stay, and that the receipts stay until they expire. */
async function proveWrites(open: () => StorageAdapter): Promise<void> {
	const outline = outlineOn(open());
	const { id } = await outline.create({ name: "new", parent: "today", properties: { due: "now" } });
	await outline.setShortcut("home", id);
	await outline.deleteShortcut("list");
	await outline.delete("inbox");
	await outline.create({ name: "once", idempotencyKey: "new" });
	await outline.prune({ before: expected.revision });
	const before = await exportOf(outline);
	await outline.close();

	const storage = open();
	const reopened = outlineOn(storage);
	expect(await exportOf(reopened)).toEqual(before);
	expect(await reopened.get("home")).toMatchObject({ id, properties: { due: "now" } });
	expect((await reopened.verify()).problems).toEqual([]);
	const { revision } = await reopened.changes({ since: 0 });
	await reopened.create(...expected.requests.again);
	await reopened.create({ name: "once", idempotencyKey: "new" });
	expect((await reopened.changes({ since: 0 })).revision).toBe(revision);

	const later = new Outline({ storage, now: () => expected.now + 25 * 60 * 60 * 1000 });
	await later.create({ name: "later", idempotencyKey: "later" });
	const { results } = await storage.read([{ type: "documents", prefix: "" }]);
	expect(results[0].map(({ key }) => key)).toEqual([
		expect.stringMatching(/^receipt-age\/0000001795478400\//),
		expect.stringMatching(/^receipt\/6c61746572$/),
	]);
	await later.close();
}

function outlineOn(storage: StorageAdapter): Outline {
	const generateId = countedIds((drawn) => 10_000 + drawn);
	return new Outline({ storage, timeZone: "UTC", now: () => expected.now, generateId });
}

async function exportOf(outline: Outline): Promise<string[]> {
	let text = "";
	for await (const piece of outline.exportAs("json")) text += piece;
	return text.trimEnd().split("\n");
}
