import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { nodeBinary } from "../test/setup/runtimes.ts";
import { root } from "./install.js";

// The oldest Node that the package supports has no node:sqlite, so these tests run under a newer one.
const vitest = join(root, "node_modules", "vitest", "vitest.mjs");
const args = [vitest, "run", "--project", "node-sqlite", ...process.argv.slice(2)];
process.exitCode = spawnSync(nodeBinary(24), args, { cwd: root, stdio: "inherit" }).status ?? 1;
