import { describe, expect, test } from "vitest";
import { finished } from "../../../../src/pace.js";
import { parseQuery } from "../../../../src/read/search/query.js";
import { SearchIndex } from "../../../../src/read/search/search-index.js";
import type { NodeRecord } from "../../../../src/storage.js";
import { numberedId } from "../../../support/ids.js";
import { recordOf } from "./records.js";

/** Returns the search of an index of numbered nodes, and the numbers of its hits, the best first. */
function indexOf(...records: [number, Partial<NodeRecord>?][]) {
	const index = new SearchIndex();
	for (const [number, given] of records) finished(index.update([recordOf(number, given)], []));
	const search = (query: string, within?: string) =>
		finished(index.search(parseQuery(query, { timeZone: "UTC", now: 0 }), { limit: 100, within }));
	return { index, search, find: (query: string) => search(query).map(({ id }) => Number.parseInt(id.slice(-12), 16)) };
}

// Random queries are compared with those of a naive search in search-index.property.test.ts.

describe("a search", () => {
	test("ranks whole words over word starts, names over notes, and short texts over long ones", () => {
		const { find, search } = indexOf(
			[1, { name: "meetings" }],
			[2, { note: "meet" }],
			[3, { name: "meet with a great many words" }],
			[4, { name: "meet" }],
			[5, { note: "meetings" }],
		);
		expect(find("meet")).toEqual([4, 3, 2, 1, 5]);
		expect(search("meet").map(({ score }) => score)).toEqual([4.5, 4 + 1 / 7, 3.5, 2.5, 1.5]);
		expect(search('meet "a great many"')[0]).toEqual({ id: numberedId(3), score: 4 + 1 / 7 + (4 + 3 / 7) });
		expect(search("meet -xyz")[0]).toEqual({ id: numberedId(4), score: 4.5 });
	});

	test("refuses an unknown node", () => {
		const { index, search } = indexOf([1, { name: "a" }]);
		const unknown = expect.objectContaining({ code: "not_found" });
		expect(() => search("a", numberedId(2))).toThrow(unknown);
		finished(index.update([recordOf(3, { parentId: numberedId(2) })], []));
		expect(() => search("a", numberedId(2))).toThrow(unknown);
	});
});
