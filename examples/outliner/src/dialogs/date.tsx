import { addDays, parseISO } from "date-fns";
import { useState } from "preact/hooks";
import { dateAtCaret, insertDate } from "../text/date.js";
import { activeField } from "../text/field.js";
import { useEditor } from "../view/context.js";
import { Days } from "./days.js";
import { closeDialog, DialogFrame } from "./frame.js";
import { keyOf, nextWeek } from "./month.js";

/** A month at the caret, to write one of its days there, or to change the date at the caret. */
export function DateDialog() {
	const { workspace } = useEditor();
	// The dialog takes the focus.
	const [present] = useState(() => dateAtCaret(activeField()!));
	const today = new Date();
	const choose = (date: string) => {
		closeDialog(workspace);
		const field = activeField();
		if (field === null) return;
		if (present?.isConnected) getSelection()!.getRangeAt(0).selectNode(present);
		const time = /T(\d\d:\d\d)/.exec(present?.dateTime ?? "")?.[1];
		insertDate(field, { date, ...(time !== undefined && { time }) });
	};
	return (
		<DialogFrame label={present === undefined ? "Insert a date" : "Change the date"} at="caret">
			<div class="calendar">
				<Days first={present === undefined ? today : parseISO(present.dateTime.slice(0, 10))} onChoose={choose} />
				<div class="calendar-foot">
					<button type="button" onClick={() => choose(keyOf(today))}>
						Today
					</button>
					<button type="button" onClick={() => choose(keyOf(addDays(today, 1)))}>
						Tomorrow
					</button>
					<button type="button" onClick={() => choose(keyOf(nextWeek(today)))}>
						Next week
					</button>
				</div>
			</div>
		</DialogFrame>
	);
}
