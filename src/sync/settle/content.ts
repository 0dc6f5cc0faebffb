import { mergedField } from "../../markup/merge.js";
import { contentFields, rewritten } from "../../node.js";
import type { Steps } from "../../pace.js";
import { type CheckedProperties, changedProperties } from "../../properties.js";
import type { NodeRecord } from "../../storage.js";
import type { DeltaFields } from "../delta.js";
import type { ContentLimits } from "./settlement.js";

/** The beginning of the field of a conflict about a property. */
export const propertyPrefix = "properties.";

/** A text or property whose edits don't go together. */
export interface ContentConflict {
	/** `name`, `note` or `properties.<key>`. */
	readonly field: string;
	/** The value that the node has now. */
	readonly shown: unknown;
	/** The value that gave way. */
	readonly other: unknown;
}

/** The content of a node after an edit, and what gave way. */
export interface Merged {
	/** The new record; the given one if nothing changed. */
	readonly record: NodeRecord;
	readonly conflicts: readonly ContentConflict[];
}

/**
 * Merges an edit into the content of a node: fields and properties one by one, texts by words. Where both
 * changed the same words, or are too long together, the edit shows, because it is the later one.
 *
 * @param before - the fields that the edit changed, as it found them. If one is missing, its base is unknown
 */
export function* mergedContent(
	current: NodeRecord,
	before: DeltaFields,
	after: DeltaFields,
	limits: ContentLimits,
): Steps<Merged> {
	const conflicts: ContentConflict[] = [];
	const { name = current.name, note = current.note, properties = current.properties } = after;
	const content = {
		name: isAlone(current.name, before.name, name)
			? name
			: yield* mergedText("name", current.name, before.name, name, limits, conflicts),
		note: isAlone(current.note, before.note, note)
			? note
			: yield* mergedText("note", current.note, before.note, note, limits, conflicts),
		properties: mergedProperties(current.properties, before.properties, properties, limits, conflicts),
		layoutMode: after.layoutMode ?? current.layoutMode,
		completedAt: completion(current.completedAt, before.completedAt, after.completedAt),
	};
	if (contentFields.every((field) => content[field] === current[field])) return { record: current, conflicts };
	const { modifiedAt = current.modifiedAt } = after;
	// Only an undo sets a time back, and only if no other device has edited the node.
	const isUndone = before.modifiedAt === current.modifiedAt;
	return {
		record: rewritten(current, content, isUndone ? modifiedAt : Math.max(current.modifiedAt, modifiedAt)),
		conflicts,
	};
}

/** Whether there is nothing to merge: no other device has changed a value, or all have the same. */
function isAlone<T>(theirs: T, base: T | undefined, ours: T): boolean {
	return ours === theirs || theirs === base;
}

function* mergedText<Text extends string | null>(
	field: "name" | "note",
	theirs: Text,
	base: Text | undefined,
	ours: Text,
	limits: ContentLimits,
	conflicts: ContentConflict[],
): Steps<Text> {
	const blank = (field === "name" ? "" : null) as Text;
	const merged =
		base === undefined ? either(ours, theirs, blank) : yield* mergedField(field, base, ours, theirs, limits[field]);
	if (merged !== undefined) return merged;
	conflicts.push({ field, shown: ours, other: theirs });
	return ours;
}

function mergedProperties(
	theirs: string | null,
	base: string | null | undefined,
	ours: string | null,
	limits: ContentLimits,
	conflicts: ContentConflict[],
): string | null {
	if (isAlone(theirs, base, ours)) return ours;
	const [mine, known, stored] = [valuesIn(ours), valuesIn(base ?? null), valuesIn(theirs)];
	const changes = new Map<string, string | null>();
	/** The keys whose stored value gives way: if the properties merge, and if they don't. */
	const [some, all]: [string[], string[]] = [[], []];
	for (const key of new Set([...mine.keys(), ...known.keys(), ...stored.keys()])) {
		const [wanted, was, now] = [mine.get(key), known.get(key), stored.get(key)];
		if (wanted === now) continue;
		if (now !== was) all.push(key);
		if (wanted === was) continue;
		changes.set(key, wanted ?? null);
		if (now !== was && now !== undefined) some.push(key);
	}
	const merged = changedProperties(theirs, changes as CheckedProperties, Number.POSITIVE_INFINITY);
	const fits = merged === theirs || (merged?.length ?? 0) <= limits.properties;
	for (const key of fits ? some : all) {
		conflicts.push({ field: propertyPrefix + key, shown: parsed(mine.get(key)), other: parsed(stored.get(key)) });
	}
	return fits ? merged : ours;
}

/** The JSON texts of the properties by their keys. */
function valuesIn(properties: string | null): Map<string, string> {
	const values = properties === null ? {} : (JSON.parse(properties) as Record<string, unknown>);
	return new Map(Object.entries(values).map(([key, value]) => [key, JSON.stringify(value)]));
}

/** Returns the conflicts of a node with a content that gave way to its own. */
export function conflictsWith(
	record: Pick<NodeRecord, "name" | "note" | "properties">,
	other: DeltaFields,
): ContentConflict[] {
	const conflicts: ContentConflict[] = [];
	for (const field of ["name", "note"] as const) {
		if ((other[field] ?? record[field]) !== record[field])
			conflicts.push({ field, shown: record[field], other: other[field] });
	}
	const stored = valuesIn(record.properties);
	for (const [key, value] of valuesIn(other.properties ?? null)) {
		const shown = stored.get(key);
		if (value !== shown) conflicts.push({ field: propertyPrefix + key, shown: parsed(shown), other: parsed(value) });
	}
	return conflicts;
}

/** Returns the content that gave way in a conflict of texts. */
export function otherContentOf({
	field = "",
	other,
}: {
	readonly field?: string;
	readonly other: unknown;
}): DeltaFields {
	if (!field.startsWith(propertyPrefix)) return { [field]: other };
	return { properties: JSON.stringify({ [field.slice(propertyPrefix.length)]: other }) };
}

function parsed(value: string | undefined): unknown {
	return value === undefined ? null : JSON.parse(value);
}

/** Returns the one of two values that isn't blank; undefined if neither is. */
function either<T>(ours: T, theirs: T, blank: T): T | undefined {
	if (ours === blank) return theirs;
	return theirs === blank ? ours : undefined;
}

/** Completing on two devices keeps the first time. */
function completion(theirs: number | null, base: number | null | undefined, ours: number | null | undefined) {
	if (ours === undefined) return theirs;
	if (isAlone(theirs, base, ours)) return ours;
	return ours !== null && theirs !== null ? theirs : ours;
}

/** The content in which a record differs from another, before and after. */
export function editedFields(source: DeltaFields, edited: DeltaFields): { before: DeltaFields; after: DeltaFields } {
	const before: Record<string, unknown> = {};
	const after: Record<string, unknown> = {};
	for (const field of contentFields) {
		if (edited[field] === undefined || (edited[field] ?? null) === (source[field] ?? null)) continue;
		before[field] = source[field] ?? (field === "layoutMode" ? "bullets" : null);
		after[field] = edited[field];
	}
	if (Object.keys(after).length > 0 && edited.modifiedAt !== undefined) after.modifiedAt = edited.modifiedAt;
	return { before, after };
}
