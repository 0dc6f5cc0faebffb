import { defineConfig } from "vitest/config";
import unitTests from "./vitest.config.ts";

export default defineConfig({
	resolve: unitTests.resolve ?? {},
	test: {
		include: ["test/runtimes/**/*.test.ts"],
		maxWorkers: "100%",
		testTimeout: 60_000,
		hookTimeout: 60_000,
	},
});
