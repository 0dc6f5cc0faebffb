import type { Call } from "../engine/call.js";
import type { Operation } from "../engine/protocol.js";
import type { OutlineListener } from "../engine/subscription.js";
import type { Prepared } from "../operations/prepared.js";
import type { OutlineSearch } from "../read/search/outline-search.js";

/** The methods that a scope needs of its outline. */
export interface ScopeHost {
	/** @throws `closed` */
	begin(): Call;
	read<T>(operation: () => Operation<T>): Promise<T>;
	write<T>(operation: string, prepare: (call: Call) => Prepared<T>): Promise<T>;
	/** Returns the search of the whole outline. */
	search(): Promise<OutlineSearch>;
	/** Listens to the commits of the whole outline. @throws `closed` */
	subscribe(listener: OutlineListener): () => void;
}
