import type { Outline } from "outlinekit";
import { liveQuery } from "outlinekit/live";
import { useEffect, useMemo } from "preact/hooks";
import { useWorkspace } from "./context.js";
import { useLive } from "./rendering.js";

/**
 * What a reading of the outline gives, kept up to date as long as the component shows. Undefined until it has been read.
 *
 * @param inputs - what the reading depends on besides the outline: when one of these changes, another reading begins
 */
export function useQuery<T>(read: (outline: Outline) => Promise<T>, inputs: readonly unknown[]): T | undefined {
	const workspace = useWorkspace();
	const { outline } = workspace;
	const query = useMemo(() => {
		const onError = (error: unknown) => workspace.tell(error);
		const live = liveQuery(outline, () => read(outline), { onError });
		live.ready.catch(onError);
		return live;
	}, inputs);
	useEffect(() => () => query.close(), [query]);
	return useLive(query);
}
