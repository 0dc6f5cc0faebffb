import { isRealDate } from "../date.js";
import { OutlineError } from "../errors.js";
import { keyType } from "../id.js";
import { shortcutGroup, systemGroup } from "../storage.js";
import { firstDay, parentKey } from "./calendar.js";
import { shortcutKey } from "./reference.js";

/** Returns the group that a key has by its form. The key may still be invalid. */
export function groupByForm(key: string): string {
	return keyType(key) === "shortcut" ? shortcutGroup : (parentKey(key) ?? systemGroup);
}

/** Returns the group that a key belongs to; null if the key isn't valid. */
export function groupOf(key: string): string | null {
	const type = keyType(key);
	const isValid = type === "calendar" ? isRealDate(firstDay(key)) : type === "system" || isShortcut(key);
	return isValid ? groupByForm(key) : null;
}

function isShortcut(key: string): boolean {
	try {
		return shortcutKey(key) === key;
	} catch (error) {
		if (error instanceof OutlineError) return false;
		throw error;
	}
}
