import fc from "fast-check";
import { expect, test } from "vitest";
import { Holders } from "../../../../src/read/search/holders.js";

const nodes = ["0", "1", "2", "3", "4"].map((id) => ({ id }));

test("keeps the keys that were set last", () => {
	const steps = fc.array(fc.tuple(fc.constantFrom(...nodes), fc.dictionary(fc.constantFrom("a", "b", "c"), fc.nat(9))));
	fc.assert(
		fc.property(steps, (steps) => {
			const holders = new Holders<(typeof nodes)[number], number>();
			const naive = new Map<(typeof nodes)[number], Record<string, number>>();
			for (const [node, uses] of steps) {
				for (const _ of holders.set(node, new Map(Object.entries(uses))));
				naive.set(node, uses);
			}
			const held = new Map<string, Map<(typeof nodes)[number], number>>();
			for (const key of ["a", "b", "c"]) {
				const of = [...naive].flatMap(([node, uses]) => (key in uses ? [[node, uses[key]!] as const] : []));
				if (of.length > 0) held.set(key, new Map(of));
				expect(holders.of(key)).toEqual(new Map(of));
			}
			expect(new Map(holders.entries())).toEqual(held);
		}),
	);
});
