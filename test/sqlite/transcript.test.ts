import { createMemoryStorage } from "outlinekit/memory";
import { createSqliteStorage } from "outlinekit/sqlite";
import { expect, test } from "vitest";
import { soak } from "../file/soak.js";
import { takeTranscript } from "../transcript/transcript.js";
import { describeClients } from "./clients.js";

const seed = 20_261_121;
const operations = 20_000 * soak;

describeClients(
	`${operations} random operations on SQLite storage from seed ${seed}`,
	(client) => {
		test("show the same as in memory", { timeout: 120_000 * soak }, async () => {
			const kept = createMemoryStorage();
			const expected = await takeTranscript({ open: () => kept, durable: false }, seed, operations);
			const database = client.open(client.path());
			const open = () => createSqliteStorage(database, { synchronous: "normal" });
			expect(await takeTranscript({ open, durable: true }, seed, operations)).toEqual(expected);
		});
	},
	120_000 * soak,
);
