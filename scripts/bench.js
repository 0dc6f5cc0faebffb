import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { buildPackage, installDependencies, root } from "./install.js";

installDependencies();
buildPackage();

// A fresh process for each size, and for each of several runs: the memory and the compiled code of one don't help the next.
const { status } = spawnSync(process.execPath, ["--import", "tsx", join(root, "bench", "scaling.ts")], {
	cwd: root,
	stdio: "inherit",
});
process.exitCode = status ?? 1;
