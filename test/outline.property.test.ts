import fc from "fast-check";
import { describe, test } from "vitest";
import { createMemoryStorage } from "../adapters/memory.js";
import type { StorageAdapter } from "../src/storage.js";
import { command } from "./model/commands.js";
import { Rehearsal } from "./model/rehearsal.js";

const runs = Number(process.env.OUTLINE_RUNS ?? 150);

describe("random sequences of operations agree with the naive model", () => {
	test("on memory storage", async () => {
		await fc.assert(
			fc.asyncProperty(fc.array(command, { minLength: 1, maxLength: 60, size: "max" }), async (commands) => {
				const kept = createMemoryStorage();
				const rehearsal = new Rehearsal(() => staysOpen(kept));
				for (const each of commands) await rehearsal.run(each);
				await rehearsal.close();
			}),
			{ numRuns: runs },
		);
	});
});

/** Memory forgets when it is closed, so that a model that reopens must keep it open. */
function staysOpen(storage: StorageAdapter): StorageAdapter {
	return {
		read: (queries) => storage.read(queries),
		peek: (queries) => storage.peek!(queries),
		commit: (batch) => storage.commit(batch),
		scan: () => storage.scan(),
		watch: (listener) => storage.watch!(listener),
		close: async () => {},
	};
}
