/** The part of the time that repeated work may take is one in so many. */
const share = 5;

/**
 * Returns a function that does some work soon: once for all calls during a delay, and never twice at a time.
 * After long work, the delay is longer, so that the page has time for the user.
 *
 * @param delay - the shortest time before the work begins, in milliseconds
 * @param onError - receives what the work throws
 */
export function soon(work: () => Promise<void>, delay: number, onError: (error: unknown) => void): () => void {
	let isWaiting = false;
	let last = Promise.resolve();
	let took = 0;
	return () => {
		if (isWaiting) return;
		isWaiting = true;
		last = last
			.then(() => new Promise((resolve) => setTimeout(resolve, Math.max(delay, took * (share - 1)))))
			.then(async () => {
				isWaiting = false;
				const start = performance.now();
				await work();
				took = performance.now() - start;
			})
			.catch(onError);
	};
}
