import { defineConfig } from "vitest/config";
import browserTests from "./vitest.browser.config.ts";

export default defineConfig({
	resolve: browserTests.resolve ?? {},
	test: {
		...browserTests.test,
		// Each file waits more than it works.
		maxWorkers: 3,
		include: ["test/outliner/**/*.test.ts"],
		globalSetup: ["scripts/browser.js", "scripts/outliner.js"],
	},
});
