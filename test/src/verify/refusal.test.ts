import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { IDBFactory } from "fake-indexeddb";
import { beforeEach, describe, expect, test } from "vitest";
import { createFileStorage } from "../../../adapters/file.js";
import { createIndexedDbStorage } from "../../../adapters/indexeddb.js";
import { createSqliteStorage } from "../../../adapters/sqlite.js";
import type { StorageAdapter } from "../../../src/storage.js";
import { rawChange, rawContent } from "../../adapters/indexeddb/raw.js";
import { type OpenDatabase, openDatabase } from "../../adapters/sqlite/open-database.js";
import { codeOf, newOutline, plant, planted } from "../../support/outline.js";
import { temporaryFolder } from "../../support/temporary.js";
import "../../adapters/indexeddb/globals.js";

/*
 * A storage must never open another outline than the stored one, least of all an empty one: the next save
 * would make that true. So reading, writing, verifying and repairing throw, and change nothing. These tests
 * show the ways in which content may look like nothing. Other kinds of damage are in the tests of each
 * storage: test/adapters/file/damage, test/adapters/indexeddb/journal and test/adapters/sqlite/fault.
 */

/** The error codes of all operations of an outline on a storage. */
async function refusals(storage: StorageAdapter): Promise<Set<string | undefined>> {
	const outline = newOutline({ storage });
	const codes = [
		await codeOf(outline.list()),
		await codeOf(outline.verify()),
		await codeOf(outline.repair()),
		await codeOf(outline.create({ name: "x" })),
	];
	await outline.close();
	return new Set(codes);
}

let directory: string;
beforeEach(() => {
	directory = temporaryFolder();
});

test.each<[string, (lines: string[]) => string[]]>([
	["without its header", (lines) => lines.slice(1)],
	["with its header alone, of a snapshot", ([header]) => [header!.replace('"nodes":0', '"nodes":1')]],
	["with another's header", ([, ...lines]) => ['{"format":"other","version":1}', ...lines]],
	["whose first commit is gone", (lines) => lines.toSpliced(1, 1)],
	["whose first commit is damaged", ([header, commit, ...lines]) => [header!, commit!.replace("a", "b"), ...lines]],
	["of zeros", (lines) => lines.map((line) => "\0".repeat(line.length))],
])("a file: %s is refused and left as it is", async (_, damage) => {
	const path = join(directory, "outline.jsonl");
	const { outline } = await planted("a\n  b\nc", { storage: createFileStorage(path) });
	await outline.close();
	const lines = readFileSync(path, "utf8").split("\n");
	const damaged = damage(lines).join("\n");
	writeFileSync(path, damaged);
	expect(await refusals(createFileStorage(path))).toEqual(new Set(["storage_corrupt"]));
	expect(readFileSync(path, "utf8")).toBe(damaged);
	expect(readdirSync(directory)).toEqual(["outline.jsonl"]);
});

describe("a database of SQLite", () => {
	const path = () => join(directory, "outline.db");
	/** The rows of all tables. */
	const content = (database: OpenDatabase) => {
		const tables = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name").all() as {
			name: string;
		}[];
		return tables.map(({ name }) => [name, database.prepare(`SELECT * FROM "${name}"`).all()]);
	};
	/** Creates a database with an outline, changes it, and closes it, so that only its file remains. */
	async function damaged(statement: string): Promise<void> {
		const database = openDatabase("libsql", path());
		await plant(newOutline({ storage: createSqliteStorage(database) }), "a\n  b\nc");
		database.exec(statement);
		database.prepare("PRAGMA wal_checkpoint(TRUNCATE)").all();
		database.close();
	}

	test.each([
		["without its nodes", "DROP TABLE outlinekit_nodes", "storage_corrupt"],
		["without its outlines", "DROP TABLE outlinekit_outlines", "storage_corrupt"],
		["without its version", "DROP TABLE outlinekit_schema", "storage_corrupt"],
		["with an empty version", "DELETE FROM outlinekit_schema", "storage_corrupt"],
		["of a newer release", "UPDATE outlinekit_schema SET version = 1000", "storage_unavailable"],
		["with a revision that is none", "UPDATE outlinekit_outlines SET revision = 'x'", "storage_corrupt"],
	])("%s is refused and left as it is", async (_, statement, code) => {
		await damaged(statement);
		const bytes = readFileSync(path());
		const database = openDatabase("libsql", path());
		const before = content(database);
		expect(await refusals(createSqliteStorage(database))).toEqual(new Set([code]));
		expect(content(database)).toEqual(before);
		database.close();
		expect(readFileSync(path()).equals(bytes)).toBe(true);
	});

	test("that is no database is refused and left as it is, byte for byte", async () => {
		await damaged("SELECT 1");
		const bytes = readFileSync(path());
		bytes.fill("x", 0, 100);
		for (const suffix of ["-wal", "-shm"]) rmSync(`${path()}${suffix}`, { force: true });
		writeFileSync(path(), bytes);
		const database = openDatabase("libsql", path());
		expect(await refusals(createSqliteStorage(database))).toEqual(new Set(["storage_corrupt"]));
		database.close();
		expect(readFileSync(path()).equals(bytes)).toBe(true);
	});

	test("without its outline in the list keeps the nodes, and a new outline of that name is empty", async () => {
		await damaged("DELETE FROM outlinekit_outlines");
		const database = openDatabase("libsql", path());
		const nodes = "SELECT * FROM outlinekit_nodes WHERE name IN ('a', 'b', 'c') ORDER BY id";
		const before = database.prepare(nodes).all();
		expect(before.length).toBe(3);
		const outline = newOutline({ storage: createSqliteStorage(database) });
		await outline.create({ name: "x" });
		await outline.repair();
		expect(database.prepare(nodes).all()).toEqual(before);
		database.close();
	});
});

test.each<[string, string, (store: IDBObjectStore) => unknown]>([
	["without its meta record", "meta", (store) => store.clear()],
	["without its snapshot", "blocks", (store) => store.clear()],
	["without its journal", "journal", (store) => store.clear()],
	[
		"with a journal that breaks off in front of the snapshot",
		"journal",
		(store) => store.delete(IDBKeyRange.lowerBound(2)),
	],
])("a database of IndexedDB: %s is refused and left as it is", async (_, name, damage) => {
	const indexedDB = new IDBFactory();
	const open = () => createIndexedDbStorage("outline", { indexedDB, compactAfter: 1 });
	const { outline } = await planted("a\n  b\nc\nd\ne\nf\ng", { storage: open() });
	await outline.close();
	await rawChange(indexedDB, "outline", name, damage);
	const before = await rawContent(indexedDB, "outline");
	expect(await refusals(open())).toEqual(new Set(["storage_corrupt"]));
	expect(await rawContent(indexedDB, "outline")).toEqual(before);
});
