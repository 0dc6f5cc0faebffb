import type { Outline } from "outlinekit";
import { liveQuery } from "outlinekit/live";
import { useCurrent, useLive } from "./live.ts";

/**
 * The result of a read of the outline, repeated after each commit. Undefined until the first result. When an
 * input changes, the old result stays until there is a new one.
 *
 * @param inputs - the dependencies of the read besides the outline, as in `useEffect`
 */
export function useQuery<T>(
	outline: Outline,
	read: (outline: Outline) => Promise<T>,
	inputs: readonly unknown[] = [],
): T | undefined {
	return useCurrent(useLive((onError) => liveQuery(outline, () => read(outline), { onError }), [outline, ...inputs]));
}
