import { defineConfig } from "vitest/config";

export default defineConfig({
	test: {
		include: ["test/**/*.test.ts"],
		// What needs a browser, a server, another Node or the packed package has a configuration of its own.
		exclude: ["test/{browser,node-sqlite,outliner,package,postgres}/**"],
		globalSetup: "scripts/better-sqlite3.js",
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
			{ find: /^outlinekit$/, replacement: new URL("./src/index.ts", import.meta.url).pathname },
			{
				find: /^outlinekit\/(memory|file|indexeddb|sqlite|postgres)$/,
				replacement: new URL("./adapters/$1.ts", import.meta.url).pathname,
			},
			{ find: /^outlinekit\/live$/, replacement: new URL("./src/live/index.ts", import.meta.url).pathname },
			{
				find: /^outlinekit\/conformance$/,
				replacement: new URL("./test/conformance/index.ts", import.meta.url).pathname,
			},
			{ find: /^outlinekit\/http$/, replacement: new URL("./adapters/http/index.ts", import.meta.url).pathname },
		],
	},
});
