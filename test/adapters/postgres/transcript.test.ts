import { createPostgresStorage } from "outlinekit/postgres";
import { expect, test } from "vitest";
import { expectedTranscript, operations, seeds } from "../../transcript/sequences.js";
import { takeTranscript } from "../../transcript/transcript.js";
import { testServer } from "./database.js";

const server = testServer("transcript");

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
