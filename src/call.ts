import { quoted } from "./errors.js";
import { IdSource } from "./id.js";
import type { Settings } from "./settings.js";

/** What an operation may know of the call that it belongs to: the same for each attempt at it. */
export interface Call {
	readonly settings: Settings;
	/** When the call was made, in milliseconds. */
	readonly moment: number;
	/** The same in whole Unix seconds, as nodes carry it. */
	readonly seconds: number;
	readonly ids: IdSource;
}

/** The latest and earliest moment that a date has. */
const dateRange = 8.64e15;

/** Begins a call: the clock is read once, here. @throws TypeError when the host's clock gives no time */
export function beginCall(settings: Settings): Call {
	const moment = settings.now();
	if (typeof moment !== "number" || !(Math.abs(moment) <= dateRange)) {
		throw new TypeError(`now returned ${quoted(moment)}. It must return milliseconds since 1970, as Date.now does.`);
	}
	return { settings, moment, seconds: Math.floor(moment / 1000), ids: new IdSource(settings.generateId) };
}
