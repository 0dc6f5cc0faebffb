/** The first second of the year 1, and the last second of the year 9999: a calendar can show these years. */
export const earliest = -62_135_596_800;
export const latest = 253_402_300_799;

/** Whether a value is a time in whole Unix seconds, in the years 1 to 9999. */
export function isTime(value: unknown): value is number {
	return Number.isSafeInteger(value) && (value as number) >= earliest && (value as number) <= latest;
}
