import { createPostgresStorage } from "outlinekit/postgres";
import { afterAll, beforeAll, expect, test } from "vitest";
import { expectedTranscript, operations, seeds } from "../../transcript/sequences.js";
import { takeTranscript } from "../../transcript/transcript.js";
import { PostgresServer } from "./server.js";

// This test doesn't concern power cuts, and each of so many commits would wait for the disk.
const server = new PostgresServer({ fsync: "off" });
beforeAll(async () => {
	await server.start();
	await server.createDatabase("transcript");
});
afterAll(() => server.stop());

test.each(seeds)(
	`${operations} random operations from seed %i show the same as in memory`,
	{ timeout: 240_000 },
	async (seed) => {
		const expected = await expectedTranscript(seed);
		const pool = server.pool("transcript");
		const open = () => createPostgresStorage(pool, { outline: `transcript ${seed}` });
		expect(await takeTranscript({ open, durable: true }, seed, operations)).toEqual(expected);
	},
);
