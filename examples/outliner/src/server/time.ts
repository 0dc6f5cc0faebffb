/** The time of day of a moment in Unix seconds; with the date if that isn't today. */
export function clockTime(seconds: number): string {
	const moment = new Date(seconds * 1000);
	const isToday = moment.toDateString() === new Date().toDateString();
	return moment.toLocaleString([], isToday ? { timeStyle: "short" } : { dateStyle: "medium", timeStyle: "short" });
}
