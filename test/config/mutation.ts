import { defineConfig } from "vitest/config";
import coverage from "./coverage.ts";

/** The same tests for `npm run test:mutation`: in one worker, so that they load what they share once for each mutant. */
export default defineConfig({
	...coverage,
	test: { ...coverage.test, coverage: { enabled: false }, isolate: false, maxWorkers: 1 },
});
