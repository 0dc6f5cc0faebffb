import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { nodeView } from "../../../../src/node.js";
import { finished } from "../../../../src/pace.js";
import { parseQuery, type Query } from "../../../../src/read/search/query.js";
import { rangesOf } from "../../../../src/read/search/ranges.js";
import { SearchIndex } from "../../../../src/read/search/search-index.js";
import type { NodeRecord } from "../../../../src/storage.js";
import { NaiveSearch } from "../../../model/naive-search.js";
import { numberedId } from "../../../support/ids.js";
import { recordOf } from "./records.js";

/** The nodes from 6 on are mirrors of the other nodes, or of a node that never exists. */
const numbers = fc.integer({ min: 0, max: 8 });
const texts = fc
	.array(
		fc.constantFrom(
			..."meet meeting Meets anna Änna plan plans 東京 東京タワー 京都 🎉 x 10:30 e-mail".split(" "),
			..."#work #Work @anna #a/b <code>#work</code> <b>me</b>et &lt;meet&gt;".split(" "),
			'<a href="#/000000000001">#plan anna</a>',
			'<time datetime="1970-01-02">1970-01-02</time>',
			'<time datetime="1970-01-02T00:30+01:00">Friday</time>',
			..."[1970-01-01 [1970-01-01] <code>[1970-01-03]</code> A\u0308nna ﬁnd ½ straße".split(" "),
			"[1970-01-02 23:30]",
			"http://anna.example/plan",
		),
		{ maxLength: 6 },
	)
	.map((parts) => parts.join(" "));

type Step =
	| { readonly put: NodeRecord }
	| { readonly remove: string }
	| { readonly key: string; readonly nodeId: string | null };

const put = fc
	.record({
		number: numbers,
		parent: fc.option(numbers, { nil: null }),
		origin: fc.integer({ min: 0, max: 6 }),
		name: texts,
		note: fc.option(texts, { nil: null }),
		layoutMode: fc.constantFrom("bullets", "todo", "code-block"),
		properties: fc.constantFrom(null, null, '{"due":"1970-01-02"}', '{"Due":[3,"Änna plan"],"due":true}', '{"n":3}'),
		createdAt: fc.integer({ min: 0, max: 3 }),
		modifiedAt: fc.integer({ min: 0, max: 3 }),
		completedAt: fc.option(fc.integer({ min: 86_399, max: 86_401 }), { nil: null }),
	})
	.map(({ number, parent, origin, ...given }): Step => {
		const parentId = parent === null ? null : numberedId(parent);
		const originId = number < 6 ? null : numberedId(origin === 6 ? 99 : origin);
		return { put: recordOf(number, { ...given, parentId, originId } as Partial<NodeRecord>) };
	});
const step: fc.Arbitrary<Step> = fc.oneof(
	{ weight: 4, arbitrary: put },
	{ weight: 1, arbitrary: numbers.map((number) => ({ remove: numberedId(number) })) },
	{
		weight: 1,
		arbitrary: fc
			.tuple(fc.constantFrom("1970-01-01", "1970-01", "shortcut"), fc.option(numbers, { nil: null }))
			.map(([key, number]) => ({ key, nodeId: number === null ? null : numberedId(number) })),
	},
);

const term = fc.constantFrom(
	..."me meet MEETING anna ännä plan p 東 東京 京 🎉 10:30 10:3 e-m e-mail <b> code".split(" "),
	..."#work #WORK @anna #a/b #a #w* @AN* #a* #none is:todo is:completed is:mirror".split(" "),
	..."created:1970 created:>1970-01-01 modified:<1970-01-02 completed:1970-01-01 completed:>=1970-01-02".split(" "),
	..."has:note has:link has:date has:mirror".split(" "),
	..."date:1970-01-02 date:<=1970-01-01 date:>1970-01-01 date:1970-01-02..1970-01-03 date:1971 fi ½ 2 ß strass".split(
		" ",
	),
	..."has:due has:n due:1970 due:<1970-01-02 due:true due:3 n:>=3 n:4..5 due:plan".split(" "),
	`links:${numberedId(1)}`,
	"links:000000000001",
	"links:000000000002",
	'due:"anna plan"',
	'"meet anna"',
	'"meet"',
	'"anna 東京"',
	'"plan plan"',
	"“東京タ”",
);
const condition = fc.tuple(fc.boolean(), term).map(([negated, text]) => (negated ? `-${text}` : text));
const queries = fc
	.tuple(
		fc.array(
			fc.array(condition, { minLength: 1, maxLength: 3 }).map((conditions) => conditions.join(" OR ")),
			{ minLength: 1, maxLength: 3 },
		),
		fc.boolean(),
	)
	.map(([groups, inNote]) => (inNote ? ["in:note", "anna", ...groups] : groups).join(" "));
const options = { timeZone: "Europe/Berlin", now: 0 };
const scopes = fc.record({
	within: fc.option(numbers),
	limit: fc.constantFrom(1, 2, 5, 100),
	order: fc.constantFrom(undefined, "date" as const),
});

class Pair {
	readonly index = new SearchIndex(options);
	readonly naive = new NaiveSearch(options.timeZone);

	/** Applies the result of several steps at once. */
	take(...steps: Step[]): void {
		const ids = new Set<string>();
		const keys = steps.filter((step) => "key" in step);
		for (const step of steps) {
			if ("key" in step) {
				if (step.nodeId === null || step.key === "shortcut") this.naive.calendar.delete(step.key);
				else this.naive.calendar.set(step.key, step.nodeId);
				continue;
			}
			if ("put" in step) this.naive.records.set(step.put.id, step.put);
			else this.naive.records.delete(step.remove);
			ids.add("put" in step ? step.put.id : step.remove);
		}
		const records = [...ids].flatMap((id) => this.naive.records.get(id) ?? []);
		const deleted = [...ids].filter((id) => !this.naive.records.has(id));
		finished(this.index.update(records, deleted, keys));
	}

	expectSame(query: string, within: number | null, limit: number, order?: "date"): void {
		const parsed = parseQuery(query, options);
		const root = within === null || !this.naive.records.has(numberedId(within)) ? undefined : numberedId(within);
		const given = { within: root, limit, order };
		const hits = this.naive.search(parsed, given);
		expect(finished(this.index.search(parsed, given)), query).toEqual(hits);
		for (const { id } of hits) this.#expectSameRanges(parsed, id);
	}

	#expectSameRanges(query: Query, id: string): void {
		const record = this.naive.records.get(id)!;
		const origin = (record.originId !== null && this.naive.records.get(record.originId)) || null;
		const node = nodeView({ record, origin, mirrorIds: [] });
		expect(finished(rangesOf(query, node)), JSON.stringify(node)).toEqual(this.naive.ranges(id, query));
	}

	expectSameTags(): void {
		expect(finished(this.index.tags())).toEqual(this.naive.tags());
	}
}

describe("after each update, the results equal the results of a search over all records", () => {
	test("for any query", () => {
		fc.assert(
			fc.property(
				fc.array(fc.array(step, { maxLength: 5 }), { maxLength: 10 }),
				fc.array(fc.tuple(queries, scopes), { minLength: 1, maxLength: 8 }),
				(steps, asked) => {
					const pair = new Pair();
					for (const together of steps) pair.take(...together);
					for (const [query, { within, limit, order }] of asked) pair.expectSame(query, within, limit, order);
					pair.expectSameTags();
				},
			),
			{ numRuns: 800 },
		);
	});

	test("after so many changes that the index has been rebuilt", () => {
		fc.assert(
			fc.property(fc.array(step, { minLength: 700, maxLength: 900, size: "max" }), (steps) => {
				const pair = new Pair();
				for (const [place, step] of steps.entries()) {
					pair.take(step);
					if (place % 50 !== 0) continue;
					for (const query of ["me", "東京", '"meet anna"', "-plan", "is:mirror anna"]) {
						pair.expectSame(query, null, 100);
					}
					pair.expectSameTags();
				}
			}),
			{ numRuns: 10 },
		);
	});
});

test("the results depend only on the records, not on the order of the updates", () => {
	fc.assert(
		fc.property(
			fc.array(step, { maxLength: 60 }),
			fc.array(queries, { minLength: 1, maxLength: 8 }),
			(steps, asked) => {
				const pair = new Pair();
				for (const step of steps) pair.take(step);
				const scratch = new SearchIndex(options);
				for (const record of [...pair.naive.records.values()].reverse()) finished(scratch.update([record], []));
				for (const [key, nodeId] of pair.naive.calendar) finished(scratch.update([], [], [{ key, nodeId }]));
				for (const query of asked.map((text) => parseQuery(text, options))) {
					expect(finished(pair.index.search(query, { limit: 100 }))).toEqual(
						finished(scratch.search(query, { limit: 100 })),
					);
				}
				expect(finished(pair.index.tags())).toEqual(finished(scratch.tags()));
				for (const number of [0, 1]) {
					const shortId = numberedId(number).slice(-12);
					expect(finished(pair.index.backlinks(shortId))).toEqual(finished(scratch.backlinks(shortId)));
				}
			},
		),
		{ numRuns: 300 },
	);
});
