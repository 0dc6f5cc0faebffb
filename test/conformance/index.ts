/**
 * The storage conformance suite. It tests whether a storage keeps the promises of a `StorageAdapter`. It runs
 * in Node and in browsers, with any test runner that has a function to register tests.
 *
 * ```ts
 * import { storageConformance } from "outlinekit/conformance";
 *
 * storageConformance({
 *   test,                                          // of vitest, Jest, node:test, or (name, run) => …
 *   create: (name) => createMyStorage({ name }),   // the same name: the same outline; a new one: empty
 *   traits: {                                      // true, or the reason why not
 *     durable: true,                               // commits are there after closing and creating it again
 *     multiProcess: true,                          // several storages of one name may be open at once
 *     watch: "it can't see other processes",       // has `watch`
 *     peek: "every answer comes from the database", // has `peek`
 *   },
 * });
 * ```
 *
 * @module outlinekit/conformance
 */
import { OutlineError, quoted } from "../../src/errors.js";
import { assertFunction, fieldNames, fieldsOf } from "../../src/fields.js";
import { changes } from "./changes.js";
import { committing } from "./committing.js";
import { differential } from "./differential.js";
import { documentCases } from "./documents.js";
import { exactness } from "./exactness.js";
import { factory } from "./factory.js";
import { lifetime } from "./lifetime.js";
import type { Cases, ConformanceOptions, Run, Sizes, Traits } from "./options.js";
import { peeking } from "./peeking.js";
import { reading } from "./reading.js";
import { shapes } from "./shapes.js";
import { sharing } from "./sharing.js";
import { snapshots } from "./snapshots.js";
import { throughOutline } from "./through-outline.js";
import { Trial, type TrialSettings } from "./trial.js";
import { watching } from "./watching.js";

export type { ConformanceOptions, Sizes, TestFunction, Trait, Traits } from "./options.js";

const optionNames = fieldNames<ConformanceOptions>({
	test: true,
	create: true,
	traits: true,
	sizes: true,
	random: true,
	patience: true,
});
const traitNames = fieldNames<Traits>({ durable: true, multiProcess: true, watch: true, peek: true });

const usualSizes: Sizes = {
	levels: 1000,
	siblings: 30_000,
	changes: 10_000,
	mirrors: 300,
	characters: 1_000_000,
	opens: 20,
};

/**
 * Registers the tests, all of them synchronously. Each works on an outline of its own and closes what it
 * opens. They may run one after another or at the same time. The tests with the largest data take some
 * seconds on a slow storage, so give the runner a timeout of 30 seconds.
 *
 * @throws `invalid_argument` for an option or a trait that is missing, unknown or of another type
 */
export function storageConformance(options: ConformanceOptions): void {
	fieldsOf("storageConformance", options, optionNames);
	const { test, create, traits, random = {} } = options;
	fieldsOf("sizes", options.sizes ?? {}, Object.keys(usualSizes));
	fieldsOf("random", random, ["seed", "commits", "sequences"]);
	assertFunction("test", test);
	assertFunction("create", create);
	const given = fieldsOf("traits", traits, traitNames);
	for (const name of traitNames) {
		if (given[name] === true || typeof given[name] === "string") continue;
		throw new OutlineError(
			"invalid_argument",
			`The trait ${name} is ${quoted(given[name])}. It must be true, or the reason why the storage doesn't have it.`,
		);
	}
	const settings: TrialSettings = {
		create,
		sizes: sizesFrom(options.sizes),
		random: {
			seed: random.seed ?? Math.floor(Math.random() * 2 ** 32),
			commits: random.commits ?? 40,
			sequences: random.sequences ?? 5,
		},
		patience: options.patience ?? 10_000,
	};
	const groups: Record<string, Cases> = {
		factory: factory(traits),
		reading,
		shapes,
		committing,
		snapshots,
		changes,
		documents: documentCases,
		exactness,
		peeking,
		watching,
		lifetime,
		sharing,
		outline: throughOutline,
		random: differential,
	};
	for (const [group, cases] of Object.entries(groups)) {
		for (const [behaviour, each] of Object.entries(cases)) {
			const name = `${group}: ${behaviour}`;
			const { needs, run } = typeof each === "function" ? { needs: [], run: each } : each;
			const missing = needs.find((trait) => traits[trait] !== true);
			if (missing === undefined) test(name, () => runCase(run, settings));
			else (test.skip ?? test)(`${name} (skipped, not ${missing}: ${traits[missing]})`, async () => {});
		}
	}
}

/** Returns the usual sizes, replaced by the given ones. */
function sizesFrom(given: ConformanceOptions["sizes"]): Sizes {
	const sizes = Object.entries(usualSizes).map(([name, usual]) => [name, given?.[name as keyof Sizes] ?? usual]);
	return Object.fromEntries(sizes);
}

async function runCase(run: Run, settings: TrialSettings): Promise<void> {
	const trial = new Trial(settings);
	try {
		await run(trial);
	} catch (error) {
		// Only the first error counts.
		await trial.end().catch(() => {});
		throw error;
	}
	await trial.end();
}
