import type { Live } from "outlinekit/live";
import { useCallback, useEffect, useState, useSyncExternalStore } from "react";

/**
 * Opens a live value when the component mounts, and another one when an input changes. Closes each when the
 * component doesn't need it any more. Undefined until the first one is ready; a later one replaces it when it
 * is ready. If `ready` rejects, or `onError` gets an error, rendering throws it, for the nearest error
 * boundary.
 *
 * @param inputs - the dependencies of `open`, as in `useEffect`
 */
export function useLive<L extends Live<unknown>>(
	open: (onError: (error: unknown) => void) => L,
	inputs: readonly unknown[],
): L | undefined {
	const [shown, show] = useState<L>();
	// Not while rendering: React may discard a rendering without notice, and its live value would stay open.
	// That is also why this doesn't suspend.
	useEffect(() => {
		let wanted = true;
		const onError = (error: unknown) => {
			if (!wanted) return;
			show(() => {
				throw error;
			});
		};
		const live = open(onError);
		live.ready.then(() => wanted && show(live), onError);
		return () => {
			wanted = false;
			live.close();
		};
	}, inputs);
	return shown;
}

/** The current value of a live value. Undefined if there is none. */
export function useCurrent<T>(live: Live<T> | undefined): T | undefined {
	const subscribe = useCallback((listener: () => void) => live?.subscribe(listener) ?? (() => {}), [live]);
	const current = () => live?.current;
	return useSyncExternalStore(subscribe, current, current);
}
