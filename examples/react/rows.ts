import type { Outline } from "outlinekit";
import type { Rows } from "outlinekit/live";
import { useEffect } from "react";
import { useCurrent, useLive } from "./live.ts";
import { type Showing, ShownRows } from "./shown-rows.ts";

/** The options of {@link useRows}. */
export interface RowsOptions extends Partial<Showing> {
	/** The id of the parent of the shown nodes. Default `null`: the top level. */
	readonly root?: string | null;
}

const none: ReadonlySet<string> = new Set();

/**
 * The rows below a node and below its expanded nodes, kept up to date. Undefined until the first rows. When
 * the root changes, the old rows stay until there are new ones.
 *
 * Every row has a flag for children, which takes a read of each. For more rows than a screen has, read it
 * only for the rows on the screen.
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
