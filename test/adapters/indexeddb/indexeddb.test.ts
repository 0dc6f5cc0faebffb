import { describe, expect, test } from "vitest";
import type { IndexedDbFactory } from "../../../adapters/indexeddb/open.js";
import { createIndexedDbStorage, type IndexedDbStorageOptions } from "../../../adapters/indexeddb.js";
import { FaultyIndexedDb } from "../../faults/faulty-indexeddb.js";
import { adding } from "../../support/batches.js";

describe("createIndexedDbStorage", () => {
	test("refuses names and options that aren't allowed, at once", () => {
		const refused: [unknown, object][] = [
			["", {}],
			[undefined, {}],
			[1, {}],
			["a", { durability: "default" }],
			["a", { openTimeout: 0 }],
			["a", { openTimeout: 1.5 }],
			["a", { openTimeout: 2 ** 31 }],
			["a", { openTimeout: Number.POSITIVE_INFINITY }],
			["a", { compactAfter: 0 }],
			["a", { compactAfter: "9" }],
		];
		for (const [name, options] of refused) {
			expect(() => createIndexedDbStorage(name as string, options as IndexedDbStorageOptions)).toThrowError(
				expect.objectContaining({ code: "invalid_argument" }),
			);
		}
	});

	test("keeps outlines with different names apart", async () => {
		const { options } = new FaultyIndexedDb(new IDBFactory());
		const storages = ["a", "A", "a ", "ä", "a\u0308"].map((name) => createIndexedDbStorage(name, options));
		for (const [place, storage] of storages.entries()) {
			expect(await storage.commit(adding(place, 0))).toBe(1);
			await storage.close();
		}
	});

	test("accepts the IndexedDB of a browser", () => {
		// This tests the types: a browser's factory has the required type.
		const fits = (factory: IDBFactory): IndexedDbFactory => factory;
		expect(fits).toBeTypeOf("function");
	});
});
