import { expect, test } from "vitest";
import { createMemoryStorage } from "../../../adapters/memory.js";
import { ask } from "../../../src/engine/protocol.js";
import { Uncommitted } from "../../../src/engine/uncommitted.js";
import type { Query } from "../../../src/storage.js";
import { document } from "../../conformance/records.js";
import { recordAt } from "../../support/batches.js";

function* asking() {
	return yield* ask({ type: "documents", prefix: "a" });
}

test("documents come from the storage, whatever the uncommitted changes are", async () => {
	const storage = createMemoryStorage();
	const kept = document("a/b");
	await storage.commit({ base: 0, nodes: [], keys: [], documents: { put: [kept], dropped: [] } });
	for (const changed of [false, true]) {
		const uncommitted = new Uncommitted();
		if (changed) uncommitted.changes.put(null, recordAt(1, 2));
		const operation = uncommitted.run(asking());
		let step = operation.next([]);
		while (!step.done) step = operation.next((await storage.read(step.value as readonly Query[])).results);
		expect(step.value).toEqual([[kept]]);
	}
});
