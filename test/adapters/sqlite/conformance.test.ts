import { dirname, join } from "node:path";
import { afterAll, beforeAll, test } from "vitest";
import { createSqliteStorage } from "../../../adapters/sqlite.js";
import { storageConformance, type Traits } from "../../conformance/index.js";
import { soak, thorough } from "../../setup/soak.js";
import { describeClients } from "./clients.js";
import { storageInParts } from "./in-parts.js";
import { type OpenDatabase, openDatabase } from "./open-database.js";

const timeout = 60_000;
const traits: Traits = { durable: true, multiProcess: true, watch: true, peek: true };
const pollInterval = 20;

/** Smaller than the suite has by default: a test of the whole size in the thorough run is enough. */
const smaller = {
	sizes: { levels: 300, siblings: 2_000, changes: 1_000, mirrors: 50, characters: 100_000 },
	random: { sequences: 3 },
};

describeClients(
	"a file for each outline, a connection for each storage",
	(client) => {
		const directory = dirname(client.path());
		const create = (name: string) => createSqliteStorage(client.open(join(directory, name)), { pollInterval });
		storageConformance({ test, create, traits, ...(soak > 1 ? { random: { sequences: 4 } } : smaller) });
	},
	timeout,
);

/** The same storage, with commits in parts, or with its outlines in other places. */
if (thorough) {
	describeClients("a file for each outline, and nearly every commit written in parts", (client) => {
		const directory = dirname(client.path());
		const create = (name: string) => storageInParts(client.open(join(directory, name)));
		const sizes = { ...smaller.sizes, siblings: 300, changes: 300, characters: 30_000 };
		storageConformance({ test, create, traits, sizes, random: { sequences: 2 } });
	});

	describeClients("one file for all outlines, a connection for each storage", (client) => {
		const path = client.path();
		const create = (outline: string) =>
			createSqliteStorage(client.open(path), { outline, synchronous: "normal", pollInterval });
		storageConformance({ test, create, traits, ...smaller });
	});

	describeClients("one connection to memory for all storages", (client) => {
		let database: OpenDatabase;
		beforeAll(() => {
			database = openDatabase(client.name, ":memory:");
		});
		afterAll(() => void database.close());
		const create = (outline: string) => createSqliteStorage(database, { outline, pollInterval });
		storageConformance({ test, create, traits, ...smaller });
	});
}
