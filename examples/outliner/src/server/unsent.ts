import type { Outline } from "outlinekit";
import { useEffect, useLayoutEffect, useReducer, useRef } from "preact/hooks";

/**
 * The number of nodes whose changes wait for the server: a user counts these, and not the commits of single letters.
 * Undefined if this tab doesn't know it, because another tab or an earlier page has made some of the commits.
 *
 * @param pending - the number of commits that wait
 */
export function useUnsentNodes(outline: Outline, pending: number): number | undefined {
	const { current: unsent } = useRef({ commits: 0, nodes: new Set<string>() });
	const [, rerender] = useReducer((count: number) => count + 1, 0);
	useEffect(
		() =>
			outline.subscribe(({ source, changes }) => {
				if (source !== "local") return;
				unsent.commits += 1;
				for (const { id } of changes) unsent.nodes.add(id);
				rerender(undefined);
			}),
		[outline],
	);
	useLayoutEffect(() => {
		if (pending > 0) return;
		unsent.commits = 0;
		unsent.nodes.clear();
	}, [pending]);
	return unsent.commits === pending ? unsent.nodes.size : undefined;
}
