import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import unitTests from "./vitest.config.ts";

/** What needs disks, servers, other processes, compilers or very large texts takes its time; so do random tests, of which few runs find little. */
const slow =
	/^((browser|conformance|examples|exchange|file|http|indexeddb|machine|node-sqlite|outliner|package|postgres|runtimes|sqlite|transcript|verify)\/|markup\/linear-time|project\/docs)/;
const folder = fileURLToPath(new URL("./test", import.meta.url));

/** The tests that need the core alone, and little time. */
const quick = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter(
	(name) =>
		name.endsWith(".test.ts") && !slow.test(name) && !readFileSync(join(folder, name), "utf8").includes('"fast-check"'),
);

export default defineConfig({
	resolve: unitTests.resolve ?? {},
	test: {
		include: quick.map((name) => `test/${name}`),
		setupFiles: ["test/few-runs.ts"],
		isolate: false,
		maxWorkers: "100%",
		testTimeout: 30_000,
	},
});
