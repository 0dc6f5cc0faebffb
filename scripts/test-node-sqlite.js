import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { root } from "./install.js";
import { nodeBinary } from "./node-binary.js";

// The oldest Node that we run on has no node:sqlite, so these tests get a Node of their own.
const vitest = join(root, "node_modules", "vitest", "vitest.mjs");
const args = [vitest, "run", "--project", "node-sqlite", ...process.argv.slice(2)];
process.exitCode = spawnSync(nodeBinary(24), args, { cwd: root, stdio: "inherit" }).status ?? 1;
