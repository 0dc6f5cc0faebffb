import type { Outline, OutlineEvent } from "outlinekit";
import { liveQuery } from "outlinekit/live";
import { useEffect, useMemo } from "preact/hooks";
import { useWorkspace } from "./context.js";
import { useLive } from "./rendering.js";

/**
 * The result of a read of the outline, kept up to date while the component shows. Undefined until the first
 * result.
 *
 * @param inputs - the dependencies of the read besides the outline: a change of one starts another read
 * @param concerns - whether a commit may change the result; by default every commit may
 */
export function useQuery<T>(
	read: (outline: Outline) => Promise<T>,
	inputs: readonly unknown[],
	concerns?: (event: OutlineEvent) => boolean,
): T | undefined {
	const workspace = useWorkspace();
	const { outline } = workspace;
	const query = useMemo(() => {
		const onError = (error: unknown) => workspace.tell(error);
		const live = liveQuery(outline, () => read(outline), { onError, concerns });
		live.ready.catch(onError);
		return live;
	}, inputs);
	useEffect(() => () => query.close(), [query]);
	return useLive(query);
}
