import { describe, expect, test } from "vitest";
import { finished } from "../../../../src/pace.js";
import { parseQuery } from "../../../../src/read/search/query.js";
import { SearchIndex, type SearchOptions } from "../../../../src/read/search/search-index.js";
import type { NodeRecord } from "../../../../src/storage.js";
import { numberedId } from "../../../support/ids.js";
import { recordOf, shortIdOf } from "./records.js";

/** Returns an index of numbered nodes. `find` returns the numbers of the hits, the best first. */
function indexOf(...records: [number, Partial<NodeRecord>?][]) {
	const index = new SearchIndex({ appUrl: "https://example.org" });
	const put = (number: number, given?: Partial<NodeRecord>) => finished(index.update([recordOf(number, given)], []));
	for (const [number, given] of records) put(number, given);
	const search = (query: string, options: Partial<SearchOptions> = {}) =>
		finished(index.search(parseQuery(query, { timeZone: "UTC", now: 0 }), { limit: 100, ...options }));
	const find = (query: string, options?: Partial<SearchOptions>) =>
		search(query, options).map(({ id }) => numberOf(id));
	return { index, put, search, find };
}

const numberOf = (id: string) => Number.parseInt(id.slice(-12), 16);

describe("a search", () => {
	test("finds words by their start, in names and notes, ignoring case and diacritics", () => {
		const { find } = indexOf([1, { name: "<b>Meet</b>ing" }], [2, { note: "MÉET" }], [3, { name: "team meat" }]);
		expect(find("meet")).toEqual([2, 1]);
		expect(find('"meet"')).toEqual([2]);
		expect(find("in:note me")).toEqual([2]);
		expect(find("b")).toEqual([]);
	});

	test("finds any part of a Japanese text", () => {
		const { find } = indexOf([1, { name: "東京タワーへ行く" }], [2, { name: "京都" }]);
		expect(find("京")).toEqual([2, 1]);
		expect(find("京タワ")).toEqual([1]);
		expect(find("東タワ")).toEqual([]);
	});

	test("finds phrases within the name or the note, but not across both", () => {
		const { find } = indexOf([1, { name: "project plan", note: "berlin" }], [2, { name: "plan project" }]);
		expect(find('"project plan"')).toEqual([1]);
		expect(find('"plan berlin"')).toEqual([]);
		expect(find('"berlin plan"')).toEqual([]);
		expect(find("project-pl")).toEqual([1]);
		expect(find("plan berlin")).toEqual([1]);
	});

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

	test("ranks equal scores by modification, then by id, and returns at most as many hits as the limit", () => {
		const { find } = indexOf(
			[1, { name: "a", modifiedAt: 5 }],
			[2, { name: "a", modifiedAt: 9 }],
			[3, { name: "a", modifiedAt: 5 }],
		);
		expect(find("a")).toEqual([2, 1, 3]);
		expect(find("a", { limit: 2 })).toEqual([2, 1]);
		expect(find("-b")).toEqual([2, 1, 3]);
	});

	test("adds the scores of all terms of an OR, and requires every group", () => {
		const { find } = indexOf(
			[1, { name: "plan berlin x" }],
			[2, { name: "plan berlin hamburg" }],
			[3, { name: "berlin" }],
		);
		expect(find("plan berlin OR hamburg")).toEqual([2, 1]);
		expect(find("-plan OR hamburg")).toEqual([2, 3]);
	});

	test("filters by state and time", () => {
		const { find } = indexOf(
			[1, { layoutMode: "todo", createdAt: 86_399 }],
			[2, { layoutMode: "todo", completedAt: 86_400, createdAt: 86_400 }],
			[3, { completedAt: 5, modifiedAt: 86_400 }],
		);
		expect(find("is:todo")).toEqual([2, 1]);
		expect(find("is:todo -is:completed")).toEqual([1]);
		expect(find("created:1970-01-02")).toEqual([2]);
		expect(find("created:1970-01-01")).toEqual([3, 1]);
		expect(find("completed:<1970-01-02")).toEqual([3]);
		expect(find("-completed:1970-01-02")).toEqual([3, 1]);
		expect(find("modified:>1970-01-01")).toEqual([3]);
	});

	test("finds only whole tags, and with in:note only tags in notes", () => {
		const { find } = indexOf([1, { name: "#Work" }], [2, { note: "#WORK" }], [3, { name: "#workshop" }]);
		expect(find("#work")).toEqual([2, 1]);
		expect(find("in:note #work")).toEqual([2]);
		expect(find("-#work")).toEqual([3]);
		expect(find("work")).toEqual([1, 2, 3]);
	});

	test("finds the tags below a tag, and tags by their beginning", () => {
		const { find: ordered } = indexOf(
			[1, { name: "#work" }],
			[2, { name: "#work/sub @ann", note: "#work" }],
			[3, { name: "#Workshop/a #workshop" }],
			[4, { note: "#work_x" }],
		);
		const find = (query: string) => ordered(query).sort();
		expect(find("#work")).toEqual([1, 2]);
		expect(find("#work/sub")).toEqual([2]);
		expect(find("#wor*")).toEqual([1, 2, 3, 4]);
		expect(find("#work/*")).toEqual([2]);
		expect(find("#workshop* OR @a*")).toEqual([2, 3]);
		expect(find("in:note #w*")).toEqual([2, 4]);
		expect(find("-#work*")).toEqual([]);
		expect(find("#work* -#work")).toEqual([3, 4]);
	});

	test("refuses an unknown node", () => {
		const { index, find } = indexOf([1, { name: "a" }]);
		const unknown = expect.objectContaining({ code: "not_found" });
		expect(() => find("a", { within: numberedId(2) })).toThrow(unknown);
		finished(index.update([recordOf(3, { parentId: numberedId(2) })], []));
		expect(() => find("a", { within: numberedId(2) })).toThrow(unknown);
	});
});

describe("a search within a node", () => {
	test("finds the nodes below it, and the node itself", () => {
		const { find, put } = indexOf(
			[1, { name: "a" }],
			[2, { name: "a", parentId: numberedId(1) }],
			[4, { name: "a", parentId: numberedId(3) }],
			[3, { name: "a", parentId: numberedId(2) }],
			[5, { name: "a" }],
		);
		expect(find("a", { within: numberedId(2) })).toEqual([4, 3, 2]);
		put(3, { name: "a", parentId: numberedId(5) });
		expect(find("a", { within: numberedId(2) })).toEqual([2]);
		expect(find("a", { within: numberedId(5) })).toEqual([5, 4, 3]);
	});

	test("finds the nodes that mirrors show below it", () => {
		const { find } = indexOf(
			[1, { name: "project" }],
			[2, { parentId: numberedId(1), originId: numberedId(3) }],
			[3, { name: "a" }],
			[4, { name: "a", parentId: numberedId(3) }],
			[5, { name: "a", parentId: numberedId(2) }],
			[6, { name: "a" }],
		);
		expect(find("a", { within: numberedId(1) })).toEqual([5, 4, 3]);
	});

	test("ends despite a circle of mirrors, and even of parents", () => {
		const { find } = indexOf(
			[1, { name: "a", parentId: numberedId(2) }],
			[2, { name: "a", parentId: numberedId(1) }],
			[3, { parentId: numberedId(2), originId: numberedId(1) }],
		);
		expect(find("a", { within: numberedId(2) })).toEqual([2, 1]);
	});
});

describe("a mirror", () => {
	const mirrored = () =>
		indexOf(
			[2, { name: "old words #old", originId: numberedId(1), modifiedAt: 50 }],
			[1, { name: "meet #new", layoutMode: "todo", modifiedAt: 7 }],
			[3, { name: "meet", modifiedAt: 8 }],
		);

	test("has no content of its own: a search finds its origin", () => {
		const { find, index } = mirrored();
		expect(find("meet")).toEqual([3, 1]);
		expect(find("old")).toEqual([]);
		expect(find("-xyz")).toEqual([3, 1]);
		expect(finished(index.tags())).toEqual([{ tag: "#new", count: 1 }]);
	});

	test("matches is:mirror, with the content of its origin", () => {
		const { find, search } = mirrored();
		expect(find("is:mirror")).toEqual([2]);
		expect(find("is:mirror meet is:todo #new")).toEqual([2]);
		expect(find("is:mirror old")).toEqual([]);
		expect(find("is:mirror OR meet")).toEqual([3, 1, 2]);
		expect(find("-is:mirror")).toEqual([3, 1]);
		expect(search("is:mirror meet")[0]!.score).toBe(search("meet #new")[0]!.score);
		expect(find("is:mirror modified:1970 created:1970")).toEqual([2]);
	});

	test("has its own creation time, and its origin's times of modification and completion", () => {
		const { find } = indexOf(
			[1, { createdAt: 0, modifiedAt: 86_400, completedAt: 86_400 }],
			[2, { originId: numberedId(1), createdAt: 172_800, modifiedAt: 0 }],
		);
		expect(find("is:mirror created:1970-01-03 modified:1970-01-02 completed:1970-01-02 is:completed")).toEqual([2]);
	});

	test("matches by its own record while its origin is missing", () => {
		const { find, index, put } = mirrored();
		finished(index.update([], [numberedId(1)]));
		expect(find("old")).toEqual([2]);
		expect(finished(index.tags())).toEqual([{ tag: "#old", count: 1 }]);
		expect(find("is:mirror")).toEqual([2]);
		put(1, { name: "back" });
		expect(find("old")).toEqual([]);
		put(2, { name: "no mirror any more" });
		expect(find("is:mirror")).toEqual([]);
		expect(find("more")).toEqual([2]);
	});
});

test("no longer finds a replaced or deleted node by its old texts", () => {
	const { find, index, put } = indexOf([1, { name: "first #a", note: "0123456789ab" }], [2, { name: "second" }]);
	put(1, { name: "third" });
	expect(find("first")).toEqual([]);
	expect(find("third")).toEqual([1]);
	expect(finished(index.tags())).toEqual([]);
	finished(index.update([], [numberedId(1)]));
	finished(index.update([], [numberedId(1)]));
	finished(index.update([], [numberedId(9)]));
	expect(find("-xyz")).toEqual([2]);
});

test("returns tags as written in the oldest node, the most frequent first", () => {
	const { index } = indexOf(
		[3, { name: "#WORK" }],
		[1, { name: "#b", createdAt: 30 }],
		[2, { name: "#Work #work", note: "#a", createdAt: 2 }],
	);
	expect(finished(index.tags())).toEqual([
		{ tag: "#Work", count: 2 },
		{ tag: "#a", count: 1 },
		{ tag: "#b", count: 1 },
	]);
});

test("returns the nodes that currently link to a node as backlinks", () => {
	const { index, put } = indexOf(
		[3, { note: `see https://example.org/#/${shortIdOf(10)}` }],
		[2, { name: `<a href="#/${shortIdOf(10)}">it</a>` }],
	);
	expect(finished(index.backlinks(shortIdOf(10)))).toEqual([numberedId(2), numberedId(3)]);
	put(2, { name: "no link" });
	expect(finished(index.backlinks(shortIdOf(10)))).toEqual([numberedId(3)]);
	expect(finished(index.backlinks(shortIdOf(11)))).toEqual([]);
});
