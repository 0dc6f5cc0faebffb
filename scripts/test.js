import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setup as buildBetterSqlite3 } from "./better-sqlite3.js";
import { setup as installBrowser } from "./browser.js";
import { buildPackage, installDependencies, npm, npmHeldBack } from "./install.js";
import { nodeBinary } from "./node-binary.js";
import { setup as buildOutliner } from "./outliner.js";
import { runtimeCommand } from "./runtime-binary.js";

/**
 * Every check. What fails soon fails first. The checks of a stage are in lanes, which run side by side: those of servers and
 * processes wait more than they compute. What a check needs from the machine is prepared while the first stage runs.
 */
const stages = [
	[[{ name: "format and lint", script: "lint" }], [{ name: "types", script: "test:types" }]],
	[[{ name: "unit, conformance and property tests", script: "test:unit", prepare: buildBetterSqlite3 }]],
	[
		[{ name: "PostgreSQL", script: "test:postgres" }],
		[
			{ name: "time zones", script: "test:tz" },
			{ name: "SQLite of Node", script: "test:node-sqlite", prepare: () => nodeBinary(24) },
			{
				name: "Bun and Deno",
				script: "test:runtimes",
				prepare: () => ["bun", "deno"].map(runtimeCommand),
			},
			{ name: "reference", script: "docs:check" },
			{ name: "package", script: "test:package", prepare: () => [20, 22, 24].map(nodeBinary) },
		],
	],
	[[{ name: "browser", script: "test:browser", prepare: installBrowser }]],
	[[{ name: "outliner", script: "test:outliner", prepare: installBrowser }]],
];

/** The checks that count nothing themselves: each is one. Those of Vitest report their tests. */
const uncounted = new Set(["lint", "test:types", "docs:check"]);

installDependencies();
buildPackage();
// The test of `npm start` doesn't wait for it.
await buildOutliner();

/** The scripts that can't run, and why. */
const missing = new Map();
const directory = mkdtempSync(join(tmpdir(), "outlinekit-test-"));
const total = { passed: 0, skipped: 0, failures: [] };
const [first, ...others] = stages;
// What the first checks need is there. They are processes of their own, which go on meanwhile.
const firstChecks = runStage(first);
await prepare();
await firstChecks;
for (const stage of others) await runStage(stage);
rmSync(directory, { recursive: true });
const { passed, skipped, failures } = total;
// Here once more, since what is above is long.
for (const failure of failures) console.error(`\nFAILED ${failure}`);
console.log(`\n${passed} passed, ${failures.length} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`);
process.exitCode = failures.length === 0 && passed > 0 ? 0 : 1;

async function runStage(lanes) {
	await Promise.all(lanes.map((lane) => runLane(lane, lanes.length === 1)));
}

/** Runs checks one after the other. What those print that aren't alone is held back until they end, so that it stays in one piece. */
async function runLane(lane, alone) {
	for (const { name, script } of lane) {
		const title = `\n== ${name} (npm run ${script})`;
		if (missing.has(script)) {
			console.log(title);
			console.error(missing.get(script));
			total.failures.push(`${name}: ${missing.get(script)}`);
			continue;
		}
		const report = join(directory, `${script.replace(":", "-")}.json`);
		const reporters = ["--", "--reporter=default", "--reporter=./scripts/test-report.js", `--outputFile=${report}`];
		const args = ["run", "--silent", script, ...(uncounted.has(script) ? [] : reporters)];
		if (alone) console.log(title);
		const { status, output } = alone ? { status: npm(...args), output: "" } : await npmHeldBack(...args);
		if (!alone) console.log(`${title}\n${output}`);
		const { passed, skipped, failures } = uncounted.has(script) ? oneCheck(status) : reported(report);
		// A run can also end badly without a failed test: by a crash, or because there are no tests.
		if (status !== 0 && failures.length === 0) failures.push(`it ended with status ${status}`);
		total.passed += passed;
		total.skipped += skipped;
		total.failures.push(...failures.map((failure) => `${name}: ${failure}`));
	}
}

/** Has everything ready that the checks need, as far as it can be had. */
async function prepare() {
	for (const { name, script, prepare } of stages.flat(2)) {
		try {
			await prepare?.();
		} catch (error) {
			missing.set(script, error.message);
			console.error(`The check "${name}" will fail: ${error.message}`);
		}
	}
}

function oneCheck(status) {
	return { passed: status === 0 ? 1 : 0, skipped: 0, failures: [] };
}

/** What `test-report.js` wrote of a run. */
function reported(path) {
	try {
		return JSON.parse(readFileSync(path, "utf8"));
	} catch {
		return { passed: 0, skipped: 0, failures: ["it ended before it could report anything"] };
	}
}
