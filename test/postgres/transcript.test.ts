import { createMemoryStorage } from "outlinekit/memory";
import { createPostgresStorage } from "outlinekit/postgres";
import { afterAll, beforeAll, expect, test } from "vitest";
import { soak } from "../file/soak.js";
import { takeTranscript } from "../transcript/transcript.js";
import { PostgresServer } from "./server.js";

const seed = 20_261_121;
const operations = 20_000 * soak;

// Nothing here is about power cuts, and each of so many commits would wait for the disk.
const server = new PostgresServer({ fsync: "off" });
beforeAll(() => server.start());
afterAll(() => server.stop());

test(`${operations} random operations from seed ${seed} show the same as in memory`, {
	timeout: 240_000 * soak,
}, async () => {
	await server.createDatabase("transcript");
	const pool = server.pool("transcript");
	const kept = createMemoryStorage();
	const expected = await takeTranscript({ open: () => kept, durable: false }, seed, operations);
	const open = () => createPostgresStorage(pool, { outline: "transcript" });
	expect(await takeTranscript({ open, durable: true }, seed, operations)).toEqual(expected);
});
