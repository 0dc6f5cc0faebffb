import { calendarForm } from "../../date.js";
import { Holders } from "./holders.js";
import { type Moments, momentOf } from "./moments.js";

/** The dates in the texts of a node by their days, each as the `datetime` of a `<time>` tag. */
export type DatesByDay = ReadonlyMap<string, readonly string[]>;

/** A calendar key, and the id of its node; `null` if the key was dropped. */
export interface CalendarKey {
	readonly key: string;
	readonly nodeId: string | null;
}

/** A date of a node, and its time in Unix seconds. */
export interface DateOfNode {
	readonly date: string;
	readonly moment: number;
}

const secondsOfDay = 86_400;

/**
 * The days between a date as written and the same moment in another zone, at most. An offset is less than a
 * day, and so is that of the outline.
 */
const daysBetweenZones = 2;

/** The maximum number of days whose starts are remembered. */
const mostStarts = 10_000;

/** The dates in the texts of nodes, by day. The entries of the calendar have dates as names, which don't count. */
export class DateIndex<Node extends { readonly id: string }> {
	readonly #timeZone: string;
	readonly #byDay = new Holders<Node, readonly string[]>();
	readonly #entries = new Map<string, string>();
	/** The ids of the entries; undefined after a change. */
	#entryIds: ReadonlySet<string> | undefined;
	/** The starts of days in the zone. To find one takes several microseconds. */
	readonly #starts = new Map<string, number>();

	/** @param timeZone - the zone in which a date without a time begins */
	constructor(timeZone: string) {
		this.#timeZone = timeZone;
	}

	/** Replaces the dates of a node. Returns the remaining steps, often none. */
	set(node: Node, dates: DatesByDay): Iterable<undefined> {
		return this.#byDay.set(node, dates);
	}

	/** Follows a key. Only those of the calendar matter. */
	setKey({ key, nodeId }: CalendarKey): void {
		if (!calendarForm.test(key)) return;
		if (nodeId === null) this.#entries.delete(key);
		else this.#entries.set(key, nodeId);
		this.#entryIds = undefined;
	}

	/** Returns the nodes of each day near a range: all nodes with a date in it, and some others. */
	near({ from, before }: Moments): ReadonlyMap<Node, unknown>[] {
		const first = dayAt(from - daysBetweenZones * secondsOfDay);
		const last = dayAt(before + daysBetweenZones * secondsOfDay);
		return [...this.#byDay.where((day) => day >= first && day <= last)];
	}

	/** Whether a node has a date in a range, and isn't an entry of the calendar. */
	has(node: Node, range: Moments): boolean {
		this.#entryIds ??= new Set(this.#entries.values());
		if (this.#entryIds.has(node.id)) return false;
		return this.#datesOf(node).some((date) => isWithin(this.#momentOf(date), range));
	}

	/** Returns the first date of a node in one of some ranges, or else its first date. */
	first(node: Node, ranges: readonly Moments[]): DateOfNode | undefined {
		let first: DateOfNode | undefined;
		let isFound = false;
		for (const date of this.#datesOf(node)) {
			const moment = this.#momentOf(date);
			const isMeant = ranges.some((range) => isWithin(moment, range));
			if (isFound && !isMeant) continue;
			if (first === undefined || isMeant !== isFound || moment < first.moment) first = { date, moment };
			isFound = isMeant;
		}
		return first;
	}

	#datesOf(node: Node): readonly string[] {
		return this.#byDay.keysOf(node).flatMap((day) => this.#byDay.of(day).get(node) ?? []);
	}

	#momentOf(date: string): number {
		const known = this.#starts.get(date);
		if (known !== undefined) return known;
		const moment = momentOf(date, this.#timeZone) ?? Number.MAX_SAFE_INTEGER;
		if (date.includes("T")) return moment;
		if (this.#starts.size === mostStarts) this.#starts.clear();
		this.#starts.set(date, moment);
		return moment;
	}
}

function isWithin(moment: number, { from, before }: Moments): boolean {
	return moment >= from && moment < before;
}

/** Returns the day of a moment in UTC; a text before or after all days if the year has no four digits. */
function dayAt(moment: number): string {
	const date = new Date(moment * 1000);
	const text = Number.isNaN(date.getTime()) ? (moment < 0 ? "-" : "+") : date.toISOString();
	return text.startsWith("+") ? "~" : text.startsWith("-") ? "" : text.slice(0, 10);
}
