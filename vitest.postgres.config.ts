import { defineConfig } from "vitest/config";
import unitTests from "./vitest.config.ts";

export default defineConfig({
	resolve: unitTests.resolve ?? {},
	test: {
		include: ["test/postgres/**/*.test.ts"],
		// Each file has a server of its own, and each worker loads the core once.
		isolate: false,
		maxWorkers: "100%",
		// A busy machine takes its time.
		expect: { poll: { timeout: 10_000 } },
		testTimeout: 60_000,
		hookTimeout: 60_000,
	},
});
