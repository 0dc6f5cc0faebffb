import { format, nextFriday } from "date-fns";
import type { BatchOperation, TreeInput } from "outlinekit";
import { chordText } from "../commands/keyboard.js";

/**
 * The small outline that shows what an outline can do. Some texts depend on how one writes.
 *
 * @param today - the present day
 */
export function sampleOperations(isTouch: boolean, today: Date): BatchOperation[] {
	return [
		{
			type: "createTree",
			as: "welcome",
			parent: null,
			position: "top",
			name: "**Welcome.** Each line is a node, and has as many lines below it as you like",
			children: lines(isTouch, format(nextFriday(today), "yyyy-MM-dd")),
		},
		{
			type: "create",
			as: "shared",
			parent: { as: "welcome" },
			position: "bottom",
			name: "A mirror shows one text in two places. Change me:",
		},
		{
			type: "create",
			as: "list",
			parent: { as: "welcome" },
			position: "bottom",
			name: "The other place. Type (( to mirror a node anywhere",
		},
		{ type: "mirror", ref: { as: "shared" }, parent: { as: "list" } },
		{
			type: "create",
			parent: { as: "welcome" },
			position: "bottom",
			name: "“Today” leads to a node for each day, “Calendar” to all of them.",
		},
		{
			type: "create",
			parent: { as: "welcome" },
			position: "bottom",
			name: "You don't need this any more? Delete its uppermost line, and all of it is gone.",
		},
	];
}

/** The lines of the sample about writing and finding. */
function lines(isTouch: boolean, friday: string): TreeInput[] {
	return [
		...(isTouch
			? [
					{ name: "Tap a line to write in it. Enter makes the next one." },
					{ name: "The arrows above the keyboard move a line in and out, up and down." },
					{ name: "Rest a finger on a bullet for its menu, or drag it elsewhere." },
				]
			: [
					{ name: "Enter makes a new line. Tab puts it below the line before, Shift+Tab takes it out again." },
					{
						name: `${chordText("Alt+Shift")} and the arrows up and down move a line. ${chordText("Mod+Z")} takes back whatever you did.`,
					},
					{ name: "A right click on a bullet, or / in the text, opens a menu. F1 shows all keys." },
				]),
		{
			name: `${isTouch ? "Tap" : "Click on"} a bullet to go into its node`,
			children: [{ name: "It is the page now. “Home”, at the top, leads back." }],
		},
		{ name: "This is a to-do", layoutMode: "todo" },
		{ name: "**Bold**, *italic*, `code`, # headings and [ ] to-dos become what they mean as you type." },
		{
			name: `Tag a line, as in #garden or @Ann. A ${isTouch ? "tap" : "click"} on a tag shows all lines that have it.`,
		},
		{
			name: isTouch
				? "The filter, at the top, leaves only the lines that match: words, #garden, is:todo."
				: `${chordText("Mod+F")} leaves only the lines that match: words, #garden, is:todo. Escape brings all back.`,
		},
		{
			name: `Type “friday” or “in 2 weeks” and ${isTouch ? "tap what is offered" : "press Tab"}: it becomes a date, such as [${friday}]`,
		},
		{ name: "Type [[ to link to another line. That line then lists where it is linked from." },
	];
}
