import { expect, test } from "vitest";
import { ask, type Operation, peek, read } from "../../../src/engine/protocol.js";
import type { StorageAdapter } from "../../../src/storage.js";
import { codeOf } from "../../support/outline.js";

/** A storage whose answers are each at a later revision, from 0 on, with the number of answers so far. */
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

test("an operation gives up after sixteen attempts if there is a commit between its queries each time", async () => {
	const { storage, answered } = hurried();
	expect(await codeOf(read(storage, operation))).toBe("conflict");
	expect(answered()).toBe(2 * 16);
});

test("peek gives up if the storage answers at once, but not at one revision", () => {
	const { storage, answered } = hurried();
	expect(peek(storage, operation)).toBeUndefined();
	expect(answered()).toBe(2);
});
