import { quoted } from "../errors.js";
import { IdSource } from "./id-source.js";
import type { Settings } from "./settings.js";

/** What an operation may know of the call that it belongs to: the same for each attempt at it. */
export interface Call {
	readonly settings: Settings;
	/** When the call was made, in milliseconds. */
	readonly moment: number;
	/** The same in whole Unix seconds, as nodes carry it. */
	readonly seconds: number;
	readonly ids: IdSource;
	/** How many steps of reading its arguments the call may still do at once. What takes more is read when it is its turn. */
	readonly atOnce: { steps: number };
	/** In a batch: the nodes that have been given names. */
	readonly named?: NamedNodes;
}

/** Nodes that a batch makes and names. */
export interface NamedNodes {
	/** Whether an operation before this one gives the name. */
	known(name: string): boolean;
	/** The id of the node, once it is made. */
	idOf(name: string): string;
}

/** How many steps of its arguments a call reads at once: some ten thousand characters of markup, or some milliseconds. */
const stepsAtOnce = 16;

/** The calendar has the years 1 to 9999, and next week must be among them in every zone. */
const earliest = new Date(0).setUTCFullYear(1, 0, 3);
const latest = Date.UTC(9999, 11, 20);

/** Begins a call: the clock is read once, here. @throws TypeError when the host's clock gives no time */
export function beginCall(settings: Settings): Call {
	const moment = settings.now();
	if (typeof moment !== "number" || !(moment >= earliest && moment <= latest)) {
		throw new TypeError(
			`now returned ${quoted(moment)}. It must return milliseconds since 1970, in the years 1 to 9999.`,
		);
	}
	const seconds = Math.floor(moment / 1000);
	return { settings, moment, seconds, ids: new IdSource(settings.generateId), atOnce: { steps: stepsAtOnce } };
}
