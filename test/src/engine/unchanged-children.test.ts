import fc from "fast-check";
import { expect, test } from "vitest";
import { UnchangedChildren } from "../../../src/engine/unchanged-children.js";
import { byPlace, type Range } from "../../../src/siblings.js";
import type { NodeRecord } from "../../../src/storage.js";
import { recordAt } from "../../support/batches.js";

/** Three each have the same priority. */
const stored = Array.from({ length: 120 }, (_, at) => recordAt(at, 1, { priority: at - (at % 3) })).sort(byPlace);

const between = (records: readonly NodeRecord[], from: number, to: number) =>
	records.filter(({ priority }) => from < priority && priority < to);

test("known children are those of the storage, and all that were added are known", () => {
	const priority = fc.integer({ min: -3, max: 123 });
	const bound = fc.option(priority, { nil: undefined, freq: 3 });
	const steps = fc.oneof(
		fc.record({
			from: fc.option(priority, { nil: -Infinity }),
			width: fc.constantFrom(1, 3, 20, Infinity),
			limit: fc.constantFrom(8, Infinity),
			fromLast: fc.boolean(),
		}),
		fc.record({ removed: fc.nat(119) }),
		fc.record({ after: bound, before: bound, limit: fc.constantFrom(1, 2, 8, undefined), fromLast: fc.boolean() }),
	);
	fc.assert(
		fc.property(fc.array(steps, { minLength: 10, maxLength: 40 }), (steps) => {
			const known = new UnchangedChildren();
			const unchanged = new Map(stored.map((record) => [record.id, record]));
			/** The priorities that all additions so far contain. */
			const added: [number, number][] = [];
			for (const step of steps) {
				const now = [...unchanged.values()];
				if ("from" in step) {
					const { from: after, limit, fromLast } = step;
					const before = after === -Infinity ? step.width : after + step.width;
					const all = between(stored, after, before);
					const answer = fromLast ? all.slice(Math.max(0, all.length - limit)) : all.slice(0, limit);
					const nodes = answer.map((record) => ({ record, origin: null, mirrorIds: [] }));
					known.add({ after, before, limit, fromLast }, nodes, (id) => unchanged.has(id));
					if (answer.length < limit) added.push([after, before]);
					else added.push(fromLast ? [answer[0]!.priority, before] : [after, answer.at(-1)!.priority]);
				} else if ("removed" in step) {
					const record = stored[step.removed]!;
					if (unchanged.delete(record.id)) known.remove(record);
				} else {
					const { after = -Infinity, before = Infinity, limit = Infinity, fromLast } = step;
					const range = Object.fromEntries(Object.entries(step).filter(([, value]) => value !== undefined)) as Range;
					const found = known.in(range)?.map(({ record }) => record);
					const all = between(now, after, before);
					const wanted = fromLast ? all.slice(Math.max(0, all.length - limit)) : all.slice(0, limit);
					if (found !== undefined) expect(found).toEqual(wanted);
					else expect(added.some(([from, to]) => from <= after && before <= to)).toBe(false);
				}
			}
		}),
		{ numRuns: 1200 },
	);
});

test("each query asks for more children than the one before, and only for those that aren't known", () => {
	const known = new UnchangedChildren();
	const nodes = stored.map((record) => ({ record, origin: null, mirrorIds: [] }));
	const limits = [1, 2, 3, 40].map((limit) => known.unknown({ after: 7, limit }));
	expect(limits).toEqual([8, 16, 16, 64].map((limit) => ({ after: 7, limit, fromLast: false })));
	// One more than the limit: the innermost one may share its priority with others.
	expect(new UnchangedChildren().unknown({ limit: 8, fromLast: true })).toEqual({ limit: 16, fromLast: true });
	known.add({ after: 9, before: 30 }, nodes.slice(12, 30), () => true);
	expect(known.unknown({ after: 10, limit: 32 })).toMatchObject({ after: 29 });
	expect(known.unknown({ before: 20, limit: 32, fromLast: true })).toMatchObject({ before: 10 });
	expect(known.unknown({ after: 10 })).toEqual({ after: 29 });
	expect(known.unknown({ after: 3, before: 99 })).toEqual({ after: 3, before: 99 });
});

test("a query finds siblings of one priority, however many they are", () => {
	const known = new UnchangedChildren();
	const same = Array.from({ length: 200 }, (_, at) => recordAt(at, 1, { priority: 5 }))
		.sort(byPlace)
		.map((record) => ({ record, origin: null, mirrorIds: [] }));
	let queries = 0;
	while (known.in({ limit: 3 }) === undefined) {
		const range = known.unknown({ limit: 3 });
		known.add(range, same.slice(0, range.limit), () => true);
		queries += 1;
	}
	expect(queries).toBeLessThan(5000);
	expect(known.in({ limit: 3 })).toEqual(same.slice(0, 3));
});
