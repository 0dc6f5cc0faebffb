import { newRecord } from "../node.js";
import type { KeyChange, NodeChange, NodeRecord } from "../storage.js";
import type { Step } from "./step.js";

/*
 * The text of a step: items with a `|` between them, whose fields have a `^` between them. It has no quotation marks of
 * its own, because files have it within JSON, and to escape each would take longer than to write the rest.
 *
 * - The first item has the operation, the moment and the size.
 * - `+` begins the record of a created node, `-` that of a deleted one.
 * - `*` begins the record of a changed node before the change. The next item has the fields that differ after it, as JSON.
 * - `.` begins the other parts of the step as JSON, if there are any.
 */

/** A field that is `null`. */
const none = "~";

/** What the characters of the form become within a text. */
const escapes: { readonly [character: string]: string } = { "~": "~0", "^": "~1", "|": "~2" };

/** The parts of a step that most steps don't have. */
type OtherParts = readonly [
	keys: readonly KeyChange[],
	lasting: readonly string[],
	ensured: readonly string[],
	aside: readonly string[],
];

/** Returns the text of a step. Records have no revision in it, because reverting a step needs none. */
export function stepText({ operation, moment, size, made, changed, keys, lasting, ensured, aside }: Step): string {
	const items = [`${operation}^${moment}^${size}`];
	for (const record of made) items.push(`+${recordText(record)}`);
	for (const { before, after } of changed) {
		items.push((after === null ? "-" : "*") + recordText(before!));
		if (after !== null) items.push(escaped(differences(before!, after)));
	}
	if (keys.length + lasting.size + ensured.size + aside.size > 0) {
		const others: OtherParts = [keys, [...lasting], [...ensured], [...aside]];
		items.push(`.${escaped(JSON.stringify(others))}`);
	}
	return items.join("|");
}

/** Returns the step that a text holds. */
export function stepIn(text: string): Step {
	const items = text.split("|");
	const [operation, moment, size] = items[0]!.split("^");
	const made: NodeRecord[] = [];
	const changed: NodeChange[] = [];
	let others: Partial<OtherParts> = [];
	for (let at = 1; at < items.length; at++) {
		const item = items[at]!.slice(1);
		switch (items[at]![0]) {
			case "+":
				made.push(recordIn(item));
				break;
			case "-":
				changed.push({ before: recordIn(item), after: null });
				break;
			case "*": {
				const before = recordIn(item);
				at += 1;
				changed.push({ before, after: { ...before, ...JSON.parse(unescaped(items[at]!)!) } });
				break;
			}
			default:
				others = JSON.parse(unescaped(item)!);
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

/** Returns a record as its fields. It ends behind the name if the rest is blank. */
function recordText(record: NodeRecord): string {
	const { id, parentId, priority, name, note, layoutMode, properties, originId } = record;
	const { createdAt, modifiedAt, completedAt } = record;
	const fields = [id, parentId ?? none, priority, createdAt, modifiedAt, escaped(name)];
	const isShort = note === null && completedAt === null && layoutMode === "bullets";
	if (!isShort || properties !== null || originId !== null) {
		fields.push(escaped(note), completedAt ?? none, layoutMode, escaped(properties), originId ?? none);
	}
	return fields.join("^");
}

function recordIn(text: string): NodeRecord {
	const [id, parentId, priority, createdAt, modifiedAt, name, note, completedAt, ...rest] = text.split("^");
	const [layoutMode, properties, originId] = rest;
	const record = {
		id: id!,
		parentId: unescaped(parentId!),
		priority: Number(priority),
		createdAt: Number(createdAt),
		modifiedAt: Number(modifiedAt),
		name: unescaped(name!)!,
	};
	if (layoutMode === undefined) return newRecord(record, 0);
	return newRecord(
		{
			...record,
			note: unescaped(note!),
			completedAt: completedAt === none ? null : Number(completedAt),
			layoutMode: layoutMode as NodeRecord["layoutMode"],
			properties: unescaped(properties!),
			originId: unescaped(originId!),
		},
		0,
	);
}

/** Returns the fields that differ, except for the revision, as JSON. */
function differences(before: NodeRecord, after: NodeRecord): string {
	const differing: { [field: string]: unknown } = {};
	for (const field in after) {
		const value = after[field as keyof NodeRecord];
		if (value !== before[field as keyof NodeRecord] && field !== "revision") differing[field] = value;
	}
	return JSON.stringify(differing);
}

function escaped(text: string | null): string {
	if (text === null) return none;
	return /[~^|]/.test(text) ? text.replace(/[~^|]/g, (character) => escapes[character]!) : text;
}

function unescaped(text: string): string | null {
	if (text === none) return null;
	return text.includes("~") ? text.replace(/~[012]/g, (pair) => "~^|"[Number(pair[1])]!) : text;
}
