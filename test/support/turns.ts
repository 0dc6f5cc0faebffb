import { vi } from "vitest";

/**
 * Returns the number of turns that other work had during some work. Every slice of the work ends as soon as
 * it begins, so the number shows how many pieces the work has, on any machine.
 */
export async function turnsDuring(work: () => Promise<unknown>): Promise<number> {
	let now = Date.now();
	const clock = vi.spyOn(Date, "now").mockImplementation(() => {
		now += 1000;
		return now;
	});
	let turns = 0;
	let isDone = false;
	const count = () => {
		if (isDone) return;
		turns += 1;
		setImmediate(count);
	};
	setImmediate(count);
	try {
		await work();
	} finally {
		isDone = true;
		clock.mockRestore();
	}
	return turns;
}
