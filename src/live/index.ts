/**
 * Values that are computed from an outline and stay up to date: the rows of an indented list, or any other
 * query.
 *
 * ```ts
 * import { Outline } from "outlinekit";
 * import { liveRows } from "outlinekit/live";
 * import { createMemoryStorage } from "outlinekit/memory";
 *
 * const outline = new Outline({ storage: createMemoryStorage() });
 * const shown = liveRows(outline);
 * await shown.ready;
 * shown.subscribe(({ rows }) => console.log(rows.map(({ node }) => node.name)));
 * ```
 *
 * @module outlinekit/live
 */
export type { Live } from "./live.js";
export { type LiveNodeOptions, liveNode } from "./node.js";
export { type LiveQueryOptions, liveQuery } from "./query.js";
export { type LiveRows, type LiveRowsOptions, liveRows, type Row, type Rows } from "./rows.js";
