/**
 * Returns a function that does some work soon: once for all calls during a delay, and never twice at a time.
 *
 * @param delay - the longest wait before the work begins, in milliseconds, unless it runs already
 */
export function soon(work: () => Promise<void>, delay: number): () => void {
	let isWaiting = false;
	let isWorking = false;
	/** Whether another call came during the work. */
	let isCalled = false;
	const begin = async () => {
		isWaiting = false;
		isWorking = true;
		await work();
		isWorking = false;
		if (isCalled) wait();
		isCalled = false;
	};
	const wait = () => {
		if (isWorking) isCalled = true;
		else if (!isWaiting) setTimeout(() => void begin(), delay);
		isWaiting = !isWorking;
	};
	return wait;
}
