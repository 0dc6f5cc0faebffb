import fc from "fast-check";
import { nodeCount, type Step } from "../../conformance/random-batches.js";

export { batchOf, queriesAbout } from "../../conformance/random-batches.js";
export { idOf } from "../../conformance/records.js";

const node = fc.nat(nodeCount - 1);

/** Random commits, each of some changes, that shrink to the fewest that fail. */
export const commits: fc.Arbitrary<Step[][]> = fc.array(
	fc.oneof(
		{ weight: 1, arbitrary: fc.tuple(fc.record({ type: fc.constant("prune" as const), age: fc.nat(4) })) },
		{ weight: 20, arbitrary: changes() },
	),
	{ minLength: 1, maxLength: 40 },
);

function changes(): fc.Arbitrary<Step[]> {
	return fc.array(
		fc.oneof(
			{
				weight: 6,
				arbitrary: fc.record({
					type: fc.constant("put" as const),
					node,
					parent: node,
					priority: fc.integer({ min: -20, max: 20 }),
					origin: fc.option(node, { nil: null, freq: 3 }),
				}),
			},
			{ weight: 2, arbitrary: fc.record({ type: fc.constant("remove" as const), node }) },
			{
				weight: 1,
				arbitrary: fc.record({
					type: fc.constant("key" as const),
					key: fc.nat(6),
					node: fc.option(node, { nil: null }),
				}),
			},
			{
				weight: 2,
				arbitrary: fc.record({
					type: fc.constant("document" as const),
					key: fc.nat(6),
					value: fc.option(fc.nat(40), { nil: null, freq: 2 }),
				}),
			},
		),
		{ minLength: 1, maxLength: 8 },
	);
}
