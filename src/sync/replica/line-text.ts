import { escaped, type FieldValue, fieldIn, fieldText, unescaped } from "../../engine/field-text.js";
import type { Delta, DeltaFields, KeyDelta, KnownNode, NodeDelta } from "../delta.js";
import { deltaFields, type KnownNodes } from "./commit-delta.js";

/** A line of an entry. All lines but the last have `more`, and nodes alone. */
export type Line = Partial<Delta> & { readonly seq: number; readonly more?: true };

/*
 * The text of a line in the local storage, in the form of `field-text.ts`. The first item is the time of the commit, or
 * blank if another line of the entry follows. The first character of any other item says what it has:
 *
 * - `+` a new node, `-` a deleted one: its id and its fields.
 * - `*` a changed node: its id and its fields before. An item with its fields after (`>`) follows.
 * - `'` the other fields of the node in the item before, `@` the siblings above and below it, `!` that it only made room,
 *   `=` the id of the node that it copies, `o` contents that gave way, as JSON.
 * - `k` a key, `/` a node that isn't in the changes, `x` a closed conflict, `j` that the entry joins an outline.
 *
 * A field begins with the index of its name. Its value is `~4` if it is the last id, `~5` if the last item with fields has
 * the same, and `~6` if it is the time of the commit. The id of a `/` is blank if it is the parent in the item before, or
 * that of the last node.
 *
 * Earlier releases stored a line as it is sent. That begins with a `{`.
 */

/** The last id, the same as in the last item with fields, and the time of the commit. */
const [lastIdField, sameField, timeField] = ["~4", "~5", "~6"] as const;

/**
 * Returns the text of a line for the local storage. The key of its document has its number.
 *
 * @param known - the nodes that the line names beside its own
 */
export function storedLine(line: Line, known: KnownNodes = Object.entries(line.known ?? {})): string {
	const { more, at, nodes = [], keys = [], closed = [], joins } = line;
	let text = more ? "" : String(at);
	let lastId = "";
	let last: DeltaFields = {};
	const add = (mark: string, fields: DeltaFields) => {
		text += mark + fieldsText(fields, last, lastId, at);
		last = fields;
	};
	for (const { id, before, after, rest, above, below, aside, copyOf, others } of nodes) {
		if (before === null) add(`|+${escaped(id)}`, after!);
		else add(`${after === null ? "|-" : "|*"}${escaped(id)}`, before);
		lastId = id;
		if (before !== null && after !== null) add("|>", after);
		if (rest !== undefined) add("|'", rest);
		if (above !== undefined) text += `|@${fieldText(above)}^${fieldText(below ?? null)}`;
		if (aside) text += "|!";
		if (copyOf !== undefined) text += `|=${escaped(copyOf)}`;
		if (others !== undefined) text += `|o${escaped(JSON.stringify(others))}`;
	}
	for (const { key, group, before, after } of keys) {
		text += `|k${fieldText(key)}^${fieldText(group)}^${fieldText(before)}^${fieldText(after)}`;
	}
	let parent = nodes.at(-1)?.after?.parentId;
	for (const [id, { parentId, key }] of known) {
		text += `|/${id === parent ? "" : escaped(id)}^${fieldText(parentId)}`;
		if (key !== undefined) text += `^${fieldText(key)}`;
		parent = parentId;
	}
	for (const id of closed) text += `|x${escaped(id)}`;
	return joins ? `${text}|j` : text;
}

/** Returns the text of some fields. The time of the commit is `at`. */
function fieldsText(fields: DeltaFields, last: DeltaFields, lastId: string, at: number | undefined): string {
	let text = "";
	for (let number = 0; number < deltaFields.length; number++) {
		const name = deltaFields[number]!;
		const value = fields[name];
		if (value === undefined) continue;
		if (value === last[name]) text += `^${number}${sameField}`;
		else if (value === lastId) text += `^${number}${lastIdField}`;
		else text += `^${number}${value === at ? timeField : fieldText(value)}`;
	}
	return text;
}

/** Returns the line with a number that a text of the local storage has. */
export function lineIn(seq: number, text: string): Line {
	if (text.startsWith("{")) return JSON.parse(text);
	const [at, ...items] = text.split("|");
	const reader = new LineReader(Number(at));
	for (const item of items) reader.read(item);
	const { nodes, keys, known, closed, joins } = reader;
	if (at === "") return { seq, more: true, nodes };
	return { seq, at: Number(at), nodes, keys, known, closed, ...(joins && { joins }) };
}

/** Reads the items of a line. */
class LineReader {
	readonly nodes: { -readonly [K in keyof NodeDelta]: NodeDelta[K] }[] = [];
	readonly keys: KeyDelta[] = [];
	readonly known: { [id: string]: KnownNode } = {};
	readonly closed: string[] = [];
	joins?: true;
	#lastId = "";
	#last: DeltaFields = {};
	#parent: string | null = null;
	readonly #at: number;

	constructor(at: number) {
		this.#at = at;
	}

	read(item: string): void {
		const [start, ...parts] = item.slice(1).split("^") as [string, ...string[]];
		const first = unescaped(start);
		switch (item[0]) {
			case "k": {
				const [key, group, before, after] = textsIn([start, ...parts]);
				this.keys.push({ key: key!, group: group!, before: before!, after: after! });
				break;
			}
			case "/": {
				const [parentId, key] = textsIn(parts);
				const id = first === "" ? (this.#parent ?? this.nodes.at(-1)!.after!.parentId!) : first;
				this.known[id] = typeof key === "string" ? { parentId: parentId!, key } : { parentId: parentId! };
				this.#parent = parentId!;
				break;
			}
			case "x":
				this.closed.push(first);
				break;
			case "j":
				this.joins = true;
				break;
			default:
				this.#readNode(item[0]!, start, parts);
		}
	}

	#readNode(mark: string, start: string, parts: readonly string[]): void {
		const first = unescaped(start);
		const node = this.nodes.at(-1)!;
		switch (mark) {
			case "+":
			case "-":
			case "*": {
				const fields = this.#fields(parts);
				this.#lastId = first;
				this.nodes.push({
					id: first,
					...(mark === "+" ? { before: null, after: fields } : { before: fields, after: null }),
				});
				break;
			}
			case ">":
				node.after = this.#fields(parts);
				break;
			case "'":
				node.rest = this.#fields(parts);
				break;
			case "@":
				[node.above, node.below] = textsIn([start, ...parts]) as [string | null, string | null];
				break;
			case "!":
				node.aside = true;
				break;
			case "=":
				node.copyOf = first;
				break;
			case "o":
				node.others = JSON.parse(first);
		}
	}

	#fields(parts: readonly string[]): DeltaFields {
		const fields: { [field: string]: FieldValue } = {};
		for (const part of parts) {
			const name = deltaFields[Number(part[0])]!;
			fields[name] = this.#valueIn(part.slice(1), name);
		}
		this.#last = fields as DeltaFields;
		return this.#last;
	}

	#valueIn(text: string, field: keyof DeltaFields): FieldValue {
		switch (text) {
			case sameField:
				return this.#last[field]!;
			case lastIdField:
				return this.#lastId;
			case timeField:
				return this.#at;
			default:
				return fieldIn(text, field);
		}
	}
}

function textsIn(parts: readonly string[]): (string | null)[] {
	return parts.map((part) => fieldIn(part, "") as string | null);
}

/** Returns a line as it is sent: JSON without empty parts. */
export function sentLine({ seq, more, at, nodes = [], keys = [], known = {}, closed = [], joins }: Line): string {
	return JSON.stringify({
		seq,
		...(more && { more }),
		...(at !== undefined && { at }),
		nodes,
		...(keys.length > 0 && { keys }),
		...(Object.keys(known).length > 0 && { known }),
		...(closed.length > 0 && { closed }),
		...(joins && { joins }),
	});
}
