import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { defineConfig, type TestProjectInlineConfiguration } from "vitest/config";

/** A file of the project, whose folder may have any name. */
const path = (file: string) => fileURLToPath(new URL(file, import.meta.url));

/** The public names of the package mean its sources. */
export const resolve = {
	alias: [
		{ find: /^outlinekit$/, replacement: path("./src/index.ts") },
		{ find: /^outlinekit\/(memory|file|indexeddb|sqlite|postgres)$/, replacement: path("./adapters/$1.ts") },
		{ find: /^outlinekit\/(live|markup)$/, replacement: path("./src/$1/index.ts") },
		{ find: /^outlinekit\/conformance$/, replacement: path("./test/conformance/index.ts") },
		{ find: /^outlinekit\/http$/, replacement: path("./adapters/http/index.ts") },
	],
};

const minute = 60_000;

type Options = NonNullable<TestProjectInlineConfiguration["test"]>;

/**
 * A group of tests that `vitest run --project <name>` runs. All workers load the core once and share it among their files, because
 * loading it takes longer than most files do. A busy machine takes its time, so the timeouts are long.
 */
function project(name: string, include: string[], options: Options = {}): TestProjectInlineConfiguration {
	const test = {
		name,
		include,
		isolate: false,
		testTimeout: minute,
		hookTimeout: minute,
		expect: { poll: { timeout: 10_000 } },
	};
	return { resolve, test: { ...test, ...options } };
}

/** Tests of the core that need long: their texts are very large, or random values have to be many. */
const slowCoreTests = /^(exchange|verify)\/|linear-time|"fast-check"/;

/** The tests that need the core alone, and little time. */
function quickTests(): string[] {
	const names = readdirSync(path("./test/src"), { recursive: true, encoding: "utf8" });
	return names
		.filter((name) => name.endsWith(".test.ts"))
		.filter(
			(name) => !slowCoreTests.test(name) && !slowCoreTests.test(readFileSync(join(path("./test/src"), name), "utf8")),
		)
		.map((name) => `test/src/${name}`);
}

/** Zones of the machine (the outline's zone is another matter) in which a wrong use of local time would show. */
const zones = [
	"UTC",
	"America/New_York",
	"Asia/Kathmandu",
	"Australia/Lord_Howe",
	"Pacific/Kiritimati",
	"Pacific/Pago_Pago",
];

const zoneTests = [
	"test/src/{date,time-zone}.test.ts",
	"test/src/reference/calendar.test.ts",
	"test/src/read/targets.test.ts",
	"test/src/markup/html/time.test.ts",
	"test/src/search/moments.test.ts",
];

export default defineConfig({
	test: {
		// All cores: without it one is left idle, which is half of a small machine.
		maxWorkers: "100%",
		projects: [
			project("unit", ["test/**/*.test.ts"], {
				exclude: ["test/{browser,node-sqlite,outliner,package,runtimes}/**", "test/adapters/postgres/**"],
				globalSetup: "scripts/better-sqlite3.js",
				setupFiles: ["test/setup/seed.ts"],
			}),
			project("quick", quickTests(), { setupFiles: ["test/setup/few-runs.ts"] }),
			project("postgres", ["test/adapters/postgres/**/*.test.ts"]),
			project("node-sqlite", ["test/{node-sqlite,adapters/sqlite}/**/*.test.ts"], {
				env: { OUTLINE_SQLITE_CLIENT: "node:sqlite" },
			}),
			project("runtimes", ["test/runtimes/**/*.test.ts"]),
			project("package", ["test/package/**/*.test.ts"], {
				globalSetup: "scripts/package.js",
				testTimeout: 2 * minute,
			}),
			project("browser", ["test/browser/**/*.test.ts"], { globalSetup: "scripts/browser.js" }),
			project("outliner", ["test/outliner/**/*.test.ts"], {
				globalSetup: ["scripts/browser.js", "scripts/outliner.js"],
			}),
			...zones.map((zone) =>
				project(`time zone ${zone}`, zoneTests, { env: { TZ: zone, OUTLINE_EXPECTED_ZONE: zone } }),
			),
		],
	},
});
