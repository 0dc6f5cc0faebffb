/**
 * Runs tests in Firefox and WebKit, in the builds of playwright:
 *
 *     npm run test:browsers             # both
 *     npm run test:browsers -- firefox
 *
 * `OUTLINE_FIREFOX` names an installed Firefox to use instead. If the script can't get a build, it says so, and ends
 * with 1.
 */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { buildPackage, installDependencies, npm, root } from "./install.js";

installDependencies();
buildPackage();
const { firefox, webkit } = await import("playwright-core");

const engines = { firefox, webkit };
const names = process.argv.slice(2).filter((name) => name in engines);
const outcomes = (names.length === 0 ? Object.keys(engines) : names).map((name) => `${name}: ${outcomeOf(name)}`);
console.log(`\n${outcomes.join("\n")}`);
process.exitCode = outcomes.every((outcome) => outcome.endsWith("passed")) ? 0 : 1;

function outcomeOf(name) {
	const isInstalled = () =>
		existsSync(engines[name].executablePath()) || (name === "firefox" && process.env.OUTLINE_FIREFOX);
	if (!isInstalled()) npm("exec", "--no", "--", "playwright-core", "install", name);
	if (!isInstalled()) {
		return (
			"not tested, because its build couldn't be downloaded (see above; usually the network allows no such download). " +
			`On a machine that may: npx playwright-core install --with-deps ${name}`
		);
	}
	const options = ["node_modules/vitest/vitest.mjs", "run", "--project", name];
	const { status } = spawnSync(process.execPath, options, { cwd: root, stdio: "inherit" });
	return status === 0 ? "passed" : "failed";
}
