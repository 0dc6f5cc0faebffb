import { expect, test, vi } from "vitest";
import { createMemoryStorage } from "../../../adapters/memory.js";
import { LazyModule, NotLoaded } from "../../../src/engine/lazy-module.js";
import { ask, peek, type Reading, read } from "../../../src/engine/protocol.js";

const storage = createMemoryStorage();

test("a module is loaded once, and is at hand from then on", async () => {
	const load = vi.fn(async () => ({ answer: 42 }));
	const module = new LazyModule("What answers", load);
	expect(() => module.now).toThrow(NotLoaded);
	expect(load).not.toHaveBeenCalled();
	const [first, second] = await Promise.all([module.load(), module.load()]);
	expect(first).toBe(second);
	expect(module.now).toBe(first);
	expect(load).toHaveBeenCalledTimes(1);
});

test("one that can't be loaded is told by its name, and tried again the next time", async () => {
	const causes = [new TypeError("Failed to fetch"), new TypeError("Failed again")];
	const failures = [...causes];
	const module = new LazyModule("What answers", async () => {
		const failure = failures.shift();
		if (failure !== undefined) throw failure;
		return 42;
	});
	for (const cause of causes) {
		await expect(module.load()).rejects.toMatchObject({
			name: "OutlineError",
			code: "load_failed",
			message: expect.stringMatching(/^What answers couldn't be loaded\./),
			cause,
		});
		expect(() => module.now).toThrow(NotLoaded);
	}
	expect(await module.load()).toBe(42);
});

test("one that takes too long isn't waited for any longer, and is there when it comes", async () => {
	vi.useFakeTimers();
	try {
		let arrive = (_: number) => {};
		const module = new LazyModule(
			"What answers",
			() =>
				new Promise<number>((resolve) => {
					arrive = resolve;
				}),
		);
		const failure = module.load().catch((error: unknown) => error);
		await vi.advanceTimersByTimeAsync(29_999);
		expect(vi.getTimerCount()).toBe(1);
		await vi.advanceTimersByTimeAsync(1);
		expect(await failure).toMatchObject({
			code: "load_failed",
			message: expect.stringMatching(/^What answers takes longer than 30 seconds to load\./),
		});
		const again = module.load();
		arrive(42);
		expect(await again).toBe(42);
		expect(module.now).toBe(42);
		// Nothing keeps the process alive.
		expect(vi.getTimerCount()).toBe(0);
	} finally {
		vi.useRealTimers();
	}
});

test("a reading waits for it in the middle, and goes on with what it has been answered", async () => {
	const module = new LazyModule("What answers", async () => ({ answer: 42 }));
	const reading = function* (): Reading<unknown> {
		const [before] = yield* ask({ type: "taken", shortIds: [] });
		const { answer } = yield* module.get();
		const [after] = yield* ask({ type: "taken", shortIds: [] });
		return { before, answer, after };
	};
	expect(peek(storage, reading)).toBeUndefined();
	const settled = { value: { before: [], answer: 42, after: [] } };
	expect(await read(storage, reading)).toMatchObject({ settled });
	expect(peek(storage, reading)).toMatchObject({ settled });
});

test("a reading that can't go on without it ends with why", async () => {
	const loads = [Promise.reject(new TypeError("Failed to fetch")), Promise.resolve(42)];
	const module = new LazyModule("What answers", () => loads.shift()!);
	const reading = () => module.get();
	expect(await read(storage, reading)).toMatchObject({ settled: { error: { code: "load_failed" } } });
	expect(await read(storage, reading)).toMatchObject({ settled: { value: 42 } });
});
