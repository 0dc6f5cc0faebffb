import { expect, test } from "vitest";
import { createMemoryStorage } from "../../../../adapters/memory.js";
import { read } from "../../../../src/engine/protocol.js";
import { newRecord } from "../../../../src/node.js";
import { stateOf } from "../../../../src/sync/replica/exchange.js";
import type { Pulled } from "../../../../src/sync/replica/pulled.js";
import { rebase } from "../../../../src/sync/replica/rebase.js";
import { numberedId } from "../../../support/ids.js";
import { turnsDuring } from "../../../support/turns.js";

test("an image of the server is put in place in slices", async () => {
	const local = createMemoryStorage();
	const state = await stateOf(local);
	const count = 20_000;
	const nodes = new Map<string, ReturnType<typeof newRecord>>();
	for (let number = 0; number < count; number++) {
		const record = newRecord(
			{ id: numberedId(number), parentId: null, priority: number, name: "", createdAt: 1, modifiedAt: 1 },
			1,
		);
		nodes.set(record.id, record);
	}
	const next = { ...state, outline: "server", since: 1 };
	const pulled: Pulled = { mode: "join", state: next, nodes, keys: new Map(), conflicts: [], closed: [], refused: [] };
	let changes = 0;
	const turns = await turnsDuring(async () => {
		const { settled } = await read(local, () => rebase(state, pulled));
		if ("value" in settled) changes = settled.value?.nodes.length ?? 0;
	});
	expect(changes).toBe(count);
	// Each loop over the nodes pauses every 1,000 of them: one takes them in, another compares them.
	expect(turns).toBeGreaterThanOrEqual((2 * count) / 1000);
});
