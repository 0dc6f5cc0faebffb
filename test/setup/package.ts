import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildOutliner, buildPackage, npm } from "../../scripts/install.js";

/**
 * Packs the package and installs it into an empty project, as its users do. The tests of the package read the
 * two paths from `OUTLINE_TARBALL` and `OUTLINE_PROJECT`. Returns a function that removes both.
 */
export async function setup(): Promise<() => void> {
	buildPackage();
	await buildOutliner();
	const directory = mkdtempSync(join(tmpdir(), "outlinekit-package-"));
	run("pack", "--silent", "--ignore-scripts", "--pack-destination", directory);
	const tarball = join(directory, readdirSync(directory).find((name) => name.endsWith(".tgz"))!);
	const project = join(directory, "project");
	mkdirSync(project);
	writeFileSync(join(project, "package.json"), '{ "type": "module" }');
	run("install", "--silent", "--prefer-offline", "--no-audit", "--no-fund", "--prefix", project, tarball);
	process.env.OUTLINE_TARBALL = tarball;
	process.env.OUTLINE_PROJECT = project;
	return () => rmSync(directory, { recursive: true, force: true });
}

function run(...args: string[]): void {
	if (npm(...args) !== 0) throw new Error(`npm ${args[0]} failed. Its output above has the reason.`);
}
