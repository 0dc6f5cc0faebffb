import { expect, test } from "vitest";
import { ask, type Operation, peek, read } from "../../../src/engine/protocol.js";
import type { StorageAdapter } from "../../../src/storage.js";
import { codeOf } from "../../support/outline.js";

/** A storage of which each answer is of a later revision, from 0 on, and the number of answers it has given. */
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

test("an operation between whose queries others keep committing is given up after sixteen attempts", async () => {
	const { storage, answered } = hurried();
	expect(await codeOf(read(storage, operation))).toBe("conflict");
	expect(answered()).toBe(2 * 16);
});

test("what can be read without waiting, but not at one revision, is left to who waits", () => {
	const { storage, answered } = hurried();
	expect(peek(storage, operation)).toBeUndefined();
	expect(answered()).toBe(2);
});
