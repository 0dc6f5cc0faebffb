import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { root } from "./install.js";

// A million steps of the voyages of sync, from a new seed, or from the one in OUTLINE_SEED.
const env = { OUTLINE_SOAK: "100", OUTLINE_SHRINK: "1", ...process.env };
const vitest = join(root, "node_modules", "vitest", "vitest.mjs");
const { status } = spawnSync(process.execPath, [vitest, "run", "--project", "unit", "test/sync"], {
	cwd: root,
	env,
	stdio: "inherit",
});
process.exitCode = status ?? 1;
