import { escaped, type FieldValue, fieldIn, fieldText, unescaped } from "../engine/field-text.js";
import { newRecord } from "../node.js";
import type { KeyChange, NodeChange, NodeRecord } from "../storage.js";
import type { Step } from "./step.js";

/*
 * The text of a step, in the form of `field-text.ts`:
 *
 * - The first item has the operation, the moment and the size.
 * - `+` begins the record of a created node, `-` that of a deleted one.
 * - `*` begins the record of a changed node before the change. The next item is its record after it.
 * - `.` begins the other parts of the step as JSON, if there are any.
 *
 * A field of a record is blank if the record before it in the text has the same, because a disk writes a shorter text
 * faster.
 */

/** A `parentId` that is the id of the record before. */
const below = "~4";

/** The fields of a record in their order. The last ones are the same in most records, and left out then. */
const fields = [
	...(["id", "parentId", "priority", "createdAt", "modifiedAt", "name"] as const),
	...(["note", "completedAt", "layoutMode", "properties", "originId"] as const),
];

/** The record with which the first one of a text is compared. */
const blank = newRecord({ id: "", parentId: null, priority: 0, name: "" }, 0);

/** The parts of a step that most steps don't have. */
type OtherParts = readonly [
	keys: readonly KeyChange[],
	lasting: readonly string[],
	ensured: readonly string[],
	aside: readonly string[],
	copies: readonly (readonly [id: string, copied: string])[],
];

/** Returns the text of a step. Records have no revision in it, because reverting a step needs none. */
export function stepText(step: Step): string {
	const { operation, moment, size, made, changed, keys, lasting, ensured, aside, copies } = step;
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
	if (keys.length + lasting.size + ensured.size + aside.size + copies.size > 0) {
		const others: OtherParts = [keys, [...lasting], [...ensured], [...aside], [...copies]];
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
	const [keys = [], lasting, ensured, aside, copies] = others;
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
		copies: new Map(copies),
	};
}

/** Returns the fields of a record that differ from those of the record before. */
function recordText(record: NodeRecord, last: NodeRecord): string {
	const { id, parentId, priority, createdAt, modifiedAt, name } = record;
	const { note, completedAt, layoutMode, properties, originId } = record;
	const parent = parentId !== null && parentId === last.id ? below : textUnlessSame(parentId, last.parentId);
	const times = `${textUnlessSame(createdAt, last.createdAt)}^${textUnlessSame(modifiedAt, last.modifiedAt)}`;
	const text = `${textUnlessSame(id, last.id)}^${parent}^${textUnlessSame(priority, last.priority)}^${times}^${textUnlessSame(name, last.name)}`;
	const isSame = note === last.note && completedAt === last.completedAt && layoutMode === last.layoutMode;
	if (isSame && properties === last.properties && originId === last.originId) return text;
	const mode = `${textUnlessSame(completedAt, last.completedAt)}^${textUnlessSame(layoutMode, last.layoutMode)}`;
	return `${text}^${textUnlessSame(note, last.note)}^${mode}^${textUnlessSame(properties, last.properties)}^${textUnlessSame(originId, last.originId)}`;
}

/** Returns a blank text for a value that the record before has. */
function textUnlessSame(value: FieldValue, last: FieldValue): string {
	return value === last ? "" : fieldText(value);
}

function recordIn(text: string, last: NodeRecord): NodeRecord {
	const record: { [field: string]: unknown } = { ...last };
	for (const [index, part] of text.split("^").entries()) {
		const field = fields[index]!;
		if (part !== "") record[field] = part === below ? last.id : fieldIn(part, field);
	}
	return record as unknown as NodeRecord;
}
