import { defineConfig } from "vitest/config";
import unitTests from "./vitest.config.ts";

export default defineConfig({
	resolve: unitTests.resolve ?? {},
	test: {
		include: ["test/browser/**/*.test.ts"],
		globalSetup: "scripts/browser.js",
		// Each file has a browser of its own, which is a dozen processes.
		maxWorkers: 2,
		// What drives the browser takes two seconds to load: once is enough.
		isolate: false,
		// A busy machine takes its time.
		expect: { poll: { timeout: 10_000 } },
		testTimeout: 60_000,
		hookTimeout: 60_000,
	},
});
