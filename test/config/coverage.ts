import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { resolve } from "../../vitest.config.ts";

/** The tests of the core, for `npm run test:coverage`. */
export default defineConfig({
	root: fileURLToPath(new URL("../..", import.meta.url)),
	resolve,
	test: {
		include: ["test/src/**/*.test.ts"],
		// The first measures time, and the rest needs many runs to meet its figures.
		exclude: ["test/src/markup/linear-time.test.ts", "test/src/{exchange,verify}/**/*.property.test.ts"],
		setupFiles: ["test/setup/few-runs.ts"],
		globalSetup: "test/setup/better-sqlite3.ts",
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
