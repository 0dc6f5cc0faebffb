import { quoted } from "../errors.js";
import type { Changes } from "./changes.js";
import type { CommitSize } from "./commit-size.js";
import { IdSource } from "./id-source.js";
import type { Operation } from "./protocol.js";
import type { Settings } from "./settings.js";

/** The call that an operation belongs to: the same object for each attempt. */
export interface Call {
	readonly settings: Settings;
	/** The time of the call, in milliseconds. */
	readonly moment: number;
	/** The time of the call, in whole Unix seconds, as nodes have it. */
	readonly seconds: number;
	readonly ids: IdSource;
	/** The number of steps left for reading arguments at once. Longer arguments are read later, in turn. */
	readonly atOnce: { steps: number };
	/** The needs of the references in the call. */
	readonly needs: {
		/** Whether one of them is a key whose node may be created on demand. */
		onDemand: boolean;
	};
	/** In a batch: the nodes with names. */
	readonly named?: NamedNodes;
	/** In a batch: the size of the copies that this attempt has made. */
	readonly copies?: { size: CommitSize };
}

/** Runs an operation as a call of its own, and commits its changes. */
export type RunWrite = <T>(operation: (call: Call, changes: Changes) => Operation<T>) => Promise<T>;

/** The nodes that a batch creates and names. */
export interface NamedNodes {
	/** Whether an earlier operation gives a node this name. */
	known(name: string): boolean;
	/** Returns the id of the node with this name, once it exists. */
	idOf(name: string): string;
}

/** The steps in which a call reads its arguments at once: about ten thousand characters of markup. */
const stepsAtOnce = 16;

/** The earliest and the latest time of a clock: the years 1 to 9999, also next week, in every zone. */
const earliestNow = new Date(0).setUTCFullYear(1, 0, 3);
const latestNow = Date.UTC(9999, 11, 20);

/** Begins a call, and reads the clock once. @throws TypeError if the host's clock returns no valid time */
export function beginCall(settings: Settings): Call {
	const moment = settings.now();
	if (typeof moment !== "number" || !(moment >= earliestNow && moment <= latestNow)) {
		throw new TypeError(
			`now returned ${quoted(moment)}. It must return milliseconds since 1970, in the years 1 to 9999.`,
		);
	}
	const seconds = Math.floor(moment / 1000);
	const ids = new IdSource(settings.generateId);
	return { settings, moment, seconds, ids, atOnce: { steps: stepsAtOnce }, needs: { onDemand: false } };
}
