import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildOutliner, buildPackage, installDependencies, npm } from "./install.js";

/**
 * The checks of `npm test` and of `npm run test:thorough`, by the names of their npm scripts. One at a time, because
 * each keeps two cores busy. One check of many projects ends sooner: no core waits for the last file of a project.
 */
const runs = {
	short: ["lint", "test:types", "test:once"],
	thorough: [
		"test:unit",
		"test:small-portions",
		"test:better-sqlite3",
		"test:node-sqlite",
		"test:runtimes",
		"test:outliner",
		"test:browser",
		"test:postgres",
		"test:package",
		"test:tz",
		"docs",
		"test:site",
	],
};

/** The checks that don't run Vitest. Each counts as one test. */
const single = new Set(["lint", "test:types", "docs"]);

const names = process.argv.slice(2).filter((name) => name in runs);
const factor = process.argv.slice(2).findLast((argument) => Number(argument) >= 1);
if (factor !== undefined) process.env.OUTLINE_SOAK = factor;

installDependencies();
buildPackage();
await buildOutliner();

const directory = mkdtempSync(join(tmpdir(), "outlinekit-test-"));
const total = { passed: 0, skipped: 0, failures: [] };
for (const name of names) {
	process.env.OUTLINE_THOROUGH = name === "thorough" ? "1" : "0";
	for (const script of runs[name]) runCheck(script);
}
rmSync(directory, { recursive: true });
const { passed, skipped, failures } = total;
// Repeated here, because the output above is long.
for (const failure of failures) console.error(`\nFAILED ${failure}`);
console.log(`\n${passed} passed, ${failures.length} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`);
process.exitCode = failures.length === 0 && passed > 0 ? 0 : 1;

/** Runs a check, and adds its result to the total. */
function runCheck(script) {
	const report = join(directory, `${script.replace(":", "-")}.json`);
	const reporters = ["--", "--reporter=default", "--reporter=./test/setup/test-report.ts", `--outputFile=${report}`];
	console.log(`\n== npm run ${script}`);
	const began = performance.now();
	const status = npm("run", "--silent", script, ...(single.has(script) ? [] : reporters));
	console.log(`== ${((performance.now() - began) / 1000).toFixed(0)} s: npm run ${script}`);
	const { passed, skipped, failures } = single.has(script) ? singleCheck(status) : reported(report);
	// A run can also end badly without a failed test: by a crash, or because there are no tests.
	if (status !== 0 && failures.length === 0) failures.push(`it ended with status ${status}`);
	total.passed += passed;
	total.skipped += skipped;
	total.failures.push(...failures.map((failure) => `${script}: ${failure}`));
	rmSync(report, { force: true });
}

function singleCheck(status) {
	return { passed: status === 0 ? 1 : 0, skipped: 0, failures: [] };
}

/** Reads the report that `test-report.ts` wrote of a run. */
function reported(path) {
	try {
		return JSON.parse(readFileSync(path, "utf8"));
	} catch {
		return { passed: 0, skipped: 0, failures: ["it ended before it could report anything"] };
	}
}
