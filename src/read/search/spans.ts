import { TZDate } from "@date-fns/tz/date";
import { sub } from "date-fns/sub";

const durations: Readonly<Record<string, (count: number) => { [unit: string]: number }>> = {
	d: (days) => ({ days }),
	w: (weeks) => ({ weeks }),
	m: (months) => ({ months }),
	y: (years) => ({ years }),
};

/**
 * Returns the moment a number of days, weeks, months or years before another one, at the same time of day in a zone.
 *
 * @param moment - milliseconds since 1970, as is the result
 * @param count - negative for a moment after it
 * @param unit - `d`, `w`, `m` or `y`
 */
export function before(moment: number, count: number, unit: string, timeZone: string): number {
	return sub(new TZDate(moment, timeZone), durations[unit.toLowerCase()]!(count)).getTime();
}
