import type { Call } from "../engine/call.js";
import type { Changes } from "../engine/changes.js";
import { ask, type Reading } from "../engine/protocol.js";
import { OutlineError, quoted } from "../errors.js";
import { contentOf } from "../node.js";
import { calendarKey, calendarKeyOf } from "../reference/calendar.js";
import { inboxKey, type NodeReference, notFound } from "../reference/reference.js";
import { type KeyRecord, type StoredNode, shortcutGroup } from "../storage.js";

/** A named entry point into the outline. Spec §2.3. */
export interface Target {
	/** What stands for the node wherever a reference is taken. */
	key: string;
	/** `shortcut`: set by the host or user; `system`: always there. */
	type: "shortcut" | "system";
	/** The name of its node; `null` for a system target whose node doesn't exist yet. */
	name: string | null;
}

/** The system targets, then the shortcuts by key. Spec §4.12. */
export function* targets(call: Call): Reading<Target[]> {
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

/** Points a shortcut at a node, in place of the one it pointed at before. @throws `not_found` for an unknown node */
export function* setShortcut(changes: Changes, key: string, reference: NodeReference): Reading<void> {
	const [node, current] = yield* ask({ type: "node", at: reference.at }, { type: "node", at: { key } });
	if (node === null) throw notFound(reference);
	if (current?.record.id === node.record.id) return;
	changes.putKey(current && shortcut(key, current), shortcut(key, node));
}

/** Drops a shortcut; the node stays. @throws `not_found` for an unknown key */
export function* deleteShortcut(changes: Changes, key: string): Reading<void> {
	const [current] = yield* ask({ type: "node", at: { key } });
	if (current === null) {
		throw new OutlineError("not_found", `There is no shortcut ${quoted(key)}. The targets show which ones there are.`);
	}
	changes.removeKey(shortcut(key, current));
}

function shortcut(key: string, node: StoredNode): KeyRecord {
	return { key, group: shortcutGroup, nodeId: node.record.id };
}
