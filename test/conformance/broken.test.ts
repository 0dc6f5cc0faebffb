import { describe, expect, test } from "vitest";
import { NaiveDisk } from "../model/naive-storage.js";
import { answers } from "./broken/answers.js";
import { commits } from "./broken/commits.js";
import { documents } from "./broken/documents.js";
import { brokenStorage, type Fault } from "./broken/fault.js";
import { feeds } from "./broken/feeds.js";
import { lifetimes } from "./broken/lifetimes.js";
import { notices } from "./broken/notices.js";
import { records } from "./broken/records.js";
import { type ConformanceOptions, storageConformance } from "./index.js";

const options = {
	traits: { durable: true, multiProcess: true, watch: true, peek: true },
	sizes: { levels: 120, siblings: 600, changes: 300, mirrors: 10, characters: 70_000, opens: 5 },
	random: { seed: 2026, commits: 40, sequences: 2 },
	patience: 500,
} satisfies Partial<ConformanceOptions>;

/** The tests of the suite on a storage with a fault, by name. */
function testsOf(fault: Fault): Map<string, () => Promise<void>> {
	const tests = new Map<string, () => Promise<void>>();
	const disk = new NaiveDisk();
	storageConformance({
		...options,
		test: (name, run) => tests.set(name, run),
		create: (name) => brokenStorage(fault, disk.place(name)),
	});
	return tests;
}

/** Returns the only test whose name begins like this. */
function testNamed(beginning: string, names: Iterable<string>): string {
	const found = [...names].filter((name) => name.startsWith(beginning));
	expect(found, `tests that are called ${beginning} …`).toHaveLength(1);
	return found[0]!;
}

const faults = { answers, commits, records, documents, feeds, lifetimes, notices };

for (const [group, list] of Object.entries(faults)) {
	describe(`the suite rejects a storage with wrong ${group}: one that`, () => {
		test.each(Object.entries(list))("%s", async (_, fault) => {
			const tests = testsOf(fault);
			expect(fault.rejectedBy.length).toBeGreaterThan(0);
			for (const beginning of fault.rejectedBy) {
				const name = testNamed(beginning, tests.keys());
				await expect(tests.get(name)!(), name).rejects.toThrow();
			}
		});
	});
}

const right: Fault = { rejectedBy: [], broken: () => ({}) };

test("the suite rejects no correct storage", async () => {
	for (const run of testsOf(right).values()) await run();
});

test("each test of the suite rejects one of these storages", () => {
	const names = [...testsOf(right).keys()];
	const rejecting = Object.values(faults).flatMap((list) =>
		Object.values(list).flatMap(({ rejectedBy }) => rejectedBy),
	);
	const bites = new Set(rejecting.map((beginning) => testNamed(beginning, names)));
	expect(names.filter((name) => !bites.has(name))).toEqual([]);
});
