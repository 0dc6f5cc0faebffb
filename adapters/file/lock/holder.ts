/** A lock that is held. The kernel lets go of it when the process ends, however that happens. */
export interface HeldLock {
	/** Lets go of the lock and removes what it left beside the file. Releasing twice is fine. */
	release(): Promise<void>;
}

/** Who has the lock instead; `null` for a process that can't be told. */
export interface LockHolder {
	readonly pid: number | null;
}

/** A file by its one true location: both parts without symbolic links. The file need not exist. */
export interface LockTarget {
	readonly directory: string;
	readonly name: string;
}
