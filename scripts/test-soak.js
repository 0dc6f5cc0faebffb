import { installDependencies, npm } from "./install.js";

/** How much longer than in `npm test` the random and the fault tests run; an argument changes it. */
const factor = process.argv[2] ?? "50";

installDependencies();
process.env.OUTLINE_SOAK = factor;
console.log(`Running the random and the fault tests ${factor} times as long as npm test does ...`);
process.exitCode = npm("run", "--silent", "test:unit", "--", "property", "faults", "record-index", "siblings");
