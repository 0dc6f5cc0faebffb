import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildPackage, npm } from "./install.js";

/**
 * Packs the package, and installs it as its users do, into an empty project. Vitest calls this before the tests of the package
 * (`globalSetup`), which find the paths in `OUTLINE_TARBALL` and `OUTLINE_PROJECT`. Returns what removes both.
 */
export function setup() {
	buildPackage();
	const directory = mkdtempSync(join(tmpdir(), "outlinekit-package-"));
	run("pack", "--silent", "--ignore-scripts", "--pack-destination", directory);
	const tarball = join(
		directory,
		readdirSync(directory).find((name) => name.endsWith(".tgz")),
	);
	const project = join(directory, "project");
	mkdirSync(project);
	writeFileSync(join(project, "package.json"), '{ "type": "module" }');
	run("install", "--silent", "--prefer-offline", "--no-audit", "--no-fund", "--prefix", project, tarball);
	process.env.OUTLINE_TARBALL = tarball;
	process.env.OUTLINE_PROJECT = project;
	return () => rmSync(directory, { recursive: true, force: true });
}

function run(...args) {
	if (npm(...args) !== 0) throw new Error(`npm ${args[0]} failed. What it printed above says why.`);
}
