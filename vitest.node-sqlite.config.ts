import { defineConfig } from "vitest/config";
import unitTests from "./vitest.config.ts";

export default defineConfig({
	resolve: unitTests.resolve ?? {},
	test: {
		include: ["test/node-sqlite/**/*.test.ts", "test/sqlite/**/*.test.ts"],
		// A busy machine takes its time.
		expect: { poll: { timeout: 10_000 } },
		env: { OUTLINE_SQLITE_CLIENT: "node:sqlite" },
		testTimeout: 30_000,
		isolate: false,
		maxWorkers: "100%",
	},
});
