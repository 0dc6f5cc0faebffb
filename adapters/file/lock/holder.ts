/** A held lock. The kernel releases it when the process ends for any reason. */
export interface HeldLock {
	/**
	 * Releases the lock and removes the files that it left beside the locked file. A second call does
	 * nothing.
	 */
	release(): Promise<void>;
}

/** The process that has the lock instead; `null` if it can't be found out. */
export interface LockHolder {
	readonly pid: number | null;
}
