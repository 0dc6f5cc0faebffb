import { createPostgresStorage } from "outlinekit/postgres";
import type pg from "pg";
import { beforeAll, describe, test } from "vitest";
import { storageConformance, type Traits } from "../../conformance/index.js";
import { short, soak, thorough } from "../../setup/soak.js";
import { testServer } from "./database.js";

const traits: Traits = {
	durable: true,
	multiProcess: true,
	watch: true,
	peek: "every answer comes from the database",
};

/** Smaller than the suite has by default. The thorough run also tests the whole size. */
const small = { levels: 100, siblings: 1000, changes: 1000, mirrors: 50, characters: 100_000 };

const server = testServer("conformance");
let pool: pg.Pool;
beforeAll(() => {
	pool = server.pool("conformance");
});

describe("PostgreSQL, with notifications", () => {
	const create = (outline: string) => createPostgresStorage(pool, { outline });
	const sizes = soak === 1 ? small : {};
	const random = short ? { sequences: 1, commits: 25 } : { sequences: soak === 1 ? 1 : 2 * soak };
	storageConformance({ test, create, traits, sizes, random });
});

if (thorough) {
	describe("PostgreSQL, without notifications", () => {
		storageConformance({
			test,
			create: (outline) => createPostgresStorage(pool, { outline, notify: false, pollInterval: 20 }),
			traits,
			sizes: small,
			random: { sequences: soak, commits: 20 },
		});
	});
}
