import { expect, test, vi } from "vitest";
import { LazyModule, type LoadingSteps, loadedAndPaced } from "../../../src/engine/lazy-module.js";

test("a module is loaded once", async () => {
	const load = vi.fn(async () => ({ answer: 42 }));
	const module = new LazyModule("The answer", load);
	expect(module.ifLoaded).toBeUndefined();
	expect(() => module.loaded).toThrow("The answer isn't loaded");
	expect(load).not.toHaveBeenCalled();
	const [first, second] = await Promise.all([module.load(), module.load()]);
	expect(first).toBe(second);
	expect(module.ifLoaded).toBe(first);
	expect(module.loaded).toBe(first);
	expect(load).toHaveBeenCalledTimes(1);
});

test("an error names the module that fails to load, and the next call loads it again", async () => {
	const causes = [new TypeError("Failed to fetch"), new TypeError("Failed again")];
	const failures = [...causes];
	const module = new LazyModule("The answer", async () => {
		const failure = failures.shift();
		if (failure !== undefined) throw failure;
		return 42;
	});
	for (const cause of causes) {
		await expect(module.load()).rejects.toMatchObject({
			name: "OutlineError",
			code: "load_failed",
			message: expect.stringMatching(/^The answer couldn't be loaded\./),
			cause,
		});
		expect(module.ifLoaded).toBeUndefined();
	}
	expect(await module.load()).toBe(42);
});

test("loading fails after 30 seconds, and a module that arrives later is usable", async () => {
	vi.useFakeTimers();
	try {
		let arrive = (_: number) => {};
		const module = new LazyModule(
			"The answer",
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
			message: expect.stringMatching(/^The answer takes longer than 30 seconds to load\./),
		});
		const again = module.load();
		arrive(42);
		expect(await again).toBe(42);
		expect(module.loaded).toBe(42);
		// No timer keeps the process alive.
		expect(vi.getTimerCount()).toBe(0);
	} finally {
		vi.useRealTimers();
	}
});

test("steps load the modules that they need, and then continue", async () => {
	const module = new LazyModule("The answer", async () => ({ answer: 42 }));
	const steps = function* (): LoadingSteps<readonly unknown[]> {
		yield;
		const { answer } = yield* module.needed();
		return ["before", answer];
	};
	const first = steps();
	expect([first.next().value, first.next().value]).toEqual([undefined, module]);
	expect(await loadedAndPaced(steps())).toEqual(["before", 42]);
	expect([...steps()]).toEqual([undefined]);
});

test("steps reject with the error of a module that fails to load", async () => {
	const loads = [Promise.reject(new TypeError("Failed to fetch")), Promise.resolve(42)];
	const module = new LazyModule("The answer", () => loads.shift()!);
	await expect(loadedAndPaced(module.needed())).rejects.toMatchObject({ code: "load_failed" });
	expect(await loadedAndPaced(module.needed())).toBe(42);
});
