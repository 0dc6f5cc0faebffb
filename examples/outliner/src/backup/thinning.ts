/** The periods of which backups stay: so many of each, and the newest backup of every one. */
const periods: readonly (readonly [count: number, periodOf: (date: string) => string | number])[] = [
	[7, (date) => date],
	[4, (date) => weekOf(date)],
	[12, (date) => date.slice(0, 7)],
];

const form = /^outline-(\d{4}-\d\d-\d\d)(?:-(\d+))?\.json$/;

/** The name of the file for a day, such as `2026-11-24`; with a number if it isn't the first of that day. */
export function backupName(date: string, number = 1): string {
	return `outline-${date}${number === 1 ? "" : `-${number}`}.json`;
}

/**
 * Returns the backups that give way to newer ones: the last 7 days, 4 weeks and 12 months keep their newest.
 * A day without a backup doesn't count. So neither a clock that jumps nor a long pause deletes anything.
 */
export function superfluous(names: readonly string[]): string[] {
	const dated = names
		.flatMap((name) => {
			const [, date, number = "1"] = form.exec(name) ?? [];
			return date === undefined ? [] : [{ name, date, number: Number(number) }];
		})
		.sort((left, right) => (left.date < right.date ? 1 : left.date > right.date ? -1 : right.number - left.number));
	const kept = new Set<string>();
	for (const [count, periodOf] of periods) {
		const seen = new Set<string | number>();
		for (const { name, date } of dated) {
			const period = periodOf(date);
			if (seen.has(period)) continue;
			if (seen.size === count) break;
			seen.add(period);
			kept.add(name);
		}
	}
	return dated.flatMap(({ name }) => (kept.has(name) ? [] : name));
}

/** The number of a week, which begins on Monday. */
function weekOf(date: string): number {
	const days = Date.parse(date) / 86_400_000;
	// The first of January 1970 was a Thursday.
	return Math.floor((days + 3) / 7);
}
