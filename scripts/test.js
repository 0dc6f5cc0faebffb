import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setup as buildBetterSqlite3 } from "./better-sqlite3.js";
import { setup as installBrowser } from "./browser.js";
import { buildPackage, installDependencies, npm } from "./install.js";
import { nodeBinary } from "./node-binary.js";
import { setup as buildOutliner } from "./outliner.js";

/**
 * Every check, in the order of their speed: what fails soon fails first. A check with tests of its own counts each of them.
 * What one needs from the machine is prepared before the first begins.
 */
const checks = [
	{ name: "format and lint", script: "lint" },
	{ name: "types", script: "test:types" },
	{ name: "unit, conformance and property tests", script: "test:unit", reports: true, prepare: buildBetterSqlite3 },
	{ name: "time zones", script: "test:tz", reports: true },
	{ name: "SQLite of Node", script: "test:node-sqlite", reports: true, prepare: () => nodeBinary(24) },
	{ name: "PostgreSQL", script: "test:postgres", reports: true },
	{ name: "browser", script: "test:browser", reports: true, prepare: installBrowser },
	{ name: "outliner", script: "test:outliner", reports: true, prepare: installBrowser },
	{ name: "package", script: "test:package", reports: true, prepare: () => [20, 22, 24].map(nodeBinary) },
];

installDependencies();
buildPackage();
// The test of `npm start` doesn't wait for it.
await buildOutliner();
const missing = await prepare();

const directory = mkdtempSync(join(tmpdir(), "outlinekit-test-"));
let passed = 0;
let failed = 0;
let skipped = 0;
for (const { name, script, reports } of checks) {
	console.log(`\n== ${name} (npm run ${script})`);
	if (missing.has(script)) {
		console.error(missing.get(script));
		failed += 1;
		continue;
	}
	const report = join(directory, "report.json");
	rmSync(report, { force: true });
	const status = reports
		? npm("run", "--silent", script, "--", "--reporter=default", "--reporter=json", `--outputFile=${report}`)
		: npm("run", "--silent", script);
	const counts = reports ? countsOf(report) : { passed: 0, failed: 0, skipped: 0 };
	// A run that ends badly without a failed test (a crash, no test at all) counts as one failure.
	if (status === 0 && !reports) counts.passed += 1;
	if (status !== 0 && counts.failed === 0) counts.failed += 1;
	passed += counts.passed;
	failed += counts.failed;
	skipped += counts.skipped;
}
rmSync(directory, { recursive: true });
console.log(`\n${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`);
process.exitCode = failed === 0 && passed > 0 ? 0 : 1;

/** Has everything ready that the checks need. Returns what is missing: the scripts that can't run, and why. */
async function prepare() {
	const missing = new Map();
	for (const { name, script, prepare } of checks) {
		try {
			await prepare?.();
		} catch (error) {
			missing.set(script, error.message);
			console.error(`The check "${name}" will fail: ${error.message}`);
		}
	}
	return missing;
}

/** The sums of all reports that a run has written, one JSON text a line. */
function countsOf(path) {
	const counts = { passed: 0, failed: 0, skipped: 0 };
	try {
		const { numPassedTests, numFailedTests, numPendingTests } = JSON.parse(readFileSync(path, "utf8"));
		counts.passed = numPassedTests;
		counts.failed = numFailedTests;
		counts.skipped = numPendingTests;
	} catch {
		counts.failed = 1;
	}
	return counts;
}
