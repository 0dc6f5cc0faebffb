export type { Live } from "./live.js";
export { type LiveQueryOptions, liveQuery } from "./query.js";
export { type LiveRows, type LiveRowsOptions, liveRows, type Row, type Rows } from "./rows.js";
