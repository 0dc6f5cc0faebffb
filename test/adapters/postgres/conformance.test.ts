import { createPostgresStorage } from "outlinekit/postgres";
import type pg from "pg";
import { beforeAll, describe, test } from "vitest";
import { storageConformance, type Traits } from "../../conformance/index.js";
import { soak, thorough } from "../../setup/soak.js";
import { testServer } from "./database.js";

const traits: Traits = {
	durable: true,
	multiProcess: true,
	watch: true,
	peek: "every answer comes from the database",
};

const server = testServer("conformance");
let pool: pg.Pool;
beforeAll(() => {
	pool = server.pool("conformance");
});

describe("PostgreSQL, with notifications", () => {
	const create = (outline: string) => createPostgresStorage(pool, { outline });
	const sizes = soak === 1 ? { levels: 500, siblings: 5_000, changes: 5_000 } : {};
	storageConformance({ test, create, traits, sizes, random: { sequences: 2 * soak } });
});

if (thorough) {
	describe("PostgreSQL, without notifications", () => {
		storageConformance({
			test,
			create: (outline) => createPostgresStorage(pool, { outline, notify: false, pollInterval: 20 }),
			traits,
			sizes: { levels: 100, siblings: 1000, changes: 1000, mirrors: 50, characters: 100_000 },
			random: { sequences: soak, commits: 20 },
		});
	});
}
