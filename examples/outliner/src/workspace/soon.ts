/**
 * Returns a function that does some work soon: once for all calls during a delay, and never twice at a time.
 *
 * @param delay - the time before the work begins, in milliseconds
 * @param onError - receives what the work throws
 */
export function soon(work: () => Promise<void>, delay: number, onError: (error: unknown) => void): () => void {
	let isWaiting = false;
	let last = Promise.resolve();
	return () => {
		if (isWaiting) return;
		isWaiting = true;
		last = last
			.then(() => new Promise((resolve) => setTimeout(resolve, delay)))
			.then(() => {
				isWaiting = false;
				return work();
			})
			.catch(onError);
	};
}
