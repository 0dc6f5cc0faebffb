import { defineConfig } from "vitest/config";

export default defineConfig({
	test: {
		include: ["test/package/**/*.test.ts"],
		globalSetup: "scripts/package.js",
		maxWorkers: "100%",
		testTimeout: 120_000,
	},
});
