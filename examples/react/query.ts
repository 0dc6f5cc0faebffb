import type { Outline } from "outlinekit";
import { liveQuery } from "outlinekit/live";
import { useCurrent, useLive } from "./live.ts";

/**
 * What a reading of the outline gives, read again after each commit. Undefined until it has been read; when an input has
 * changed, the answer before stays until there is another.
 *
 * @param inputs - what the reading depends on besides the outline, as in `useEffect`
 */
export function useQuery<T>(
	outline: Outline,
	read: (outline: Outline) => Promise<T>,
	inputs: readonly unknown[] = [],
): T | undefined {
	return useCurrent(useLive((onError) => liveQuery(outline, () => read(outline), { onError }), [outline, ...inputs]));
}
