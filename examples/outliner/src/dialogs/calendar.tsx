import { parseISO } from "date-fns";
import { goTo } from "../commands/go.js";
import { useEditor } from "../view/context.js";
import { Days } from "./days.js";
import { closeDialog, DialogFrame } from "./frame.js";

/** A month, to go to one of its days. */
export function CalendarDialog() {
	const editor = useEditor();
	const { workspace } = editor;
	const go = (target: string) => {
		closeDialog(workspace);
		void editor.run({ run: () => goTo(workspace, target) });
	};
	return (
		<DialogFrame label="Calendar" titled>
			<div class="calendar">
				<Days first={dayIn(workspace.root?.name) ?? new Date()} onChoose={go} />
				<div class="calendar-foot">
					<button type="button" onClick={() => go("today")}>
						Today
					</button>
					<button type="button" onClick={() => go("tomorrow")}>
						Tomorrow
					</button>
					<button type="button" onClick={() => go("next_week")}>
						Next week
					</button>
				</div>
			</div>
		</DialogFrame>
	);
}

/** The day that a name shows, if it is one of the calendar's. */
function dayIn(name = ""): Date | undefined {
	const day = /^<time datetime="(\d{4}-\d\d-\d\d)">/.exec(name)?.[1];
	return day === undefined ? undefined : parseISO(day);
}
