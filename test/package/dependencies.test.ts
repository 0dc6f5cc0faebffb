import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import { allowedLicences, dependencies, licencesDocument } from "./licences.js";
import { project, root } from "./project.js";

interface Audit {
	/** Of the registry, if it has refused to answer. */
	readonly message?: string;
	readonly vulnerabilities?: Record<string, { severity: string; range: string }>;
}

test("the dependencies of the package have no known vulnerability", ({ skip }) => {
	const { stdout } = spawnSync("npm", ["audit", "--json"], {
		cwd: project,
		encoding: "utf8",
		shell: process.platform === "win32",
	});
	const { message, vulnerabilities } = JSON.parse(stdout) as Audit;
	if (vulnerabilities === undefined) skip(`The registry gives no advisories: ${message}`);
	expect(vulnerabilities).toEqual({});
});

test("all that is installed with the package has a licence that asks for no more than its text", () => {
	const installed = dependencies().filter(({ development }) => !development);
	expect(installed.length).toBeGreaterThan(10);
	expect(installed.filter(({ licence }) => !allowedLicences.has(licence))).toEqual([]);
});

test("all development dependencies have a licence", () => {
	expect(dependencies().filter(({ licence }) => licence === "")).toEqual([]);
});

test("docs/licences.md lists them as they are locked; --update writes it", async () => {
	await expect(licencesDocument()).toMatchFileSnapshot(join(root, "docs/licences.md"));
});
