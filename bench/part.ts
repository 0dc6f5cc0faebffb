import type { Table } from "./report.ts";

/** How much is measured. */
export interface Extent {
	/** With the large sizes. */
	readonly full: boolean;
}

/** What the module of a part exports: it gives each table when it is measured. */
export interface Part {
	measure(extent: Extent): AsyncIterable<Table>;
}
