import { defineConfig } from "vitest/config";
import unitTests from "./vitest.config.ts";

export default defineConfig({
	resolve: unitTests.resolve ?? {},
	test: {
		include: ["test/browser/**/*.test.ts"],
		globalSetup: "scripts/browser.js",
		// One browser at a time: it is a dozen processes.
		fileParallelism: false,
		testTimeout: 60_000,
		hookTimeout: 60_000,
	},
});
