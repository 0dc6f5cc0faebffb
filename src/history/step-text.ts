import { newRecord } from "../node.js";
import type { KeyChange, NodeChange, NodeRecord } from "../storage.js";
import type { Step } from "./step.js";

/*
 * The text of a step: items with a `|` between them, whose fields have a `^` between them. It has no quotation marks of
 * its own, because files have it within JSON, and to escape each would take longer than to write the rest.
 *
 * - The first item has the operation, the moment and the size.
 * - `+` begins the record of a created node, `-` that of a deleted one.
 * - `*` begins the record of a changed node before the change. The next item is its record after it.
 * - `.` begins the other parts of the step as JSON, if there are any.
 *
 * A field of a record is blank if the record before it in the text has the same, because a disk writes a shorter text
 * faster.
 */

/** A field that is `null`, one that is an empty text, and a `parentId` that is the id of the record before. */
const [none, empty, below] = ["~", "~3", "~4"] as const;

/** What the characters of the form become within a text. */
const escapes: { readonly [character: string]: string } = { "~": "~0", "^": "~1", "|": "~2" };

/** The fields of a record in their order. The last ones are the same in most records, and left out then. */
const fields = [
	...(["id", "parentId", "priority", "createdAt", "modifiedAt", "name"] as const),
	...(["note", "completedAt", "layoutMode", "properties", "originId"] as const),
];

const numbers: ReadonlySet<string> = new Set(["priority", "createdAt", "modifiedAt", "completedAt"]);

/** The record with which the first one of a text is compared. */
const blank = newRecord({ id: "", parentId: null, priority: 0, name: "" }, 0);

/** The parts of a step that most steps don't have. */
type OtherParts = readonly [
	keys: readonly KeyChange[],
	lasting: readonly string[],
	ensured: readonly string[],
	aside: readonly string[],
];

/** Returns the text of a step. Records have no revision in it, because reverting a step needs none. */
export function stepText({ operation, moment, size, made, changed, keys, lasting, ensured, aside }: Step): string {
	let text = `${operation}^${moment}^${size}`;
	let last = blank;
	const add = (mark: string, record: NodeRecord) => {
		text += mark + recordText(record, last);
		last = record;
	};
	for (const record of made) add("|+", record);
	for (const { before, after } of changed) {
		add(after === null ? "|-" : "|*", before!);
		if (after !== null) add("|", after);
	}
	if (keys.length + lasting.size + ensured.size + aside.size > 0) {
		const others: OtherParts = [keys, [...lasting], [...ensured], [...aside]];
		text += `|.${escaped(JSON.stringify(others))}`;
	}
	return text;
}

/** Returns the step that a text holds. */
export function stepIn(text: string): Step {
	const items = text.split("|");
	const [operation, moment, size] = items[0]!.split("^");
	const made: NodeRecord[] = [];
	const changed: NodeChange[] = [];
	let others: Partial<OtherParts> = [];
	let last = blank;
	const record = (item: string) => {
		last = recordIn(item, last);
		return last;
	};
	for (let at = 1; at < items.length; at++) {
		const item = items[at]!.slice(1);
		switch (items[at]![0]) {
			case "+":
				made.push(record(item));
				break;
			case "-":
				changed.push({ before: record(item), after: null });
				break;
			case "*":
				at += 1;
				changed.push({ before: record(item), after: record(items[at]!) });
				break;
			default:
				others = JSON.parse(unescaped(item));
		}
	}
	const [keys = [], lasting, ensured, aside] = others;
	return {
		operation: operation!,
		moment: Number(moment),
		size: Number(size),
		made,
		changed,
		keys,
		lasting: new Set(lasting),
		ensured: new Set(ensured),
		aside: new Set(aside),
	};
}

/** Returns the fields of a record that differ from those of the record before. */
function recordText(record: NodeRecord, last: NodeRecord): string {
	const { id, parentId, priority, createdAt, modifiedAt, name } = record;
	const { note, completedAt, layoutMode, properties, originId } = record;
	const parent = parentId !== null && parentId === last.id ? below : fieldText(parentId, last.parentId);
	const times = `${fieldText(createdAt, last.createdAt)}^${fieldText(modifiedAt, last.modifiedAt)}`;
	const text = `${fieldText(id, last.id)}^${parent}^${fieldText(priority, last.priority)}^${times}^${fieldText(name, last.name)}`;
	const isSame = note === last.note && completedAt === last.completedAt && layoutMode === last.layoutMode;
	if (isSame && properties === last.properties && originId === last.originId) return text;
	const mode = `${fieldText(completedAt, last.completedAt)}^${fieldText(layoutMode, last.layoutMode)}`;
	return `${text}^${fieldText(note, last.note)}^${mode}^${fieldText(properties, last.properties)}^${fieldText(originId, last.originId)}`;
}

function fieldText(value: string | number | null, last: string | number | null): string {
	if (value === last) return "";
	if (value === null) return none;
	return value === "" ? empty : escaped(String(value));
}

function recordIn(text: string, last: NodeRecord): NodeRecord {
	const record: { [field: string]: unknown } = { ...last };
	for (const [index, part] of text.split("^").entries()) {
		const field = fields[index]!;
		if (part !== "") record[field] = part === below ? last.id : valueIn(part, field);
	}
	return record as unknown as NodeRecord;
}

function valueIn(part: string, field: string): string | number | null {
	if (part === none) return null;
	if (part === empty) return "";
	return numbers.has(field) ? Number(part) : unescaped(part);
}

function escaped(text: string): string {
	return /[~^|]/.test(text) ? text.replace(/[~^|]/g, (character) => escapes[character]!) : text;
}

function unescaped(text: string): string {
	return text.includes("~") ? text.replace(/~[012]/g, (pair) => "~^|"[Number(pair[1])]!) : text;
}
