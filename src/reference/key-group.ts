import { calendarForm, isRealDate } from "../date.js";
import { OutlineError } from "../errors.js";
import { calendarKey, inboxKey, keyType } from "../id.js";
import { shortcutGroup, systemGroup } from "../storage.js";
import { parentKey } from "./calendar.js";
import { shortcutKey } from "./reference.js";

/** Returns the group that a key has by its form. The key may still be invalid. */
export function groupByForm(key: string): string {
	return keyType(key) === "shortcut" ? shortcutGroup : (parentKey(key) ?? systemGroup);
}

/** Returns the group that a key belongs to; null if the key isn't valid. */
export function groupOf(key: string): string | null {
	if (key === inboxKey || key === calendarKey) return systemGroup;
	const date = calendarForm.exec(key);
	if (date !== null) {
		const [, year, month = "01", day = "01"] = date;
		return isRealDate({ year: Number(year), month: Number(month), day: Number(day) }) ? parentKey(key) : null;
	}
	return isShortcut(key) ? shortcutGroup : null;
}

function isShortcut(key: string): boolean {
	try {
		return shortcutKey(key) === key;
	} catch (error) {
		if (error instanceof OutlineError) return false;
		throw error;
	}
}
