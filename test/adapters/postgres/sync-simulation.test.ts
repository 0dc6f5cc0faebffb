import { test } from "vitest";
import { createPostgresStorage } from "../../../adapters/postgres.js";
import { randomId } from "../../../src/id.js";
import { seed, soak } from "../../setup/soak.js";
import { type KindName, kinds } from "../../sync/kinds.js";
import { simulateAll } from "../../sync/simulations.js";
import { testServer } from "./database.js";

const server = testServer("simulations");

const steps = soak === 1 ? 25 : 250 * soak;

test.each(Object.keys(kinds) as KindName[])(
	`devices with the storage %s agree with a server on PostgreSQL, from seed ${seed}`,
	{
		timeout: 240_000 * soak,
	},
	async (name) => {
		const pool = server.pool("simulations");
		const onServer = () => {
			const outline = randomId();
			return { open: () => createPostgresStorage(pool, { outline }) };
		};
		await simulateAll(seed, steps, { server: onServer, device: () => kinds[name] });
	},
);
