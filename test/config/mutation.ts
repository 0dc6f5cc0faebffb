import { defineConfig } from "vitest/config";
import coverage from "./coverage.ts";

/** The same tests for `npm run test:mutation`, in one worker, so that they load shared modules only once. */
export default defineConfig({
	...coverage,
	test: { ...coverage.test, coverage: { enabled: false }, isolate: false, maxWorkers: 1 },
});
