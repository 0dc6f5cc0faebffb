import type { Call } from "../engine/call.js";
import type { Changes } from "../engine/changes.js";
import { ask, type Operation } from "../engine/protocol.js";
import { OutlineError, quoted } from "../errors.js";
import type { Fields } from "../fields.js";
import { type NodeReference, nodeReference, notFound, shortcutKey } from "../reference/reference.js";
import { type Key, type StoredNode, shortcutGroup } from "../storage.js";
import { noIds, type Prepared } from "./prepared.js";

/** A shortcut, as `Outline.setShortcut` and `Outline.deleteShortcut` take it. */
export interface ShortcutInput {
	/** Any text but `None`, a system key, a calendar form, an id, a short id or an address. */
	key: string;
}

/** Checks and prepares a `setShortcut`. @throws `reserved_key`, and the errors of a reference */
export function prepareSetShortcut(call: Call, { key }: Fields, ref: unknown): Prepared<void> {
	const shortcut = shortcutKey(key);
	const reference = nodeReference(ref, call);
	return { newIds: noIds, run: (changes) => setShortcut(changes, shortcut, reference) };
}

/** Checks and prepares a `deleteShortcut`. @throws `invalid_argument` `reserved_key` */
export function prepareDeleteShortcut(_: Call, { key }: Fields): Prepared<void> {
	const shortcut = shortcutKey(key);
	return { newIds: noIds, run: (changes) => deleteShortcut(changes, shortcut) };
}

/** Points a shortcut at a node, instead of its node before. @throws `not_found` for an unknown node */
function* setShortcut(changes: Changes, key: string, reference: NodeReference): Operation<void> {
	const [node, current] = yield* ask({ type: "node", at: reference.at }, { type: "node", at: { key } });
	if (node === null) throw notFound(reference);
	if (current?.record.id === node.record.id) return;
	changes.putKey(current && shortcut(key, current), shortcut(key, node));
}

/** Deletes a shortcut; the node stays. @throws `not_found` for an unknown key */
function* deleteShortcut(changes: Changes, key: string): Operation<void> {
	const [current] = yield* ask({ type: "node", at: { key } });
	if (current === null) {
		throw new OutlineError("not_found", `There is no shortcut ${quoted(key)}. The targets list all shortcuts.`);
	}
	changes.removeKey(shortcut(key, current));
}

function shortcut(key: string, node: StoredNode): Key {
	return { key, group: shortcutGroup, nodeId: node.record.id };
}
