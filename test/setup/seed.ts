import type { Parameters } from "fast-check";
import { vi } from "vitest";
import { seed, soak } from "./soak.js";

/** The share of the runs of a property that `npm test` makes. The thorough run makes all of them. */
const share = soak > 1 ? 1 : 0.25;

// Applies to all tests: properties begin with the seed of the run.
vi.mock(import("fast-check"), async (original) => {
	const module = await original();
	module.configureGlobal({ ...module.readConfigureGlobal(), seed });
	const assert = ((property: never, { numRuns = 100, ...parameters }: Parameters<unknown> = {}) =>
		module.assert(property, { ...parameters, numRuns: Math.ceil(numRuns * share) })) as typeof module.assert;
	return { ...module, assert, default: { ...module.default, assert } };
});
