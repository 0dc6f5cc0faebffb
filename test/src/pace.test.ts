import fc from "fast-check";
import { describe, expect, test, vi } from "vitest";
import { createMemoryStorage } from "../../adapters/memory.js";
import { ask, Counter, pause, peek, read, stepwise } from "../../src/engine/protocol.js";
import { finished, Pace, paced, type Steps, sorted } from "../../src/pace.js";
import { adding } from "../support/batches.js";
import { turnsDuring } from "../support/turns.js";

function* counting(steps: number): Steps<number> {
	for (let step = 0; step < steps; step++) yield;
	return steps;
}

describe("work in steps", () => {
	test("runs at once, or in slices with turns for other work between them", async () => {
		expect(finished(counting(1000))).toBe(1000);
		expect(await turnsDuring(() => paced(counting(50)))).toBeGreaterThanOrEqual(50);
		expect(await paced(counting(50))).toBe(50);
	});

	test("takes no turn before the slice is over", async () => {
		const clock = vi.spyOn(Date, "now").mockReturnValue(1000);
		let turns = 0;
		setImmediate(() => {
			turns += 1;
		});
		await paced(counting(1000));
		expect(turns).toBe(0);
		clock.mockRestore();
	});

	test("needs no turn of a fake clock", async () => {
		vi.useFakeTimers();
		try {
			const pace = new Pace();
			vi.setSystemTime(Date.now() + 60_000);
			expect(await paced(counting(3), pace)).toBe(3);
		} finally {
			vi.useRealTimers();
		}
	});

	test("passes on its errors", async () => {
		const failing = function* (): Steps<number> {
			yield;
			throw new Error("no");
		};
		expect(() => finished(failing())).toThrow("no");
		await expect(paced(failing())).rejects.toThrow("no");
	});

	test("begins a slice if the clock is set back", () => {
		const clock = vi.spyOn(Date, "now").mockReturnValue(1_000_000);
		const pace = new Pace();
		clock.mockReturnValue(5000);
		expect(pace.isDue).toBe(false);
		clock.mockReturnValue(5012);
		expect(pace.isDue).toBe(true);
		clock.mockRestore();
	});
});

describe("an operation that pauses", () => {
	function* reading() {
		const [before] = yield* ask({ type: "node", at: { key: "x" } });
		const counter = new Counter();
		for (let at = 0; at < 20_000; at++) if (counter.isDue()) yield* pause();
		return [before, yield* stepwise(counting(10))];
	}

	test("runs at once if it is short, and otherwise with turns for other work", async () => {
		const storage = createMemoryStorage();
		const clock = vi.spyOn(Date, "now").mockReturnValue(1000);
		expect(peek(storage, reading)?.settled).toEqual({ value: [null, 10] });
		clock.mockRestore();
		expect(await turnsDuring(() => read(storage, reading))).toBeGreaterThanOrEqual(30);
		expect((await read(storage, reading)).settled).toEqual({ value: [null, 10] });
	});

	test("starts again if a commit comes between its queries while it pauses", async () => {
		const storage = createMemoryStorage();
		const seen: number[] = [];
		const twice = function* () {
			const [first] = yield* ask({ type: "children", of: null, scope: "own" });
			yield* stepwise(counting(3));
			const [second] = yield* ask({ type: "children", of: null, scope: "own" });
			seen.push(first.length, second.length);
			return null;
		};
		const turns = turnsDuring(() => read(storage, twice));
		await storage.commit(adding(1, 0));
		await turns;
		expect(seen).toEqual([1, 1]);
	});
});

test("sorting has the result of the language's sort, keeps the order of equal items, and leaves its input alone", () => {
	fc.assert(
		fc.property(
			fc.integer({ min: 0, max: 5000 }),
			fc.integer({ min: 1, max: 3000 }),
			fc.nat(),
			(count, range, seed) => {
				const items = Array.from({ length: count }, (_, place) => ({
					key: Math.abs(Math.imul(place + seed, 2_654_435_761)) % range,
					place,
				}));
				const given = [...items];
				const byKey = (left: { key: number }, right: { key: number }) => left.key - right.key;
				expect(finished(sorted(items, byKey))).toEqual(items.toSorted(byKey));
				expect(items).toEqual(given);
			},
		),
	);
});

test("sorting many items takes slices", () => {
	const items = Array.from({ length: 100_000 }, (_, place) => (place * 7919) % 100_003);
	expect([...sorted(items, (left, right) => left - right)].length).toBeGreaterThan(300);
});
