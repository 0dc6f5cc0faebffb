import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { svelte } from "@sveltejs/vite-plugin-svelte";
import vue from "@vitejs/plugin-vue";
import solid from "vite-plugin-solid";
import { defineConfig, type TestProjectInlineConfiguration } from "vitest/config";
import { LongestFirst } from "./test/setup/longest-first.ts";
import { smallPortions } from "./test/setup/small-portions.ts";
import { seed, short, soak, thorough } from "./test/setup/soak.ts";

/** A file of the project, whose folder may have any name. */
const path = (file: string) => fileURLToPath(new URL(file, import.meta.url));

/** The public names of the package mean its sources. */
export const resolve = {
	alias: [
		{ find: /^outlinekit$/, replacement: path("./src/index.ts") },
		{ find: /^outlinekit\/(memory|file|indexeddb|sqlite|postgres)$/, replacement: path("./adapters/$1.ts") },
		{ find: /^outlinekit\/(live|markup|sync)$/, replacement: path("./src/$1/index.ts") },
		{ find: /^outlinekit\/(react|vue|svelte|solid)$/, replacement: path("./adapters/bindings/$1.ts") },
		{ find: /^outlinekit\/conformance$/, replacement: path("./test/conformance/index.ts") },
		{ find: /^outlinekit\/http$/, replacement: path("./adapters/http/index.ts") },
	],
};

const minute = 60_000;

type Options = NonNullable<TestProjectInlineConfiguration["test"]>;

/**
 * A group of tests that `vitest run --project <name>` runs. Each worker loads the core once for all of its files,
 * because loading it takes longer than most files do. The timeouts are long, because a busy machine is slow.
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

/**
 * Long test files that `npm test` leaves to the thorough run: faults at each call of a storage, many processes at once,
 * very large commits, clients that must start in another language, and most of the outliner.
 */
const longTests = new RegExp(
	`^test/(${[
		"adapters/file/(faults|lock|mutation)",
		"adapters/http/(long-answers|sync-client)",
		"adapters/indexeddb/faults",
		"adapters/postgres/(?!(conformance|round-trips|watch|statements|sync|many-users|prepared|fault|traffic)\\.)[^/]*",
		"adapters/sqlite/(failing-calls|large-commits|processes)",
		"browser/(harness|indexeddb-(forced-closing|kills)|react|transcript|tutorial)",
		"cli/processes",
		"conformance/broken",
		"examples/(import-markdown|level-storage)",
		"outliner/(?!(accessibility|server|undo|welcome|writing)\\.)[^/]*",
		"sync/kills",
	].join("|")})\\.test\\.ts$`,
);

/**
 * The test files of a group. In the thorough run, only files that `npm test` leaves out, or that then test more.
 * These have properties, import `test/setup/soak.ts`, the seeds of transcripts, the meetings of sync or the looks of
 * the outliner. The files of IndexedDB then run in a whole Chromium.
 */
function testFiles(folder: RegExp): string[] {
	const doesMore = /"[^"]*\/(setup\/soak|sequences|meeting|looks)\.js"|"fast-check"/;
	const isRun = (name: string) =>
		longTests.test(name) ||
		name.startsWith("test/browser/indexeddb") ||
		doesMore.test(readFileSync(path(name), "utf8"));
	return readdirSync(path("./test"), { recursive: true, encoding: "utf8" })
		.map((name) => `test/${name.replaceAll("\\", "/")}`)
		.filter((name) => folder.test(name) && name.endsWith(".test.ts"))
		.filter((name) => (thorough ? isRun(name) : !(short && longTests.test(name))));
}

/**
 * Time zones of the machine, which reveal a wrong use of local time. An outline has a time zone of its own.
 * `npm test` runs the first one, the thorough run the other ones.
 */
const zones = [
	"America/New_York",
	"Pacific/Kiritimati",
	"UTC",
	"Asia/Kathmandu",
	"Australia/Lord_Howe",
	"Pacific/Pago_Pago",
].filter((_, index) => index < 1 !== thorough);

const zoneTests = [
	"test/src/{date,time-zone}.test.ts",
	"test/src/reference/calendar.test.ts",
	"test/src/read/targets.test.ts",
	"test/src/markup/html/time.test.ts",
	"test/src/read/search/moments.test.ts",
];

/**
 * Tests that hold for portions of any size, because they compare with a model, with another storage or with a table.
 * They run with small portions in the thorough run.
 */
const smallPortionTests = [
	"test/adapters/{indexeddb/conformance,sqlite/transcript}.test.ts",
	"test/conformance/storages.test.ts",
	"test/project/small-portions.test.ts",
	"test/src/**/*.property.test.ts",
	"test/sync/{convergence,deletions,gone-parents,identity,table}.test.ts",
	"test/transcript/transcript.test.ts",
];

/**
 * Folders that don't belong to the project `unit`, because their tests need another program than Node, or much
 * time.
 */
const otherFolders = `bindings|browser|site|node-sqlite|outliner|package|runtimes|machine|adapters/postgres${thorough ? "" : "|endurance"}`;

export default defineConfig({
	test: {
		// All cores: by default Vitest leaves one idle, which is half of a small machine.
		maxWorkers: "100%",
		sequence: { sequencer: LongestFirst },
		projects: [
			project("unit", testFiles(new RegExp(`^test/(?!(${otherFolders})/)`)), {
				env: { OUTLINE_SQLITE_CLIENT: "libsql" },
				setupFiles: ["test/setup/seed.ts"],
			}),
			{
				...project("small portions", smallPortionTests, {
					env: {
						OUTLINE_SQLITE_CLIENT: "libsql",
						OUTLINE_SMALL_PORTIONS: "1",
						OUTLINE_THOROUGH: "0",
						// A run from a new seed has enough values for tests that count them.
						OUTLINE_SOAK: soak > 2 ? "2" : "1",
						OUTLINE_SEED: String(seed),
						OUTLINE_STEPS: process.env.OUTLINE_STEPS ?? "100",
					},
					setupFiles: ["test/setup/seed.ts"],
				}),
				plugins: [smallPortions()],
			},
			project("quick", quickTests(), { setupFiles: ["test/setup/few-runs.ts"] }),
			project("postgres", testFiles(/^test\/adapters\/postgres\//)),
			project("better-sqlite3", ["test/{machine,adapters/sqlite}/**/*.test.ts"], {
				env: { OUTLINE_SQLITE_CLIENT: "better-sqlite3", OUTLINE_SOAK: process.env.OUTLINE_SOAK ?? "1" },
				globalSetup: "test/setup/better-sqlite3.ts",
			}),
			project("node-sqlite", ["test/{node-sqlite,adapters/sqlite}/**/*.test.ts"], {
				env: { OUTLINE_SQLITE_CLIENT: "node:sqlite", OUTLINE_SOAK: process.env.OUTLINE_SOAK ?? "1" },
			}),
			project("runtimes", ["test/runtimes/**/*.test.ts"]),
			project("package", testFiles(/^test\/package\//), {
				globalSetup: "test/setup/package.ts",
				testTimeout: 2 * minute,
			}),
			// The frameworks as in a browser, with a DOM in Node.
			{
				...project("bindings", ["test/bindings/**/*.test.{ts,tsx}"], {
					environment: "happy-dom",
					isolate: true,
					server: { deps: { inline: [/svelte/, /solid-js/] } },
				}),
				resolve: { ...resolve, conditions: ["browser", "module", "development"] },
				// The programs of pages are written to folders for temporary files.
				server: { fs: { strict: false } },
				plugins: [svelte({ configFile: false }), vue(), solid({ include: /\/solid\// })],
			},
			project("browser", testFiles(/^test\/browser\//), { globalSetup: "test/setup/browser.ts" }),
			// Other engines, with the tests that need no orders to Chromium: `npm run test:browsers`.
			...["firefox", "webkit"].map((engine) =>
				project(
					engine,
					["outline", "indexeddb-conformance", "indexeddb-worker", "transcript", "sync", "tutorial", "playground"].map(
						(name) => `test/browser/${name}.test.ts`,
					),
					{ env: { OUTLINE_ENGINE: engine } },
				),
			),
			// The built site of the documentation: `npm run docs` comes before.
			project("site", ["test/site/**/*.test.ts"], { globalSetup: "test/setup/browser.ts" }),
			project("outliner", testFiles(/^test\/outliner\//), {
				globalSetup: "test/setup/outliner.ts",
				setupFiles: ["test/setup/seed.ts"],
			}),
			// Records the traces of `test/fixtures/outliner-traces` and the pictures of the outliner anew. No script runs it.
			project("recording", ["test/outliner/recording/{record,pictures}.ts"], {
				globalSetup: "test/setup/outliner.ts",
				testTimeout: 10 * minute,
			}),
			...zones.map((zone) =>
				project(`time zone ${zone}`, zoneTests, { env: { TZ: zone, OUTLINE_EXPECTED_ZONE: zone } }),
			),
		],
	},
});
