import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

/** A file of the project, whose folder may have any name. */
const path = (file: string) => fileURLToPath(new URL(file, import.meta.url));

export default defineConfig({
	test: {
		include: ["test/**/*.test.ts"],
		// What needs a browser, a server, another Node or runtime, or the packed package has a configuration of its own.
		exclude: ["test/{browser,node-sqlite,outliner,package,postgres,runtimes}/**"],
		globalSetup: "scripts/better-sqlite3.js",
		setupFiles: ["test/seed.ts"],
		// Loading the core takes longer than most of the files do: each worker loads it once.
		isolate: false,
		// All cores: without it one is left idle, which is half of a small machine.
		maxWorkers: "100%",
		// A busy machine takes its time.
		expect: { poll: { timeout: 10_000 } },
		testTimeout: 30_000,
	},
	resolve: {
		alias: [
			{ find: /^outlinekit$/, replacement: path("./src/index.ts") },
			{
				find: /^outlinekit\/(memory|file|indexeddb|sqlite|postgres)$/,
				replacement: path("./adapters/$1.ts"),
			},
			{ find: /^outlinekit\/(live|markup)$/, replacement: path("./src/$1/index.ts") },
			{
				find: /^outlinekit\/conformance$/,
				replacement: path("./test/conformance/index.ts"),
			},
			{ find: /^outlinekit\/http$/, replacement: path("./adapters/http/index.ts") },
		],
	},
});
