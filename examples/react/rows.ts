import type { Outline } from "outlinekit";
import type { Rows } from "outlinekit/live";
import { useEffect } from "react";
import { useCurrent, useLive } from "./live.ts";
import { type Showing, ShownRows } from "./shown-rows.ts";

/** What {@link useRows} takes. */
export interface RowsOptions extends Partial<Showing> {
	/** The id of the node whose children are shown. Default `null`: the top level. */
	readonly root?: string | null;
}

const none: ReadonlySet<string> = new Set();

/**
 * The rows below a node, with those of the nodes that are expanded, kept up to date. Undefined until they have been read;
 * when the root has changed, the rows of the one before stay until there are others.
 *
 * Every row says whether it has children, which takes a reading of each: for more rows than a screen has, look at those alone
 * that are on it.
 *
 * @param options - `expanded` is compared by identity, so give another set when something is expanded
 */
export function useRows(
	outline: Outline,
	{ root = null, expanded = none, completed = true }: RowsOptions = {},
): Rows | undefined {
	const rows = useLive((onError) => new ShownRows(outline, root, { expanded, completed }, onError), [outline, root]);
	useEffect(() => rows?.show({ expanded, completed }), [rows, expanded, completed]);
	return useCurrent(rows);
}
