/** Makes an error that no caller awaits surface as an unhandled rejection. */
export function surface(error: unknown): void {
	void Promise.reject(error);
}

/**
 * Calls listeners, each unless one before it has removed it. An error of a listener surfaces: neither the caller nor
 * the other listeners have failed.
 *
 * @param isCurrent - whether the notice isn't replaced yet; if it is, the listeners that are left aren't called
 */
export function notifyAll<Notice>(
	listeners: ReadonlyMap<object, (notice: Notice) => void>,
	notice: Notice,
	isCurrent: () => boolean = () => true,
): void {
	for (const [token, listener] of [...listeners]) {
		if (!isCurrent()) return;
		if (!listeners.has(token)) continue;
		try {
			listener(notice);
		} catch (error) {
			surface(error);
		}
	}
}
