import { vi } from "vitest";

/** Waits for some turns of the event loop, in which other work can run. */
export async function turns(count = 1): Promise<void> {
	for (let turn = 0; turn < count; turn++) await new Promise((resolve) => setImmediate(resolve));
}

/** Returns the number of turns until some work settles. Calls `each` in each of them. */
export async function turnsUntil(work: Promise<unknown>, each: () => void = () => {}): Promise<number> {
	let isSettled = false;
	const settled = work.finally(() => {
		isSettled = true;
	});
	settled.catch(() => {});
	let count = 0;
	for (; !isSettled; count++) {
		each();
		await turns();
	}
	await settled;
	return count;
}

/**
 * Returns the number of turns during some work. Every slice of the work ends as soon as it begins, so the
 * number shows how many pieces the work has, on any machine. Calls `each` in each turn.
 */
export async function turnsDuring(work: () => Promise<unknown>, each?: () => void): Promise<number> {
	let now = Date.now();
	const clock = vi.spyOn(Date, "now").mockImplementation(() => {
		now += 1000;
		return now;
	});
	try {
		return await turnsUntil(work(), each);
	} finally {
		clock.mockRestore();
	}
}
