import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { soon } from "../../examples/outliner/src/workspace/soon.js";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("calls during the delay and during the work lead to one run each", async () => {
	let runs = 0;
	const call = soon(
		async () => {
			runs += 1;
			await new Promise((resolve) => setTimeout(resolve, 10));
		},
		100,
		() => {},
	);
	call();
	call();
	await vi.advanceTimersByTimeAsync(99);
	expect(runs).toBe(0);
	await vi.advanceTimersByTimeAsync(1);
	expect(runs).toBe(1);
	call();
	call();
	await vi.advanceTimersByTimeAsync(500);
	expect(runs).toBe(2);
});

test("after long work the next run waits longer, and an error ends nothing", async () => {
	let runs = 0;
	const errors: unknown[] = [];
	const call = soon(
		async () => {
			runs += 1;
			await new Promise((resolve) => setTimeout(resolve, 1000));
			if (runs === 2) throw new Error("broken");
		},
		100,
		(error) => errors.push(error),
	);
	call();
	await vi.advanceTimersByTimeAsync(1100);
	call();
	await vi.advanceTimersByTimeAsync(3999);
	expect(runs).toBe(1);
	await vi.advanceTimersByTimeAsync(1001);
	expect([runs, errors.length]).toEqual([2, 1]);
	call();
	await vi.advanceTimersByTimeAsync(4000);
	expect(runs).toBe(3);
});
