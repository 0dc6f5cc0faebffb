import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { buildPackage, installDependencies, root } from "./install.js";

installDependencies();
buildPackage();

const benches = ["scaling", "commits", "search"];
for (const name of process.argv.length > 2 ? process.argv.slice(2) : benches) {
	const { status } = spawnSync(process.execPath, ["--import", "tsx", join(root, "bench", `${name}.ts`)], {
		cwd: root,
		stdio: "inherit",
	});
	if (status !== 0) process.exitCode = 1;
}
