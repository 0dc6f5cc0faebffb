import { defineConfig } from "vitest/config";
import unitTests from "./vitest.config.ts";

export default defineConfig({
	resolve: unitTests.resolve ?? {},
	test: {
		include: ["test/postgres/**/*.test.ts"],
		// Each file has a server of its own; one at a time is kinder to the disk that all of them sync to.
		fileParallelism: false,
		testTimeout: 60_000,
		hookTimeout: 60_000,
	},
});
