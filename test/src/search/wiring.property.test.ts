import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createMemoryStorage } from "../../../adapters/memory.js";
import { OutlineError } from "../../../src/errors.js";
import { Outline } from "../../../src/outline.js";
import type { StorageAdapter } from "../../../src/storage.js";
import { paged } from "../../conformance/wrapped.js";
import { type Command, command, type Pick } from "../../model/commands.js";
import { perform } from "../../model/perform.js";
import { soak } from "../../setup/soak.js";
import { exported } from "../../support/outline.js";

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

async function run(outline: Outline, given: Command): Promise<void> {
	if (given.type === "wait" || given.type === "reopen") return;
	const ids = (await exported(outline)).map(({ id }) => id).sort();
	const text = (pick: Pick): string => {
		if (pick.kind === "node") return ids[pick.index % ids.length] ?? "nowhere";
		return pick.kind === "root" ? "None" : pick.kind === "unknown" ? pick.text : pick.key;
	};
	const node = "node" in given ? text(given.node) : "None";
	const parent = "parent" in given && given.parent !== undefined ? text(given.parent) : undefined;
	await perform(outline, given, node, { parent }).catch((error) => {
		if (!(error instanceof OutlineError)) throw error;
	});
}

describe.each<[string, () => StorageAdapter]>([
	["in memory", createMemoryStorage],
	["on a storage without peek", () => paged(createMemoryStorage())],
])("%s", (_, create) => {
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
					await run(by ? one : two, given);
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
