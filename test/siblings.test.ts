import fc from "fast-check";
import { expect, test } from "vitest";
import { type Sibling, Siblings } from "../src/siblings.js";
import type { NodeRecord } from "../src/storage.js";

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
