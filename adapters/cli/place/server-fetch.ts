import { OutlineError } from "outlinekit";
import type { ServerPlace } from "./place.ts";

/** Returns a `fetch` for the requests to a server, which a signal ends. Its errors have the address and the reason. */
export function serverFetch({ url }: ServerPlace, signal: AbortSignal | undefined): typeof fetch {
	return async (address, options) => {
		const signals = [options?.signal, signal].filter((each) => each != null);
		try {
			return await fetch(address, { ...options, signal: AbortSignal.any(signals) });
		} catch (error) {
			if (signals.some(({ aborted }) => aborted)) throw error;
			const { message, cause } = error as Error;
			const reason = (cause as Error | undefined)?.message || message;
			throw new OutlineError("storage_unavailable", `${url} can't be reached: ${reason}.`, { cause: error });
		}
	};
}
