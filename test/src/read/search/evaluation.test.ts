import { beforeAll, describe, expect, test } from "vitest";
import { finished } from "../../../../src/pace.js";
import { parseQuery } from "../../../../src/read/search/query.js";
import { SearchIndex } from "../../../../src/read/search/search-index.js";
import type { NodeRecord } from "../../../../src/storage.js";
import { numberedId } from "../../../support/ids.js";
import { recordOf } from "./records.js";

const many = 40_000;
/** One node in this many is a needle, ten in total. */
const every = many / 10;

/**
 * Returns the record of a numbered node. Each node has the word `node` and the tag `#all`, and eight
 * children. Ten of them are needles, which are todos, completed, mirrored and tagged.
 */
function recordIn(number: number): NodeRecord {
	const isNeedle = number % every === 77;
	return recordOf(number, {
		parentId: number < 8 ? null : numberedId(Math.floor(number / 8) - 1),
		name: isNeedle ? `node ${number} needle in hay #rare #all` : `node ${number} #all`,
		note: isNeedle ? "shaft" : null,
		layoutMode: isNeedle ? "todo" : "bullets",
		completedAt: isNeedle ? 5 : null,
	});
}

const index = new SearchIndex();
const parsed = (query: string) => parseQuery(query, { timeZone: "UTC", now: 0 });

/** Returns the number of steps of a search, about one for some hundred nodes or words examined. */
function stepsOf(query: string, within?: string): number {
	return [...index.search(parsed(query), { limit: 50, within })].length;
}

function hitsOf(query: string, within?: string): number {
	return finished(index.search(parsed(query), { limit: 50, within })).length;
}

beforeAll(() => {
	const records = Array.from({ length: many }, (_, number) => recordIn(number));
	const mirrors = Array.from({ length: 10 }, (_, place) =>
		recordOf(many + place, { originId: numberedId(place * every + 77), parentId: numberedId(5) }),
	);
	finished(index.update([...records, ...mirrors], []));
	finished(index.prepare());
});

describe("a search that finds ten nodes examines few other nodes, no matter how many there are:", () => {
	test.each([
		"needle",
		"need",
		"needle node",
		"node needle",
		"node needle -hey",
		"needle -zz created:1970",
		'"needle in hay"',
		'"in hay"',
		"node-needle-in OR needle-in",
		"#rare",
		"#all #rare node",
		"needle OR #rare OR shaft",
		"in:note shaft node OR shaft",
		"is:todo",
		"is:completed node",
		"has:note",
		"has:mirror node",
		"is:todo -is:mirror #all",
		"is:mirror",
		"is:mirror node",
		"is:mirror needle #all",
		"node is:completed OR #rare",
	])("%s", (query) => {
		expect(hitsOf(query)).toBe(10);
		expect(stepsOf(query)).toBe(0);
	});

	test("examines no node if it finds none", () => {
		for (const query of ["zz", "node zz", '"node zz"', "-zz zzz", "#zz node", "is:mirror zz"]) {
			expect(hitsOf(query), query).toBe(0);
			expect(stepsOf(query), query).toBe(0);
		}
	});
});

describe("a search within a node", () => {
	test("costs no more than the nodes that match anywhere", () => {
		expect(hitsOf("needle", numberedId(0))).toBeGreaterThan(0);
		expect(stepsOf("needle", numberedId(0))).toBeLessThan(3);
	});

	test("costs no more than the nodes in its range", () => {
		const leaf = numberedId(many - 1);
		const small = numberedId(many / 8 - 10);
		for (const query of ["node", "#all", "-zz", "created:1970", "node OR -zz"]) {
			expect(hitsOf(query, leaf), query).toBe(1);
			expect(hitsOf(query, small), query).toBe(9);
			expect(stepsOf(query, small), query).toBeLessThan(3);
		}
	});
});

test("splits a search that finds many nodes into many steps", () => {
	for (const query of ["node", "#all", "-needle", "created:1970", "is:mirror OR node", "node OR -zz", "n"]) {
		expect(stepsOf(query), query).toBeGreaterThan(50);
	}
});

test("looks up equal conditions once, and counts each", () => {
	const once = finished(index.search(parsed("needle"), { limit: 1 }))[0]!;
	const score = (query: string) => finished(index.search(parsed(query), { limit: 1 }))[0]!.score;
	expect(score("needle needle OR needle")).toBe(once.score + once.score + once.score);
	expect(stepsOf(Array.from({ length: 100 }, () => "node").join(" "))).toBeLessThan(3 * stepsOf("node"));
	expect(stepsOf(Array.from({ length: 50 }, () => "node").join(" OR "))).toBeLessThan(3 * stepsOf("node"));
});
