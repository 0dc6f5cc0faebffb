import { expect, test } from "vitest";
import { ask, type Operation, peek, read } from "../../../src/engine/protocol.js";
import type { StorageAdapter } from "../../../src/storage.js";
import { codeOf } from "../../support/outline.js";

/** Makes a storage whose revision rises with each answer, from 0 on. Also returns the number of answers. */
function hurried(): { storage: StorageAdapter; answered: () => number } {
	let revision = 0;
	const answer = () => ({ revision: revision++, durable: true, results: [[]] });
	return {
		storage: { read: async () => answer(), peek: answer } as unknown as StorageAdapter,
		answered: () => revision,
	};
}

function* operation(): Operation<string> {
	yield* ask({ type: "taken", shortIds: [] });
	yield* ask({ type: "taken", shortIds: [] });
	return "done";
}

test("an operation fails after sixteen attempts if commits keep coming between its queries", async () => {
	const { storage, answered } = hurried();
	expect(await codeOf(read(storage, operation))).toBe("conflict");
	expect(answered()).toBe(2 * 16);
});

test("peek returns undefined if its answers are of different revisions", () => {
	const { storage, answered } = hurried();
	expect(peek(storage, operation)).toBeUndefined();
	expect(answered()).toBe(2);
});
