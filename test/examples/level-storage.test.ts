import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ClassicLevel } from "classic-level";
import { afterAll, describe, expect, test } from "vitest";
import { createLevelStorage } from "../../examples/level-storage/level-storage.js";
import type { Database } from "../../examples/level-storage/rows.js";
import { storageConformance, type Traits } from "../conformance/index.js";
import { soak, thorough } from "../setup/soak.js";
import { sharedFolder } from "../support/temporary.js";

const traits: Traits = {
	durable: true,
	multiProcess: "LevelDB lets in one process, and an outline has one storage there",
	watch: true,
	peek: "every answer comes from the database",
};

const directory = sharedFolder();
const databases = new Map<string, ClassicLevel>();
afterAll(async () => {
	for (const database of databases.values()) await database.close();
});

/** The database in a directory of its own. It stays open, as that of a host does. */
function database(name: string): Database {
	const open = databases.get(name) ?? new ClassicLevel(join(directory, name));
	databases.set(name, open);
	// The types are right. But they refer to each other, and TypeScript fails to resolve them when it checks
	// this file alone.
	return open as unknown as Database;
}

/** Smaller than the suite has by default, because each answer comes from the disk. */
const small = { levels: 100, siblings: 1000, changes: 1000, mirrors: 50 };

// A search that ends just before a name of megabytes reads the name, so the name has its own database here.
describe("a storage on LevelDB, in a database for each outline", () => {
	storageConformance({
		test,
		traits,
		create: (outline) => createLevelStorage(database(outline), { outline }),
		sizes: thorough ? { levels: 300, siblings: 3_000, changes: 3_000 } : small,
		random: { sequences: 2 * soak },
	});
});

if (thorough) {
	describe("a storage on LevelDB, in one database for all outlines", () => {
		storageConformance({
			test,
			traits,
			create: (outline) => createLevelStorage(database("all"), { outline }),
			sizes: { ...small, characters: 10_000 },
		});
	});
}

test("the page about storages quotes the example exactly", () => {
	const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");
	const quotes = [...read("docs/write-your-own-storage.md").matchAll(/^```ts\n\/\/ (\S+)\n(.*?)^```$/gms)];
	expect(quotes.length).toBeGreaterThan(5);
	for (const [, file, quote] of quotes) expect(read(`examples/level-storage/${file}`)).toContain(quote);
});
