import { defineConfig } from "vitest/config";
import unitTests from "./vitest.config.ts";

export default defineConfig({
	resolve: unitTests.resolve ?? {},
	test: {
		include: ["test/*.test.ts", "test/{exchange,history,live,markup,scope,search,verify}/**/*.test.ts"],
		// The first measures time, and the others need many runs to meet what they ask for.
		exclude: ["test/markup/linear-time.test.ts", "test/{exchange,verify}/*.property.test.ts"],
		setupFiles: ["test/few-runs.ts"],
		globalSetup: "scripts/better-sqlite3.js",
		testTimeout: 30_000,
		maxWorkers: "100%",
		coverage: {
			enabled: true,
			provider: "v8",
			include: ["src/**"],
			reporter: ["text-summary", "json-summary"],
			thresholds: { branches: 95 },
		},
	},
});
