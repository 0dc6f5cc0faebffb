import { createPostgresStorage } from "outlinekit/postgres";
import { expect, test } from "vitest";
import { Ledger } from "../../conformance/ledger.js";
import { node } from "../../conformance/records.js";
import { newOutline } from "../../support/outline.js";
import { eachDatabase, testServer } from "./database.js";

const server = testServer(undefined, { fsync: "off" });
const database = eachDatabase(server, "repair");

test("nodes with one short id can be read by it, verified and repaired", async () => {
	const storage = createPostgresStorage(database.pool, { outline: "a", notify: false });
	const first = node(1);
	const twin = `f${first.id.slice(1)}`;
	await new Ledger(storage).commit({ put: [first, node(2, { id: twin })] });
	const short = { type: "node", at: { shortId: twin.slice(-12) } } as const;
	const [holder] = (await storage.read([short])).results;
	expect([first.id, twin]).toContain(holder!.record.id);
	const outline = newOutline({ storage });
	expect((await outline.verify()).counts).toEqual({ duplicate_short_id: 1 });
	const { counts, left } = await outline.repair();
	expect([counts, left.total, left.nodes]).toEqual([{ duplicate_short_id: 1 }, 0, 2]);
	expect((await storage.read([short])).results[0]!.record.id).toBe(holder!.record.id);
	await outline.close();
});
