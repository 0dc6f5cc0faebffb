import { OutlineError } from "../../src/errors.js";

/** The storage space of the page's origin: for all its data, outlines and everything else. */
export interface StorageEstimate {
	/** The approximate number of bytes in use; undefined if the browser doesn't report it. */
	readonly usage: number | undefined;
	/** The approximate number of bytes available; undefined if the browser doesn't report it. */
	readonly quota: number | undefined;
}

/**
 * Questions and requests to the browser about the storage space of the page's origin. Only the host makes
 * these calls.
 */
export interface StorageSpace {
	/**
	 * Whether the browser keeps the data until the user clears it, and doesn't drop it when space gets short.
	 */
	persisted(): Promise<boolean>;
	/**
	 * Asks the browser to keep the data; the browser may ask the user. Resolves with whether it does. In a
	 * worker, and in a browser without such a promise, returns only the result of
	 * {@link StorageSpace.persisted}.
	 */
	persist(): Promise<boolean>;
	/** Returns the space in use and the available space. */
	estimate(): Promise<StorageEstimate>;
}

/** The part of a `StorageManager` that is used. Each method may be missing. */
interface Manager {
	persisted?(): Promise<boolean>;
	persist?(): Promise<boolean>;
	estimate?(): Promise<{ usage?: number; quota?: number }>;
}

/** The storage space of this browser. */
export const storageSpace: StorageSpace = {
	persisted: () => asked(async (manager) => (await manager.persisted?.()) ?? false),
	persist: () => asked(async (manager) => (await (manager.persist ?? manager.persisted)?.call(manager)) ?? false),
	estimate: () =>
		asked(async (manager) => {
			const { usage, quota } = (await manager.estimate?.()) ?? {};
			return { usage, quota };
		}),
};

async function asked<T>(question: (manager: Manager) => Promise<T>): Promise<T> {
	const { navigator } = globalThis as { navigator?: { readonly storage?: Manager } };
	try {
		return await question(navigator?.storage ?? {});
	} catch (cause) {
		throw new OutlineError(
			"storage_unavailable",
			"The browser doesn't say how much room there is. Ask again; if that doesn't help, allow this page site data.",
			{ cause },
		);
	}
}
