/**
 * What a function promises; what it throws instead is a rejection too. An async function around it would say the same, with
 * two more promises for every call.
 */
export function promised<T>(start: () => Promise<T>): Promise<T> {
	try {
		return start();
	} catch (error) {
		return Promise.reject(error);
	}
}
