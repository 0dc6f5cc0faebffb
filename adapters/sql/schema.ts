/** The table of the outlines: of each its revision. */
export const outlinesTable = "outlinekit_outlines";

/** The table of the nodes, and of what stays of deleted ones. */
export const nodesTable = "outlinekit_nodes";

/** The table of the keys. */
export const keysTable = "outlinekit_keys";

/** The table of the receipts. */
export const receiptsTable = "outlinekit_receipts";

/** The table with one row: the version of the schema. */
export const schemaTable = "outlinekit_schema";

/** The table of the commits that are put aside until they are written, in SQLite. */
export const stagedTable = "outlinekit_staged";
