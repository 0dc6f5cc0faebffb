import { expect, test } from "vitest";
import { createMemoryStorage } from "../../../adapters/memory.js";
import type { StoredNode } from "../../../src/storage.js";
import { recordAt } from "../../support/batches.js";
import { codeOf, newOutline } from "../../support/outline.js";
import { turnsDuring } from "../../support/turns.js";

/** An outline whose storage returns these chunks in a scan, and the calls of the storage. */
function scanned(chunks: readonly (readonly number[] | Error)[]) {
	const calls: string[] = [];
	const storage = createMemoryStorage();
	storage.scan = () => {
		calls.push("scan");
		const left = [...chunks];
		return {
			[Symbol.asyncIterator]: () => ({
				async next() {
					calls.push("next");
					const chunk = left.shift();
					if (chunk instanceof Error) throw chunk;
					if (chunk === undefined) return { done: true as const, value: undefined };
					const nodes = chunk.map(
						(number): StoredNode => ({ record: recordAt(number, 1), origin: null, mirrorIds: [] }),
					);
					return { done: false as const, value: nodes };
				},
				async return() {
					calls.push("return");
					return { done: true as const, value: undefined };
				},
			}),
		};
	};
	return { nodes: newOutline({ storage }).export()[Symbol.asyncIterator](), calls };
}

const done = { done: true, value: undefined };
const named = (name: string) => ({ done: false, value: expect.objectContaining({ name }) });

test("an export lets other work run between the chunks of a storage in memory", async () => {
	const { nodes } = scanned([[1], [2], [3], [4]]);
	const readAll = async () => {
		while (!(await nodes.next()).done);
	};
	expect(await turnsDuring(readAll)).toBeGreaterThanOrEqual(4);
});

test("an export reads the storage during the iteration, not before", async () => {
	const { nodes, calls } = scanned([[1, 2], [], [3]]);
	expect(calls).toEqual([]);
	expect(await nodes.next()).toEqual(named("1"));
	expect(await nodes.next()).toEqual(named("2"));
	expect(calls).toEqual(["scan", "next"]);
	expect(await nodes.next()).toEqual(named("3"));
	expect(await nodes.next()).toEqual(done);
	expect(await nodes.next()).toEqual(done);
	expect(calls).toEqual(["scan", "next", "next", "next", "next"]);
});

test("calls at the same time are answered in their order", async () => {
	const { nodes } = scanned([[1], [2, 3], [4]]);
	const answers = await Promise.all([1, 2, 3, 4, 5, 6].map(() => nodes.next()));
	expect(answers).toEqual([named("1"), named("2"), named("3"), named("4"), done, done]);
});

test("leaving the loop ends the scan, after the earlier calls", async () => {
	const { nodes, calls } = scanned([[1, 2], [3]]);
	const [first, left, after] = await Promise.all([nodes.next(), nodes.return!(), nodes.next()]);
	expect([first, left, after]).toEqual([named("1"), done, done]);
	expect(calls).toEqual(["scan", "next", "return"]);
	const unused = scanned([[1]]);
	expect(await unused.nodes.return!()).toEqual(done);
	expect(await unused.nodes.next()).toEqual(done);
	expect(unused.calls).toEqual([]);
});

test("an export ends when it fails, and the calls that wait resolve as done", async () => {
	const { nodes } = scanned([[1], new Error("disk"), [2]]);
	expect(await nodes.next()).toEqual(named("1"));
	const [failed, after] = [codeOf(nodes.next()), nodes.next()];
	expect(await failed).toBe("Error: disk");
	expect(await after).toEqual(done);
	expect(await nodes.next()).toEqual(done);
});
