import type { Live } from "outlinekit/live";
import { useCallback, useEffect, useState, useSyncExternalStore } from "react";

/**
 * Opens a live value when the component is mounted, and another one when an input has changed; closes each when it isn't
 * wanted any more. Undefined until the first is ready; a later one takes the place of the one before when it is ready. What
 * `ready` rejects with, and what is told to `onError`, is thrown in rendering, for the nearest error boundary.
 *
 * @param inputs - what `open` depends on, as in `useEffect`
 */
export function useLive<L extends Live<unknown>>(
	open: (onError: (error: unknown) => void) => L,
	inputs: readonly unknown[],
): L | undefined {
	const [shown, show] = useState<L>();
	// Not while rendering: what is rendered may be thrown away without a word, and nobody would close what it has opened. That
	// is also why it doesn't suspend.
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

/** What a live value is at the moment. Undefined if there is none. */
export function useCurrent<T>(live: Live<T> | undefined): T | undefined {
	const subscribe = useCallback((listener: () => void) => live?.subscribe(listener) ?? (() => {}), [live]);
	const current = () => live?.current;
	return useSyncExternalStore(subscribe, current, current);
}
