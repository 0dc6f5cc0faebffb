import { expect, test, vi } from "vitest";
import { ask, type Operation, pause, peek, type Rest, read } from "../../../src/engine/protocol.js";
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

test.each([
	["goes on where its slice of time ended", { durable: true, commits: false }, 1],
	["begins again if a commit came during the pause", { durable: true, commits: true }, 2],
	["begins again if the storage may still take its answers back", { durable: false, commits: false }, 2],
])("an operation %s", async (_, { durable, commits }, expected) => {
	let revision = 7;
	let begun = 0;
	const answer = () => ({ revision, durable, results: [[]] });
	const storage = { read: async () => answer(), peek: answer } as unknown as StorageAdapter;
	const clock = vi.spyOn(Date, "now").mockReturnValue(0);
	const begin = function* (): Operation<string> {
		begun += 1;
		yield* ask({ type: "taken", shortIds: [] });
		yield* pause();
		if (begun === 1) clock.mockReturnValue(1000);
		yield* pause();
		yield* ask({ type: "taken", shortIds: [] });
		return "done";
	};
	try {
		const keep: { rest: Rest<string> | undefined } = { rest: undefined };
		expect(peek(storage, begin, keep)).toBeUndefined();
		if (commits) revision += 1;
		const reading = read(storage, begin, keep.rest);
		let isSettled = false;
		void reading.then(() => {
			isSettled = true;
		});
		for (let moment = 0; moment < 50; moment++) await null;
		// The operation that goes on waits for a turn of the event loop first.
		expect(isSettled).toBe(!durable);
		expect(await reading).toEqual({ revision, durable: true, settled: { value: "done" } });
		expect(begun).toBe(expected);
	} finally {
		clock.mockRestore();
	}
});
