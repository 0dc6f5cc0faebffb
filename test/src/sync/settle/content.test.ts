import { describe, expect, test } from "vitest";
import { newRecord } from "../../../../src/node.js";
import { finished } from "../../../../src/pace.js";
import type { DeltaFields } from "../../../../src/sync/delta.js";
import { mergedContent } from "../../../../src/sync/settle/content.js";
import { numberedId } from "../../../support/ids.js";

const limits = { name: 12, note: 12, properties: 20 };

/** Settles an edit of one field on another edit of it. */
function settled<F extends "name" | "note" | "properties">(
	field: F,
	base: DeltaFields[F],
	theirs: string,
	ours: string,
) {
	const node = { id: numberedId(1), parentId: null, priority: 0, name: "" };
	const current = { ...newRecord(node, 0), [field]: theirs };
	const { record, conflicts } = finished(mergedContent(current, { [field]: base }, { [field]: ours }, limits));
	return { shown: record[field], conflicts };
}

describe("two edits that are within the limits each", () => {
	test.each<["name" | "note", string, string]>([
		["note", "one & two", "one two 3,"],
		["name", "one <b>&amp;</b> two", "one two 3,"],
	])("merge into a %s of the greatest length: %s, %s", (field, theirs, ours) => {
		const merged = theirs.replace("two", "two 3,");
		expect(settled(field, "one two", theirs, ours)).toEqual({ shown: merged, conflicts: [] });
	});

	test.each<["name" | "note", string, string]>([
		["note", "one & two", "one two thr"],
		["name", "one <b>&amp;</b> two", "one two thr"],
	])("don't merge into a longer %s: the later one shows, and the other one is told", (field, theirs, ours) => {
		expect(settled(field, "one two", theirs, ours)).toEqual({
			shown: ours,
			conflicts: [{ field, shown: ours, other: theirs }],
		});
	});

	test("merge into properties of the greatest length", () => {
		expect(settled("properties", '{"a":1}', '{"a":1,"b":2}', '{"a":1,"c":33}')).toEqual({
			shown: '{"a":1,"b":2,"c":33}',
			conflicts: [],
		});
	});

	test("don't merge into longer properties: the later ones show, and each value that gives way is told", () => {
		const shown = '{"a":1,"c":3,"d":55}';
		expect(settled("properties", '{"a":1,"c":0}', '{"b":22,"c":4}', shown)).toEqual({
			shown,
			conflicts: [
				{ field: "properties.a", shown: 1, other: null },
				{ field: "properties.c", shown: 3, other: 4 },
				{ field: "properties.b", shown: null, other: 22 },
			],
		});
	});

	test("keep a stored text that is too long by earlier rules, if nothing joins it", () => {
		const long = '{"a":1,"b":"a long text"}';
		expect(settled("properties", '{"a":1,"c":2}', long, '{"a":1}')).toEqual({ shown: long, conflicts: [] });
	});
});

test.each([
	["is new again if one device has opened and completed a node", 5, 5, 9, 9],
	["stays the first one if two devices have completed a node", 5, null, 9, 5],
	["goes if a device has opened a node", 5, 5, null, null],
])("the time of completion %s", (_, theirs, base, ours, expected) => {
	const current = newRecord({ id: numberedId(1), parentId: null, priority: 0, name: "", completedAt: theirs }, 0);
	const edit = mergedContent(current, { completedAt: base }, { completedAt: ours }, limits);
	expect(finished(edit).record.completedAt).toBe(expected);
});
