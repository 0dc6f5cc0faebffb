import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { defineConfig } from "vitest/config";

/** What needs disks, servers, other processes, compilers or very large texts takes its time; so do random tests. */
const slow =
	/^((browser|conformance|examples|exchange|file|http|indexeddb|machine|node-sqlite|outliner|package|postgres|sqlite|transcript|verify)\/|markup\/linear-time|project\/docs)/;
const folder = new URL("./test", import.meta.url).pathname;

/** The tests that need the core alone, and little time. None of them changes anything that others see. */
export const quick: readonly string[] = readdirSync(folder, { recursive: true, encoding: "utf8" })
	.filter(
		(name) =>
			name.endsWith(".test.ts") &&
			!slow.test(name) &&
			!readFileSync(join(folder, name), "utf8").includes('"fast-check"'),
	)
	.map((name) => `test/${name}`);

export default defineConfig({
	test: {
		// A busy machine takes its time.
		expect: { poll: { timeout: 10_000 } },
		testTimeout: 30_000,
		// All cores: without it one is left idle, which is half of a small machine.
		maxWorkers: "100%",
		projects: [
			// Together in each worker, since loading the core takes longer than most of them.
			{ extends: true, test: { name: "quick", include: [...quick], isolate: false } },
			{
				extends: true,
				test: {
					name: "thorough",
					include: ["test/**/*.test.ts"],
					// What needs a browser, a server, another Node or the packed package has a configuration of its own.
					exclude: ["test/{browser,node-sqlite,outliner,package,postgres}/**", ...quick],
					globalSetup: "scripts/better-sqlite3.js",
				},
			},
		],
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
