import "./globals.js";
import { describe, test } from "vitest";
import { createIndexedDbStorage } from "../../../adapters/indexeddb.js";
import { storageConformance, type Traits } from "../../conformance/index.js";
import { thorough } from "../../setup/soak.js";

const traits: Traits = { durable: true, multiProcess: true, watch: true, peek: true };

/** Smaller than the suite has by default. The thorough run also tests the whole size. */
const smaller = { levels: 100, siblings: 1_000, changes: 1_000, mirrors: 50, characters: 100_000 };

describe("an IndexedDB storage", () => {
	const indexedDB = new IDBFactory();
	const create = (name: string) => createIndexedDbStorage(name, { indexedDB });
	storageConformance({ test, create, traits, sizes: thorough ? {} : smaller });
});

if (thorough) {
	describe("an IndexedDB storage with a snapshot after each commit", () => {
		const indexedDB = new IDBFactory();
		storageConformance({
			test,
			create: (name) => createIndexedDbStorage(name, { indexedDB, compactAfter: 1, durability: "relaxed" }),
			traits,
			sizes: smaller,
		});
	});
}
