import type { Parameters } from "fast-check";
import { beforeEach, vi } from "vitest";

/** The share of the usual runs of a property. */
const share = 1 / 10;
/** In milliseconds: a test with a longer timeout is skipped. */
const longest = 60_000;

/**
 * Makes the tests quick, for `check:fast` and for the mutation tests, which run them many times. Properties
 * try few values, always the same ones, and long tests are skipped.
 */
vi.mock(import("fast-check"), async (original) => {
	const module = await original();
	module.configureGlobal({ seed: 1, endOnFailure: true });
	const assert = ((property: never, { numRuns = 100, ...parameters }: Parameters<unknown> = {}) =>
		module.assert(property, { ...parameters, numRuns: Math.ceil(numRuns * share) })) as typeof module.assert;
	return { ...module, assert, default: { ...module.default, assert } };
});

beforeEach(({ task, skip }) => skip(task.timeout > longest, "It takes long."));
