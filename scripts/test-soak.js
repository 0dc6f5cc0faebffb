import { installDependencies, npm } from "./install.js";

/** How much longer than in `npm test` the random and the fault tests run; an argument changes it. */
const factor = process.argv[2] ?? "50";

installDependencies();
process.env.OUTLINE_SOAK = factor;
console.log(`Running the random and the fault tests ${factor} times as long as npm test does ...`);
const random = [
	"property",
	"faults",
	"mutation",
	"record-index",
	"siblings",
	"transcript",
	"test/adapters/sqlite",
	"conformance",
	"endurance",
];
const runs = [
	["test:unit", "--", ...random],
	["test:node-sqlite", "--", ...random],
	["test:postgres"],
	["test:browser"],
];
for (const run of runs) if (npm("run", "--silent", ...run) !== 0) process.exitCode = 1;
