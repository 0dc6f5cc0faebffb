import { expect, test } from "vitest";
import { createMemoryStorage } from "../../../adapters/memory.js";
import { ask } from "../../../src/engine/protocol.js";
import { Uncommitted } from "../../../src/engine/uncommitted.js";
import type { Query } from "../../../src/storage.js";
import { receipt } from "../../conformance/records.js";
import { recordAt } from "../../support/batches.js";

function* asking() {
	return yield* ask({ type: "receipt", key: "a", expiry: 6 });
}

test("receipts come from the storage, whatever the uncommitted changes are", async () => {
	const storage = createMemoryStorage();
	const kept = receipt("a", { createdAt: 5 });
	await storage.commit({ base: 0, nodes: [], keys: [], receipts: { added: [kept], dropped: [] } });
	for (const changed of [false, true]) {
		const uncommitted = new Uncommitted();
		if (changed) uncommitted.changes.put(null, recordAt(1, 2));
		const operation = uncommitted.run(asking());
		let step = operation.next([]);
		while (!step.done) step = operation.next((await storage.read(step.value as readonly Query[])).results);
		expect(step.value).toEqual([{ receipt: kept, expired: ["a"] }]);
	}
});
