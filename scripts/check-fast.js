import { spawn } from "node:child_process";
import { join } from "node:path";
import { installDependencies, root } from "./install.js";

// Runs the quick checks side by side. TypeScript checks only the changed files of the package and its tests.
const checks = {
	"format and lint": ["@biomejs/biome/bin/biome", "check", "."],
	types: [
		"typescript/bin/tsc",
		"-p",
		"tsconfig.json",
		"--incremental",
		"--tsBuildInfoFile",
		"node_modules/.cache/types.json",
	],
	tests: ["vitest/vitest.mjs", "run", "--project", "quick", "--reporter=dot"],
};
installDependencies();
const started = performance.now();
const failed = await Promise.all(
	Object.entries(checks).map(
		([name, [program, ...args]]) =>
			new Promise((resolve) => {
				const child = spawn(process.execPath, [join(root, "node_modules", program), ...args], {
					cwd: root,
					stdio: "inherit",
				});
				child.on("close", (status) => resolve(status === 0 ? [] : [name]));
			}),
	),
);
const seconds = ((performance.now() - started) / 1000).toFixed(1);
console.log(
	failed.flat().length === 0 ? `All passed in ${seconds} s.` : `Failed in ${seconds} s: ${failed.flat().join(", ")}.`,
);
process.exitCode = failed.flat().length === 0 ? 0 : 1;
