import { newRecord } from "../node.js";
import type { KeyChange, NodeChange, NodeRecord } from "../storage.js";
import type { Step } from "./step.js";

/** The fields of a record, in this order, up to the last one that isn't blank. */
type WrittenRecord = (string | number | null)[];

/** The values of the fields that a list may leave out at its end. The first five are always there. */
const blank = [undefined, undefined, undefined, undefined, undefined, "", null, null, "bullets", null, null];

/** A change as the record before, and the fields that differ after it; `null` if the node was deleted. */
type WrittenChange = readonly [before: WrittenRecord, after: Partial<NodeRecord> | null];

/** A step as a value of JSON: a list, which takes half as long to write as an object. It ends before `keys` if the rest is empty. */
type WrittenStep = [
	operation: string,
	moment: number,
	size: number,
	made: readonly WrittenRecord[],
	changed: readonly WrittenChange[],
	keys?: readonly KeyChange[],
	lasting?: readonly string[],
	ensured?: readonly string[],
	aside?: readonly string[],
];

/** Returns the text of a step. Records have no revision in it, because reverting a step needs none. */
export function stepText({ operation, moment, size, made, changed, keys, lasting, ensured, aside }: Step): string {
	const written: WrittenStep = [operation, moment, size, made.map(writtenRecord), changed.map(writtenChange)];
	// Most steps have nothing of these.
	if (keys.length + lasting.size + ensured.size + aside.size > 0) {
		written.push(keys, [...lasting], [...ensured], [...aside]);
	}
	return JSON.stringify(written);
}

/** Returns the step that a text holds. */
export function stepIn(text: string): Step {
	const [operation, moment, size, made, changed, keys = [], ...ids] = JSON.parse(text) as WrittenStep;
	const [lasting, ensured, aside] = ids;
	return {
		operation,
		moment,
		size,
		made: made.map(readRecord),
		changed: changed.map(([record, differing]) => {
			const before = readRecord(record);
			return { before, after: differing && { ...before, ...differing } };
		}),
		keys,
		lasting: new Set(lasting),
		ensured: new Set(ensured),
		aside: new Set(aside),
	};
}

function writtenChange({ before, after }: NodeChange): WrittenChange {
	return [writtenRecord(before!), after === null ? null : differences(before!, after)];
}

function writtenRecord(record: NodeRecord): WrittenRecord {
	const { id, parentId, priority, name, note, layoutMode, properties, originId } = record;
	const { createdAt, modifiedAt, completedAt } = record;
	const written = [id, parentId, priority, createdAt, modifiedAt];
	written.push(name, note, completedAt, layoutMode, properties, originId);
	while (written.at(-1) === blank[written.length - 1]) written.pop();
	return written;
}

function readRecord(written: WrittenRecord): NodeRecord {
	const [id, parentId, priority, createdAt, modifiedAt, name = "", note, completedAt, ...rest] = written;
	const [layoutMode, properties, originId] = rest;
	const record = { id, parentId, priority, name, note, layoutMode, properties, originId };
	return newRecord({ ...record, createdAt, modifiedAt, completedAt } as NodeRecord, 0);
}

/** The fields that differ, except for the revision. */
function differences(before: NodeRecord, after: NodeRecord): Partial<NodeRecord> {
	const differing: { [field: string]: unknown } = {};
	for (const field in after) {
		const value = after[field as keyof NodeRecord];
		if (value !== before[field as keyof NodeRecord] && field !== "revision") differing[field] = value;
	}
	return differing;
}
