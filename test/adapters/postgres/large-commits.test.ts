import { createPostgresStorage } from "outlinekit/postgres";
import { expect, test } from "vitest";
import { Ledger } from "../../conformance/ledger.js";
import { idOf, node } from "../../conformance/records.js";
import { thorough } from "../../setup/soak.js";
import { testServer } from "./database.js";

const server = testServer("large");

/** Returns nodes with long texts that take this many bytes on the way to the database. */
function long(bytes: number) {
	const length = 16_000_000;
	// Each character takes six bytes of JSON.
	const name = "\u0001".repeat(length / 6);
	return Array.from({ length: bytes / length }, (_, place) => node(10 + place, { name, parentId: idOf(1) }));
}

test.runIf(thorough)(
	"a commit up to a size is sent as a whole and read back, and a larger one is refused",
	{ timeout: 120_000 },
	async () => {
		const storage = createPostgresStorage(server.pool("large"), { outline: "large" });
		const ledger = new Ledger(storage);
		await ledger.commit({ put: [node(1)] });
		await expect(storage.commit(ledger.batch({ put: long(2 ** 28 + 16_000_000) }))).rejects.toMatchObject({
			name: "OutlineError",
			code: "too_large",
			message: expect.stringContaining("Nothing was written"),
		});
		await ledger.checkAll();
		await ledger.commit({ put: long(2 ** 28 - 16_000_000) });
		const { results } = await storage.read([{ type: "children", of: { id: idOf(1) }, scope: "own" }]);
		expect(results[0].length).toBe(15);
		for (const { record } of results[0]) expect(record.name.length).toBe(Math.floor(16_000_000 / 6));
		await storage.close();
	},
);
