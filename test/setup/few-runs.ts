import type { Parameters } from "fast-check";
import { beforeEach, vi } from "vitest";

/** The part of the usual runs of a property that is made. */
const share = 1 / 10;
/** In milliseconds: a test that is given more time than this is skipped. */
const longest = 60_000;

/**
 * Set up where the tests have to be quick, or are run many times over to be measured themselves: properties are tried with
 * few values, always the same ones, and what takes long is left out.
 */
vi.mock(import("fast-check"), async (original) => {
	const module = await original();
	module.configureGlobal({ seed: 1, endOnFailure: true });
	const assert = ((property: never, { numRuns = 100, ...parameters }: Parameters<unknown> = {}) =>
		module.assert(property, { ...parameters, numRuns: Math.ceil(numRuns * share) })) as typeof module.assert;
	return { ...module, assert, default: { ...module.default, assert } };
});

beforeEach(({ task, skip }) => skip(task.timeout > longest, "It takes long."));
