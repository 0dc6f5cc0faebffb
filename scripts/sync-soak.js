import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { root } from "./install.js";

// A million steps of the simulations of sync in memory, and 25,000 on each pair of storages of a device and a server.
// They begin with a new seed, or with the one in OUTLINE_SEED.
const env = { OUTLINE_SOAK: "100", OUTLINE_SHRINK: "1", ...process.env };
const vitest = join(root, "node_modules", "vitest", "vitest.mjs");
const projects = ["--project", "unit", "--project", "postgres"];
const { status } = spawnSync(
	process.execPath,
	[vitest, "run", ...projects, "test/sync", "test/adapters/postgres/sync-simulation"],
	{
		cwd: root,
		env,
		stdio: "inherit",
	},
);
process.exitCode = status ?? 1;
