import { addMonths, format, isSameMonth } from "date-fns";
import type { Outline } from "outlinekit";
import { useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { codeOf } from "../text/error-code.js";
import { useQuery } from "../view/query.js";
import { dayBy, keyOf, weeksAround } from "./month.js";

interface DaysProps {
	/** The day that shows first. */
	readonly first: Date;
	/** Called with the chosen day, such as `2026-11-21`. */
	readonly onChoose: (day: string) => void;
}

/** The days of a month, to choose one by keys or the mouse. */
export function Days({ first, onChoose }: DaysProps) {
	const [day, setDay] = useState(first);
	const weeks = useMemo(() => weeksAround(day), [format(day, "yyyy-MM")]);
	const written = useQuery((outline) => writtenDays(outline, weeks.flat().map(keyOf)), [weeks]);
	const grid = useRef<HTMLTableElement>(null);
	const moved = useRef(false);
	useLayoutEffect(() => {
		if (moved.current) grid.current!.querySelector<HTMLElement>('[tabindex="0"]')!.focus();
		moved.current = false;
	}, [day]);

	const onKeyDown = (event: KeyboardEvent) => {
		if (event.ctrlKey || event.metaKey || event.altKey) return;
		const next = dayBy(event.key, event.shiftKey, day);
		if (next === undefined) return;
		event.preventDefault();
		moved.current = true;
		setDay(next);
	};
	return (
		<>
			<div class="calendar-head">
				<button type="button" aria-label="Previous month" onClick={() => setDay(addMonths(day, -1))}>
					‹
				</button>
				<h3 aria-live="polite">{format(day, "MMMM yyyy")}</h3>
				<button type="button" aria-label="Next month" onClick={() => setDay(addMonths(day, 1))}>
					›
				</button>
			</div>
			{/* biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: the days are gone through with the arrow keys */}
			<table ref={grid} role="grid" aria-label={format(day, "MMMM yyyy")} onKeyDown={onKeyDown}>
				<thead>
					<tr>
						{weeks[0]!.map((each) => (
							<th key={format(each, "i")} scope="col" abbr={format(each, "EEEE")}>
								{format(each, "EEEEEE")}
							</th>
						))}
					</tr>
				</thead>
				<tbody>
					{weeks.map((week) => (
						<tr key={keyOf(week[0]!)}>
							{week.map((each) => (
								<Day
									key={keyOf(each)}
									day={each}
									chosen={day}
									isWritten={written?.has(keyOf(each)) === true}
									onChoose={onChoose}
								/>
							))}
						</tr>
					))}
				</tbody>
			</table>
		</>
	);
}

interface DayProps extends Pick<DaysProps, "onChoose"> {
	readonly day: Date;
	readonly chosen: Date;
	/** Whether it has a node. */
	readonly isWritten: boolean;
}

function Day({ day, chosen, isWritten, onChoose }: DayProps) {
	const key = keyOf(day);
	const isChosen = key === keyOf(chosen);
	return (
		<td>
			<button
				type="button"
				class={isSameMonth(day, chosen) ? "day" : "day of-other-month"}
				tabIndex={isChosen ? 0 : -1}
				autofocus={isChosen}
				aria-label={format(day, "EEEE, MMMM d, yyyy") + (isWritten ? ", has notes" : "")}
				aria-current={key === keyOf(new Date()) ? "date" : undefined}
				data-day={key}
				data-written={isWritten}
				onClick={() => onChoose(key)}
			>
				{format(day, "d")}
			</button>
		</td>
	);
}

/** The days that have a node. */
async function writtenDays(outline: Outline, days: readonly string[]): Promise<ReadonlySet<string>> {
	const written = await Promise.all(
		days.map(async (day) => {
			try {
				await outline.get(day);
				return [day];
			} catch (error) {
				if (codeOf(error) !== "not_found") throw error;
				return [];
			}
		}),
	);
	return new Set(written.flat());
}
