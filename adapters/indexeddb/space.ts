import { OutlineError } from "../../src/errors.js";

/** How much room the browser gives the page's origin: all that it stores there, outlines and everything else. */
export interface StorageEstimate {
	/** How many bytes are in use, about; undefined if the browser doesn't tell. */
	readonly usage: number | undefined;
	/** How many bytes there may be, about; undefined if the browser doesn't tell. */
	readonly quota: number | undefined;
}

/** What a host may ask the browser, and ask of it, about the room for the page's origin. Nothing here is done unasked. */
export interface StorageSpace {
	/** Whether the browser keeps what is stored until the user clears it, and doesn't drop it when room gets short. */
	persisted(): Promise<boolean>;
	/**
	 * Asks the browser to keep what is stored; it may ask the user. Resolves with whether it does. In a worker, and where the
	 * browser has no such promise to give, this tells only what {@link StorageSpace.persisted} does.
	 */
	persist(): Promise<boolean>;
	/** How much is in use, and how much there may be. */
	estimate(): Promise<StorageEstimate>;
}

/** The part of a `StorageManager` that is used; none of it is there everywhere. */
interface Manager {
	persisted?(): Promise<boolean>;
	persist?(): Promise<boolean>;
	estimate?(): Promise<{ usage?: number; quota?: number }>;
}

/** Asks the browser that this runs in. */
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
