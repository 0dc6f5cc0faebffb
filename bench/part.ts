import type { Table } from "./report.ts";

/** The sizes of the measurement. */
export interface Extent {
	/** With the large sizes. */
	readonly full: boolean;
}

/** The exports of a part's module: it yields each table when it is measured. */
export interface Part {
	measure(extent: Extent): AsyncIterable<Table>;
}
