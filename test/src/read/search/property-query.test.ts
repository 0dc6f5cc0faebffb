import { describe, expect, test } from "vitest";
import type { JsonValue } from "../../../../src/properties.js";
import { spanModule } from "../../../../src/read/search/moments.js";
import { findsValue, foldedProperties, propertyQuery } from "../../../../src/read/search/property-query.js";
import { newOutline } from "../../../support/outline.js";

await spanModule.load();

const now = Date.parse("2026-11-21T12:00Z");
const finds = (query: string, value: JsonValue, timeZone = "UTC") =>
	findsValue(propertyQuery(query, timeZone, now)!, value);

describe("the value of a property", () => {
	test.each<[string, JsonValue]>([
		["done", "Done"],
		["done", "not done, and late"],
		["in progress", "now in progress"],
		["angstrom", "Ångström"],
		["—", "—"],
		["true", true],
		["false", false],
		["3", 3],
		["3.50", 3.5],
		["-1", -1],
		[">2", 3],
		[">=3", 3],
		["<3.5", 3],
		["1..3", 3],
		["2026", 2026],
		["2026-12-01", "2026-12-01"],
		["2026-12", "2026-12-01"],
		["2026", "2026-12"],
		[">2026-11-30", "2026-12-01"],
		["<=2026-12-01", "2026-12-01T23:59"],
		["2026-12-01..2026-12-31", "2026-12-01 08:30:15"],
		["2026-12-01", "2026-11-30T23:30-01:00"],
		["7d", "2026-11-15"],
		["7d", "2027-01-01"],
		["b", ["a", "b"]],
		["2", ["a", 2]],
	])("%s finds %j", (query, value) => {
		expect(finds(query, value)).toBe(true);
	});

	test.each<[string, JsonValue]>([
		["done", "undone"],
		["don", "done"],
		["in progress", "in no progress"],
		["—", "-"],
		["true", "false"],
		["true", 1],
		["1", true],
		["3", 4],
		[">3", 3],
		["<3", 3],
		["a", 3],
		["2026-12-01", "2026-12-02"],
		["<2026-12", "2026-12-01"],
		["7d", "2026-11-13"],
		["2026-02-30", "2026-02-28"],
		["b", { a: "b" }],
		["b", [["b"], { b: "b" }]],
		["null", [null]],
	])("%s doesn't find %j", (query, value) => {
		expect(finds(query, value)).toBe(false);
	});

	test("of a date is read in the time zone of the outline, unless it has one", () => {
		expect(finds("2026-12-01", "2026-12-01T00:30", "Asia/Tokyo")).toBe(true);
		expect(finds("2026-12-01", "2026-11-30T15:30Z", "Asia/Tokyo")).toBe(true);
		expect(finds("2026-12-01", "2026-11-30T14:30Z", "Asia/Tokyo")).toBe(false);
	});
});

test("keys that differ only in case or accents are one", () => {
	expect(foldedProperties('{"Due":1,"due":2,"dué":3,"x":4}')).toEqual(
		new Map([
			["due", [1, 2, 3]],
			["x", [4]],
		]),
	);
});

test("a search finds nodes by their properties, and follows their changes", async () => {
	const outline = newOutline();
	const { id } = await outline.create({ name: "taxes", properties: { due: "2026-12-01", status: "in progress" } });
	const { id: other } = await outline.create({ name: "trip", properties: { due: "2027-05-01" } });
	await outline.create({ name: "plain due: status" });
	const place = await outline.create({ name: "place" });
	const mirror = await outline.mirror(id, { parent: place.id });
	const found = async (query: string) => (await outline.search(query)).map(({ node }) => node.id).sort();
	expect(await found("has:due")).toEqual([id, other].sort());
	expect(await found("due:2026 status:progress")).toEqual([id]);
	expect(await found("has:due -due:2026")).toEqual([other]);
	expect(await found("taxes OR due:2027")).toEqual([id, other].sort());
	expect(await found("has:status is:mirror")).toEqual([mirror.id]);
	await outline.update(mirror.id, { properties: { due: null } });
	expect(await found("has:due")).toEqual([other]);
	expect((await outline.search("has:due", { within: place.id })).length).toBe(0);
	await outline.undo();
	expect(await found("due:2026-12-01")).toEqual([id]);
});
