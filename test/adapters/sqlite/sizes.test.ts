import { expect, it } from "vitest";
import { longestRecord } from "../../../adapters/record-size.js";
import { createSqliteStorage } from "../../../adapters/sqlite.js";
import { Outline } from "../../../src/outline.js";
import { Ledger } from "../../conformance/ledger.js";
import { document, idOf, node } from "../../conformance/records.js";
import { soak, thorough } from "../../setup/soak.js";
import { codeOf } from "../../support/outline.js";
import { describeClients } from "./clients.js";

const tooLarge = { name: "OutlineError", code: "too_large", message: expect.stringContaining("Nothing was written") };

describeClients("a record", (client) => {
	it.runIf(thorough)(
		"of the largest size is read back, also as a mirror's origin, and one byte more is refused",
		async () => {
			const ledger = new Ledger(createSqliteStorage(client.open(client.path()), { synchronous: "normal" }));
			// In JSON it takes two bytes, and four within a text of another JSON.
			const name = '"'.repeat(longestRecord / 2);
			await ledger.commit({ put: [node(1, { name }), node(2, { originId: idOf(1) })] });
			const read = async (id: number) =>
				(await ledger.storage.read([{ type: "node", at: { id: idOf(id) } }])).results[0]!;
			expect((await read(1)).record.name === name).toBe(true);
			expect((await read(2)).origin?.name === name).toBe(true);
			const { base } = ledger.batch({});
			for (const draft of [
				{ put: [node(3), node(1, { name: `${name}.` })] },
				{ put: [node(3, { name: name.slice(0, -1), note: "\u0001" })] },
				{ put: [node(3)], keep: [document("a", "\u6f22".repeat(Math.ceil(longestRecord / 3)))] },
			]) {
				await expect(ledger.storage.commit(ledger.batch(draft))).rejects.toMatchObject(tooLarge);
			}
			const { revision, results } = await ledger.storage.read([{ type: "node", at: { id: idOf(3) } }]);
			expect([revision, results]).toEqual([base, [null]]);
			expect((await read(1)).record.name.length).toBe(name.length);
		},
	);

	it("that the host's own limit would make unreadable is refused, and every stored one can be read", async ({
		skip,
	}) => {
		if (client.name !== "node:sqlite") skip(`${client.name} can't be given a limit`);
		for (const longestText of [20_000, 1_000_000]) {
			const ledger = new Ledger(createSqliteStorage(client.open(":memory:", { longestText })));
			for (const text of ['"', "a", "\u6f22", "\u0001", "\u{1f332}"]) {
				for (let number = 1; number <= 40; number++) {
					const name = text.repeat((longestText / 40 / text.length) * number);
					const batch = ledger.batch({ put: [node(1, { name }), node(2, { originId: idOf(1) })] });
					expect([undefined, "too_large"]).toContain(await codeOf(ledger.commitBatch(batch)));
					await ledger.checkAll();
				}
			}
			expect(ledger.records.revision).toBeGreaterThan(20);
			expect(ledger.records.revision).toBeLessThan(60);
		}
	});

	it.runIf(soak > 1)("of 3 bytes for each character, many in one commit, is read back exactly", async () => {
		const storage = createSqliteStorage(client.open(client.path()), { synchronous: "normal" });
		const outline = new Outline({ storage, limits: { name: 1_000_000, note: 1_000_000 } });
		const name = "\u6f22\u5b57".repeat(500_000);
		// A little less than the most that one commit may write.
		const { id } = await outline.createTree({
			name: "root",
			children: Array.from({ length: 66 }, () => ({ name, note: name })),
		});
		const { nodes } = await outline.list(id);
		expect(nodes).toHaveLength(66);
		for (const node of nodes) expect(node.name === name && node.note === name).toBe(true);
	});
});
