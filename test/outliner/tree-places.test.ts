import fc from "fast-check";
import type { Row } from "outlinekit/live";
import { expect, test } from "vitest";
import { Places } from "../../examples/outliner/src/view/tree-places.js";
import { differenceOf } from "../../examples/outliner/src/workspace/rows-difference.js";

/** A list of rows from the depths of its rows, each at most one deeper than the row before. */
function rowsOf(depths: readonly { readonly key: number; readonly depth: number }[], known: Map<string, Row>): Row[] {
	const rows: Row[] = [];
	for (const { key, depth: wanted } of depths) {
		const depth = Math.min(wanted, (rows.at(-1)?.depth ?? -1) + 1);
		const parentKey = rows.findLast((row) => row.depth === depth - 1)?.key ?? null;
		const name = `${key} below ${parentKey} at ${depth}`;
		// A row that hasn't changed is the same object.
		if (!known.has(name)) known.set(name, { key: String(key), depth, parentKey } as Row);
		rows.push(known.get(name)!);
	}
	return rows;
}

const list = fc.uniqueArray(fc.record({ key: fc.nat(60), depth: fc.nat(4) }), { selector: ({ key }) => key });

test("after any change of the rows, their places among their siblings are those of the new rows", () => {
	fc.assert(
		fc.property(fc.array(list, { minLength: 2, maxLength: 8 }), (lists) => {
			const places = new Places();
			const known = new Map<string, Row>();
			let before: readonly Row[] = [];
			for (const depths of lists) {
				const rows = rowsOf(depths, known);
				places.follow(rows, differenceOf(before, rows));
				before = rows;
				const siblings = (parentKey: string | null) => rows.filter((row) => row.parentKey === parentKey);
				rows.forEach((row, index) => {
					// Only some rows are on the screen.
					if (index % 3 === 2) return;
					const among = siblings(row.parentKey);
					const told = [places.of(index), places.countOf(index), places.below(index)];
					expect(told).toEqual([among.indexOf(row) + 1, among.length, siblings(row.key).length]);
				});
			}
		}),
		{ numRuns: 300 },
	);
});
