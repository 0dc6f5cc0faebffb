import { newRecord } from "../node.js";
import type { KeyChange, NodeRecord } from "../storage.js";
import type { Step } from "./step.js";

/** A record as a list of its fields, which takes half as long to write as an object. */
type WrittenRecord = readonly (string | number | null)[];

/** A change as the record before, and the fields that differ after it; `null` if the node was deleted. */
type WrittenChange = readonly [before: WrittenRecord, after: Partial<NodeRecord> | null];

/** A step as a value of JSON. Empty lists are absent. */
interface WrittenStep extends Pick<Step, "operation" | "moment" | "size"> {
	made?: readonly WrittenRecord[];
	changed?: readonly WrittenChange[];
	keys?: readonly KeyChange[];
	lasting?: readonly string[];
	ensured?: readonly string[];
	aside?: readonly string[];
}

/** Returns the text of a step. Records have no revision in it, because reverting a step needs none. */
export function stepText({ operation, moment, size, made, changed, keys, lasting, ensured, aside }: Step): string {
	const written: WrittenStep = { operation, moment, size };
	if (made.length > 0) written.made = made.map(writtenRecord);
	if (changed.length > 0) {
		written.changed = changed.map(({ before, after }) => [
			writtenRecord(before!),
			after === null ? null : differences(before!, after),
		]);
	}
	if (keys.length > 0) written.keys = keys;
	if (lasting.size > 0) written.lasting = [...lasting];
	if (ensured.size > 0) written.ensured = [...ensured];
	if (aside.size > 0) written.aside = [...aside];
	return JSON.stringify(written);
}

/** Returns the step that a text holds. */
export function stepIn(text: string): Step {
	const { made = [], changed = [], keys = [], lasting, ensured, aside, ...step } = JSON.parse(text) as WrittenStep;
	return {
		...step,
		made: made.map(readRecord),
		changed: changed.map(([written, differing]) => {
			const before = readRecord(written);
			return { before, after: differing && { ...before, ...differing } };
		}),
		keys,
		lasting: new Set(lasting),
		ensured: new Set(ensured),
		aside: new Set(aside),
	};
}

function writtenRecord(record: NodeRecord): WrittenRecord {
	const { id, parentId, priority, name, note, layoutMode, properties, originId } = record;
	const times = [record.createdAt, record.modifiedAt, record.completedAt];
	return [id, parentId, priority, name, note, layoutMode, properties, originId, ...times];
}

function readRecord(written: WrittenRecord): NodeRecord {
	const [id, parentId, priority, name, note, layoutMode, properties, originId, ...times] = written;
	const [createdAt, modifiedAt, completedAt] = times;
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
