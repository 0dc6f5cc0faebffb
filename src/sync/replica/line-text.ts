import { escaped, type FieldValue, fieldIn, fieldText, unescaped } from "../../engine/field-text.js";
import type { Delta, DeltaFields, KnownNode, NodeDelta } from "../delta.js";
import { deltaFields, type KnownNodes } from "./commit-delta.js";

/** A line of an entry. All lines but the last have `more`, and nodes alone. */
export type Line = Partial<Delta> & { readonly seq: number; readonly more?: true };

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
 * A field begins with the place of its name in `names`, as a digit or a letter. Its value is `~4` if the item before that
 * has fields has the same.
 *
 * Earlier releases stored a line as it is sent. That begins with a `{`.
 */

type Fields = DeltaFields & Pick<NodeDelta, "above" | "below"> & Partial<Pick<KnownNode, "key">>;

const names = [...deltaFields, "above", "below", "key"] as const satisfies readonly (keyof Fields)[];
const same = "~4";

/**
 * Returns the text of a line for the local storage. The key of its document has its number.
 *
 * @param line - without `at` if another line of the entry follows
 * @param known - the nodes that the line names beside its own
 */
export function storedLine(line: Partial<Delta>, known: KnownNodes = Object.entries(line.known ?? {})): string {
	const { at = "", nodes = [], keys, closed, joins } = line;
	let text = String(at);
	if (keys ?? closed ?? joins) text += jsonText("^", { keys, closed, joins });
	let last: DeltaFields = {};
	const add = (start: string, fields: DeltaFields) => {
		text += `|${start}${fieldsText(fields, last)}`;
		last = fields;
	};
	for (const { id, before, after, rest, above, below, aside, copyOf, others } of nodes) {
		add((before ? "-" : "+") + escaped(id), (before ?? after)!);
		if (before && after) add(">", after);
		if (rest) add("'", rest);
		if (above !== undefined) {
			text += `|@^a${fieldText(above)}^b${fieldText(below!)}`;
			last = {};
		}
		if (aside ?? copyOf ?? others) text += jsonText("|.", { aside, copyOf, others });
	}
	let parent: string | null = null;
	for (const [id, { parentId, key }] of known) {
		text += `|/${id === parent ? "" : escaped(id)}^0${fieldText(parentId)}`;
		if (key !== undefined) text += `^c${fieldText(key)}`;
		parent = parentId;
	}
	return text;
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

/** Returns the line with a number that a text of the local storage has. Its JSON is the line to send. */
export function lineIn(seq: number, stored: string): Line {
	if (stored.startsWith("{")) return JSON.parse(stored);
	const [first, ...items] = stored.split("|");
	const [at, rare = "{}"] = first!.split("^");
	const nodes: NodeDelta[] = [];
	const known: { [id: string]: Fields } = {};
	let last: Fields = {};
	let parent: string | null | undefined;
	for (const item of items) {
		const [start, ...texts] = item.slice(1).split("^") as [string, ...string[]];
		const id = unescaped(start);
		const mark = item[0]!;
		const node = nodes.at(-1)!;
		if (mark === ".") {
			Object.assign(node, JSON.parse(id));
			continue;
		}
		const fields: { [name: string]: unknown } = {};
		for (const text of texts) {
			const name = names[Number.parseInt(text[0]!, 36)]!;
			const value = text.slice(1);
			fields[name] = value === same ? last[name] : fieldIn(value, name);
		}
		last = fields;
		if (mark === "+") nodes.push({ id, before: null, after: last });
		else if (mark === "-") nodes.push({ id, before: last, after: null });
		else if (mark === "/") {
			known[id || parent!] = last;
			parent = last.parentId;
		} else Object.assign(node, mark === "@" ? last : { [mark === ">" ? "after" : "rest"]: last });
	}
	const end = at ? { at: Number(at) } : { more: true as const };
	return { seq, ...end, nodes, ...(parent !== undefined && { known }), ...JSON.parse(unescaped(rare)) };
}
