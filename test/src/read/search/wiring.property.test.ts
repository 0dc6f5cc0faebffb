import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Outline } from "../../../../src/outline.js";
import type { StorageAdapter } from "../../../../src/storage.js";
import { command } from "../../../model/commands.js";
import { performOnAny } from "../../../model/perform.js";
import { soak } from "../../../setup/soak.js";
import { memoryStorages } from "../../../support/storages.js";

const queries = [
	"plain",
	"titl",
	"list OR bold",
	"-plain",
	"is:mirror",
	"is:todo",
	"is:completed -first",
	"in:note lines",
	'"second line"',
	"date:2026",
];

/** All that a search can return. */
const everything = { limit: 1000, order: "date", ancestors: true, ranges: true } as const;

function outlineOn(storage: StorageAdapter): Outline {
	return new Outline({ storage, timeZone: "UTC", appUrl: "https://outline.example", now: () => 1_795_219_200_000 });
}

describe.each(memoryStorages)("%s", (_, create) => {
	test("a search finds the same as a search on a new outline, no matter which outline has written", async () => {
		let tried = 0;
		let found = 0;
		const step = fc.record({
			given: command,
			by: fc.boolean(),
			query: fc.option(fc.nat(queries.length - 1), { nil: null }),
		});
		await fc.assert(
			fc.asyncProperty(fc.array(step, { maxLength: 60, size: "max" }), async (steps) => {
				tried += 1;
				const storage = create();
				const [one, two] = [outlineOn(storage), outlineOn(storage)];
				for (const { given, by, query } of steps) {
					await performOnAny(by ? one : two, given);
					if (query === null) continue;
					const hits = await one.search(queries[query]!, everything);
					found += hits.length;
					expect(hits).toEqual(await outlineOn(storage).search(queries[query]!, everything));
				}
				const [{ id: within } = { id: "None" }] = (await one.list()).nodes;
				for (const query of queries) {
					const hits = await one.search(query, { ...everything, within });
					expect(hits).toEqual(await outlineOn(storage).search(query, { ...everything, within }));
				}
				expect(await one.tags()).toEqual(await outlineOn(storage).tags());
			}),
			{ numRuns: 30 * soak },
		);
		expect(found).toBeGreaterThan(tried);
	});
});
