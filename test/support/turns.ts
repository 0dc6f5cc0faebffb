import { vi } from "vitest";

/**
 * How often others had their turn while something was done, if every slice of work is over as soon as it begins: so the number
 * tells into how many pieces the work is cut, on any machine.
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
