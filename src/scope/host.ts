import type { Call } from "../engine/call.js";
import type { Reading } from "../engine/protocol.js";
import type { Prepared } from "../operations/prepared.js";
import type { SearchHit, SearchInput } from "../search/outline-search.js";

/** What a scope needs of the outline that it is of. */
export interface ScopeHost {
	/** @throws `closed` */
	begin(): Call;
	read<T>(reading: () => Reading<T>): Promise<T>;
	write<T>(operation: string, prepare: (call: Call) => Prepared<T>): Promise<T>;
	search(query: string, input: SearchInput): Promise<SearchHit[]>;
	backlinks(ref: string): Promise<SearchHit[]>;
}
