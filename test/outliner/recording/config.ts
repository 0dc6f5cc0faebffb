import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { resolve } from "../../../vitest.config.ts";

/**
 * Records the traces of `test/fixtures/outliner-traces`:
 *
 *     npx vitest run --config test/outliner/recording/config.ts
 */
export default defineConfig({
	root: fileURLToPath(new URL("../../..", import.meta.url)),
	resolve,
	test: {
		include: ["test/outliner/recording/record.ts"],
		globalSetup: "test/setup/browser.ts",
		testTimeout: 600_000,
		hookTimeout: 60_000,
	},
});
