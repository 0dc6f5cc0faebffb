import { defineConfig } from "vitest/config";
import coverage from "./vitest.coverage.config.ts";

export default defineConfig({
	resolve: coverage.resolve ?? {},
	test: {
		...coverage.test,
		coverage: { enabled: false },
		// One worker for all files, so that what they share is loaded once for each mutant.
		isolate: false,
		maxWorkers: 1,
	},
});
