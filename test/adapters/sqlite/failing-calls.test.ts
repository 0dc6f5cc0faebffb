import { expect, it } from "vitest";
import { createSqliteStorage, type SqliteDatabase } from "../../../adapters/sqlite.js";
import { OutlineError } from "../../../src/errors.js";
import { flawIn, Trial } from "../../model/trial.js";
import type { StoredState } from "../../model/witness.js";
import { soak } from "../../setup/soak.js";
import { describeClients, type SqliteClient } from "./clients.js";
import { storageInParts } from "./in-parts.js";
import type { OpenDatabase } from "./open-database.js";
import { RecordingDatabase } from "./recording-database.js";

const operations = 6;

/** The distance between the tried calls. A longer run tries more. Each test begins at another call. */
const stride = Math.ceil(15 / soak);

/** The faults, each with the code of its error. */
const faults = {
	SQLITE_BUSY: { number: 5, expected: "storage_unavailable" },
	SQLITE_FULL: { number: 13, expected: "quota_exceeded" },
	SQLITE_IOERR: { number: 10, expected: "storage_unavailable" },
	"something without a code": { number: null, expected: "storage_unavailable" },
} as const;

type FaultName = keyof typeof faults;

/** The number of failing calls, and whether SQLite has already rolled back at the first. */
const extents = {
	once: { failing: 1, rolledBack: false },
	"twice in a row": { failing: 2, rolledBack: false },
	"five times in a row": { failing: 5, rolledBack: false },
	"once, and all is rolled back": { failing: 1, rolledBack: true },
} as const;

type Extent = (typeof extents)[keyof typeof extents];

function errorOf(client: SqliteClient, name: FaultName): Error {
	const { number } = faults[name];
	if (number === null) return new Error("injected");
	const codes = client.name === "node:sqlite" ? { code: "ERR_SQLITE_ERROR", errcode: number } : { code: name };
	return Object.assign(new Error("injected"), codes);
}

/** The ways of writing commits. */
const storages = {
	"at once": (database: SqliteDatabase, outline: string) =>
		createSqliteStorage(database, { outline, synchronous: "normal" }),
	"in parts": (database: SqliteDatabase, outline: string) => storageInParts(database, { outline }),
} as const;

/** Two connections to one file: one with failing calls, and one that observes the result. */
interface Connections {
	readonly client: SqliteClient;
	readonly storageOf: (typeof storages)[keyof typeof storages];
	readonly actual: OpenDatabase;
	readonly observer: OpenDatabase;
}

/** Returns the flaw of an outline's content, as other connections see it. */
async function flawElsewhere({ observer }: Connections, outline: string, expected: StoredState) {
	const storage = createSqliteStorage(observer, { outline });
	const flaw = await flawIn(storage, [expected]);
	await storage.close();
	return flaw;
}

/**
 * Lets some calls fail from one on, and continues. Each operation must succeed, or throw the right code and
 * change nothing. Returns false if there were fewer calls.
 */
async function fail(
	connections: Connections,
	name: FaultName,
	first: number,
	extent: Extent,
	seed: number,
): Promise<boolean> {
	const { client, actual, storageOf } = connections;
	const outlineName = `${seed} ${first}`;
	const database = new RecordingDatabase(actual);
	const where = `seed ${seed}, ${name} at call ${first}`;
	let failed = 0;
	let leftOpen = false;
	const injected = errorOf(client, name);
	database.onCall = ({ index, sql }) => {
		const fails = index >= first && index < first + extent.failing;
		if (sql === "ROLLBACK") leftOpen = fails;
		if (!fails) return;
		failed += 1;
		if (extent.rolledBack && index === first) {
			try {
				actual.exec("ROLLBACK");
			} catch {
				// No transaction is open.
			}
		}
		throw injected;
	};
	const trial = new Trial(storageOf(database, outlineName), seed);
	const { outline, witness } = trial;
	outline.subscribe(() => {});
	for (let made = 0; made < operations; made++) {
		const before = failed;
		const error = await trial.make();
		if (error === undefined) continue;
		expect(failed, `${where}: ${error.message}`).toBeGreaterThan(before);
		expect(error, where).toBeInstanceOf(OutlineError);
		expect([faults[name].expected, "conflict"], `${where}: ${error.message}`).toContain(error.code);
		if (error.code !== "conflict") expect(error.cause, where).toBe(injected);
		// Other connections see none of it. But while a transaction can't be ended, they may have to wait.
		if (!leftOpen) expect(await flawElsewhere(connections, outlineName, witness.acknowledged), where).toBeUndefined();
	}
	database.onCall = () => {};
	const acknowledged = witness.acknowledged.revision;
	await outline.create({ name: "afterwards" });
	expect(witness.acknowledged.revision, where).toBeGreaterThan(acknowledged);
	expect(await flawIn(witness, [witness.acknowledged]), where).toBeUndefined();
	expect(await flawElsewhere(connections, outlineName, witness.acknowledged), where).toBeUndefined();
	// The host can use its connection: no transaction is open.
	actual.exec("BEGIN");
	actual.exec("ROLLBACK");
	await outline.close();
	return failed > 0;
}

for (const [written, storageOf] of Object.entries(storages)) {
	describeClients(`a client of which any call may fail, with commits written ${written}`, (client) => {
		for (const [number, [times, extent]] of Object.entries(extents).entries()) {
			const names = Object.keys(faults) as FaultName[];
			// The code in the error and the state left behind are separate concerns, so other codes are tried only
			// once.
			for (const name of extent === extents.once ? names : (["SQLITE_IOERR"] as const)) {
				it(`with ${name}, ${times}, leaves one state or the other, says why, and can still be used`, async () => {
					const path = client.path();
					const connections = { client, storageOf, actual: client.open(path), observer: client.open(path) };
					for (let seed = 1; seed <= soak; seed++) {
						let index = (number + names.indexOf(name)) % stride;
						while (await fail(connections, name, index, extent, seed)) index += stride;
						expect(index).toBeGreaterThan(40);
					}
				});
			}
		}
	});
}
