import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildPackage, installDependencies, npm } from "./install.js";

/** Every check, in the order of their speed: what fails soon fails first. A check with tests of its own counts each of them. */
const checks = [
	{ name: "format and lint", script: "lint" },
	{ name: "types", script: "test:types" },
	{ name: "unit, conformance and property tests", script: "test:unit", reports: true },
	{ name: "time zones", script: "test:tz", reports: true },
	{ name: "package", script: "test:package" },
];

installDependencies();
buildPackage();

const directory = mkdtempSync(join(tmpdir(), "outlinekit-test-"));
let passed = 0;
let failed = 0;
let skipped = 0;
for (const { name, script, reports } of checks) {
	console.log(`\n== ${name} (npm run ${script})`);
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
