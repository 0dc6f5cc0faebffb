import { escaped, fieldIn, fieldText, unescaped } from "../../engine/field-text.js";
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
 * A field begins with the number of its name, as a digit or a letter. Its value is `~4` if the item with fields before has
 * the same.
 *
 * Earlier releases stored a line as it is sent. That begins with a `{`.
 */

type Fields = DeltaFields & Pick<NodeDelta, "above" | "below"> & Partial<Pick<KnownNode, "key">>;

const names = [...deltaFields, "above", "below", "key"] as const satisfies readonly (keyof Fields)[];
const codes = Object.fromEntries(names.map((name, number) => [name, number.toString(36)]));
const same = "~4";

/**
 * Returns the text of a line for the local storage. The key of its document has its number.
 *
 * @param line - without `at` if another line of the entry follows
 * @param known - the nodes that the line names beside its own
 */
export function storedLine(line: Partial<Delta>, known: KnownNodes = Object.entries(line.known ?? {})): string {
	const { at = "", nodes = [], known: _, ...rare } = line;
	let text = at + jsonText("^", rare);
	let last: Fields = {};
	const add = (start: string, fields: Fields) => {
		text += `|${start}`;
		for (const each in fields) {
			const name = each as keyof Fields;
			const value = fields[name];
			if (value !== undefined) text += `^${codes[name]}${value === last[name] ? same : fieldText(value)}`;
		}
		last = fields;
	};
	for (const { id, before, after, rest, above, below, ...rare } of nodes) {
		add((before ? "-" : "+") + escaped(id), (before ?? after)!);
		if (before && after) add(">", after);
		if (rest) add("'", rest);
		if (above !== undefined) add("@", { above, below: below! });
		text += jsonText("|.", rare);
	}
	let parent: string | null = null;
	for (const [id, node] of known) {
		add(`/${id === parent ? "" : escaped(id)}`, node);
		parent = node.parentId;
	}
	return text;
}

/** Returns the JSON of an object with something before it; nothing for an empty object. */
function jsonText(before: string, object: object): string {
	for (const _ in object) return before + escaped(JSON.stringify(object));
	return "";
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
