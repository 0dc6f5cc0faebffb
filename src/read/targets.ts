import type { Call } from "../engine/call.js";
import { ask, type Operation } from "../engine/protocol.js";
import { calendarKey, inboxKey } from "../id.js";
import { contentOf } from "../node.js";
import { calendarKeyOf } from "../reference/calendar.js";
import { type StoredNode, shortcutGroup } from "../storage.js";

/** A named entry point into the outline. Spec §2.3. */
export interface Target {
	/** A reference to the node. */
	key: string;
	/** `shortcut`: set by the host or user; `system`: there is always one. */
	type: "shortcut" | "system";
	/** The name of its node; `null` for a system target whose node doesn't exist yet. */
	name: string | null;
}

/** Lists the system targets, then the shortcuts by key. Spec §4.12. */
export function* targets(call: Call): Operation<Target[]> {
	const node = (key: string) => ({ type: "node", at: { key } }) as const;
	const day = (word: string) => node(calendarKeyOf(word, call)!);
	const [shortcuts, inbox, calendar, today, tomorrow, nextWeek] = yield* ask(
		{ type: "keys", group: shortcutGroup },
		node(inboxKey),
		node(calendarKey),
		day("today"),
		day("tomorrow"),
		day("next_week"),
	);
	const system = (key: string, found: StoredNode | null): Target => ({
		key,
		type: "system",
		name: found === null ? null : contentOf(found).name,
	});
	return [
		system(inboxKey, inbox),
		system(calendarKey, calendar),
		system("today", today),
		system("tomorrow", tomorrow),
		system("next_week", nextWeek),
		...shortcuts
			.map(({ record, node }): Target => ({ key: record.key, type: "shortcut", name: contentOf(node).name }))
			.sort((left, right) => (left.key < right.key ? -1 : 1)),
	];
}
