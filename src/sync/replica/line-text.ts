import { escaped, type FieldValue, fieldText } from "../../engine/field-text.js";
import type { Delta, DeltaFields } from "../delta.js";
import type { KnownNodes } from "./commit-delta.js";

/*
 * The text of a line in the local storage, in the form of `field-text.ts`. The first item is the time of the commit, or
 * blank if another line of the entry follows, and the keys and other rare parts as JSON. The first character of any other
 * item says what it has:
 *
 * - `+` a new node: its id and its fields.
 * - `-` another node: its id and its fields before. If the commit didn't delete it, its fields after (`>`) follow.
 * - `'` the other fields of the node in the item before, `@` the siblings above and below it, `.` its rare parts as JSON.
 * - `/` a node that isn't in the changes: its id, its parent and its key. The id is blank if it is the parent in the item
 *   before.
 *
 * A field begins with the place of its name in the list of `read-line.ts`, as a digit or a letter. Its value is `~4` if the item before that
 * has fields has the same.
 *
 * Earlier releases stored a line as it is sent. That begins with a `{`.
 */

/** The value of a field that the item before has too. */
export const same = "~4";

/**
 * Returns the text of a line for the local storage. The key of its document has its number.
 *
 * @param line - without `at` if another line of the entry follows
 * @param known - the nodes that the line names beside its own
 */
export function storedLine(line: Partial<Delta>, known: KnownNodes = Object.entries(line.known ?? {})): string {
	const { at = "", nodes = [], keys, closed, joins } = line;
	// Joined at the end: a text made by `+` keeps all its parts in memory until something looks into it.
	const parts = [String(at)];
	if (keys ?? closed ?? joins) parts.push(jsonText("^", { keys, closed, joins }));
	let last: DeltaFields = {};
	const add = (start: string, fields: DeltaFields) => {
		parts.push("|", start, fieldsText(fields, last));
		last = fields;
	};
	for (const { id, before, after, rest, above, below, aside, copyOf, others } of nodes) {
		add((before ? "-" : "+") + escaped(id), (before ?? after)!);
		if (before && after) add(">", after);
		if (rest) add("'", rest);
		if (above !== undefined) {
			parts.push("|@^a", fieldText(above), "^b", fieldText(below!));
			last = {};
		}
		if (aside ?? copyOf ?? others) parts.push(jsonText("|.", { aside, copyOf, others }));
	}
	let parent: string | null = null;
	for (const [id, { parentId, key }] of known) {
		parts.push("|/", id === parent ? "" : escaped(id), "^0", fieldText(parentId));
		if (key !== undefined) parts.push("^c", fieldText(key));
		parent = parentId;
	}
	return parts.join("");
}

/** Returns the text of the fields of a node. Each is written out, because a loop takes half as long again. */
function fieldsText(fields: DeltaFields, last: DeltaFields): string {
	return (
		maybeField("^0", fields.parentId, last.parentId) +
		maybeField("^1", fields.priority, last.priority) +
		maybeField("^2", fields.name, last.name) +
		maybeField("^3", fields.note, last.note) +
		maybeField("^4", fields.layoutMode, last.layoutMode) +
		maybeField("^5", fields.properties, last.properties) +
		maybeField("^6", fields.createdAt, last.createdAt) +
		maybeField("^7", fields.modifiedAt, last.modifiedAt) +
		maybeField("^8", fields.completedAt, last.completedAt) +
		maybeField("^9", fields.originId, last.originId)
	);
}

/** Returns the text of a field that the node may not have. */
function maybeField(start: string, value: FieldValue | undefined, last: FieldValue | undefined): string {
	if (value === undefined) return "";
	return start + (value === last ? same : fieldText(value));
}

/** Returns the JSON of an object with something before it. */
function jsonText(before: string, object: object): string {
	return before + escaped(JSON.stringify(object));
}

/** Returns the time of a commit from the text of its last line. A page shows its status before it reads any lines. */
export function timeIn(stored: string): number {
	return stored.startsWith("{") ? JSON.parse(stored).at : Number.parseInt(stored, 10);
}
