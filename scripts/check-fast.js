import { npm } from "./install.js";

// What is quick and finds most: format, lint, types, and the unit tests but those of many random operations or faults.
const started = performance.now();
const checks = [
	["lint"],
	["test:types"],
	[
		"test:unit",
		"--",
		"--reporter=dot",
		"--exclude=**/*.property.test.ts",
		"--exclude=test/{conformance,examples,file,http,indexeddb,sqlite,transcript}/**",
	],
];
const failed = checks.filter(([script, ...args]) => npm("run", "--silent", script, ...args) !== 0);
console.log(
	`${failed.length === 0 ? "All passed" : `Failed: ${failed.join(", ")}`} in ${((performance.now() - started) / 1000).toFixed(1)} s.`,
);
process.exitCode = failed.length === 0 ? 0 : 1;
