import fc from "fast-check";
import { expect, test } from "vitest";
import { byPlace as order, type Sibling, Siblings } from "../../src/siblings.js";
import type { NodeRecord } from "../../src/storage.js";

const record = (priority: number, id: string, name = "") => ({ id, priority, name }) as NodeRecord;
const recordOf = (sibling: Sibling) => sibling.record;
const byPlace = (left: NodeRecord, right: NodeRecord) =>
	left.priority - right.priority || (left.id < right.id ? -1 : 1);

test("siblings agree with a sorted array, however they are changed and asked", () => {
	const bound = fc.option(fc.integer({ min: -5, max: 45 }), { nil: undefined });
	fc.assert(
		fc.property(
			fc.array(fc.record({ priority: fc.nat(40), id: fc.nat(60) }), { maxLength: 1500, size: "max" }),
			fc.array(
				fc.record({
					after: bound,
					before: bound,
					limit: fc.option(fc.nat(600), { nil: undefined }),
					fromLast: fc.boolean(),
				}),
				{
					minLength: 5,
				},
			),
			(steps, ranges) => {
				const siblings = new Siblings<Sibling>();
				const naive: NodeRecord[] = [];
				for (const { priority, id } of steps) {
					const at = naive.findIndex((each) => each.priority === priority && each.id === `${id}`);
					const step = record(priority, `${id}`, `${naive.length}`);
					if (at < 0) {
						siblings.add({ record: step });
						naive.push(step);
					} else if (id % 2 === 0) {
						siblings.remove(naive[at]!);
						naive.splice(at, 1);
					} else {
						siblings.remove(naive[at]!);
						siblings.add({ record: step });
						naive[at] = step;
					}
				}
				naive.sort(byPlace);
				expect(siblings.all().map(recordOf)).toEqual(naive);
				expect(siblings.empty).toBe(naive.length === 0);
				for (const { after = -Infinity, before = Infinity, limit = Infinity, fromLast } of ranges) {
					const all = naive.filter(({ priority }) => priority > after && priority < before);
					const wanted =
						limit === Infinity ? all : fromLast ? all.slice(Math.max(0, all.length - limit)) : all.slice(0, limit);
					const range = {
						...(Number.isFinite(after) && { after }),
						...(Number.isFinite(before) && { before }),
						...(Number.isFinite(limit) && { limit }),
						fromLast,
					};
					expect(siblings.range(range).map(recordOf)).toEqual(wanted);
				}
			},
		),
		{ numRuns: 200 },
	);
});

test.each([0, 1, 2, 500, 511, 512, 513, 1024, 1025, 3000])("%i siblings may be there from the start", (count) => {
	const records = Array.from({ length: count }, (_, number) => record(number >> 1, `${1000 + number}`));
	const siblings = new Siblings(records.map((each) => ({ record: each })));
	expect(siblings.empty).toBe(count === 0);
	expect(siblings.all().map(recordOf)).toEqual(records);
	expect(siblings.range({}).map(recordOf)).toEqual(records);
	expect(siblings.range({ limit: 3 }).map(recordOf)).toEqual(records.slice(0, 3));
	expect(siblings.range({ limit: 3, fromLast: true }).map(recordOf)).toEqual(records.slice(-3));
	for (const priority of [-1, 0, 255, 256, 1499]) {
		const after = records.filter((each) => each.priority > priority);
		expect(siblings.range({ after: priority }).map(recordOf)).toEqual(after);
		const before = records.filter((each) => each.priority < priority);
		expect(siblings.range({ before: priority, fromLast: true }).map(recordOf)).toEqual(before);
	}
	siblings.add({ record: record(-1, "first") });
	siblings.add({ record: record(count, "last") });
	for (const each of records) siblings.remove(each);
	expect(siblings.all().map(({ record }) => record.id)).toEqual(["first", "last"]);
});

test("an answer doesn't change with later changes, nor the other way round", () => {
	const siblings = new Siblings([{ record: record(1, "a") }, { record: record(2, "b") }]);
	const all = siblings.all();
	siblings.add({ record: record(3, "c") });
	expect(all).toHaveLength(2);
	all.length = 0;
	siblings.all().length = 0;
	expect(siblings.all()).toHaveLength(3);
});

test("siblings of one priority are in the order of their ids", () => {
	const records = [record(1, "b"), record(1, "a"), record(0, "c"), record(1, "c")];
	expect(records.toSorted(order).map(({ id }) => id)).toEqual(["c", "a", "b", "c"]);
	expect(order(records[0]!, records[1]!)).toBeGreaterThan(0);
	expect(order(records[1]!, records[0]!)).toBeLessThan(0);
	expect(order(records[2]!, records[1]!)).toBeLessThan(0);
});
