import { createSqliteStorage } from "outlinekit/sqlite";
import { expect, test } from "vitest";
import { expectedTranscript, operations, seeds } from "../../transcript/sequences.js";
import { takeTranscript } from "../../transcript/transcript.js";
import { describeClients } from "./clients.js";

describeClients(`${operations} random operations on SQLite storage`, (client) => {
	test.each(seeds)("from seed %i show the same as in memory", { timeout: 120_000 }, async (seed) => {
		const expected = await expectedTranscript(seed);
		const database = client.open(client.path());
		const open = () => createSqliteStorage(database, { synchronous: "normal" });
		expect(await takeTranscript({ open, durable: true }, seed, operations)).toEqual(expected);
	});
});
