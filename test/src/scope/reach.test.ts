import fc from "fast-check";
import { expect, test } from "vitest";
import { Reach } from "../../../src/scope/reach.js";

test("what can be reached is the same in whatever order the edges come", () => {
	const edge = fc.tuple(fc.nat(9), fc.nat(9));
	fc.assert(
		fc.property(fc.array(edge, { maxLength: 20 }), (edges) => {
			const reach = new Reach("0");
			const reached = new Set([0]);
			for (const [place, [from, to]] of edges.entries()) {
				reach.connect(`${from}`, `${to}`);
				for (let size = 0; size !== reached.size; ) {
					size = reached.size;
					for (const [start, end] of edges.slice(0, place + 1)) if (reached.has(start)) reached.add(end);
				}
				for (let node = 0; node < 10; node++) expect(reach.has(`${node}`)).toBe(reached.has(node));
			}
		}),
	);
});

test("a long way is reached at once when its first step is", () => {
	const reach = new Reach("0");
	for (let node = 100_000; node > 0; node--) reach.connect(`${node}`, `${node + 1}`);
	expect(reach.has("100001")).toBe(false);
	reach.connect("0", "1");
	expect(reach.has("100001")).toBe(true);
});
