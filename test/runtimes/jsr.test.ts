import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { withJsrManifest } from "../../scripts/jsr-manifest.js";
import { runtimeCommand } from "../setup/runtimes.js";

const root = fileURLToPath(new URL("../..", import.meta.url));

test("Deno would publish the package to JSR", { timeout: 300_000 }, () => {
	const [deno] = runtimeCommand("deno");
	// The sources import each other with the ending `.js`. Deno names the true files when it publishes.
	const options = ["--dry-run", "--allow-dirty", "--allow-slow-types", "--unstable-sloppy-imports"];
	const env = { ...process.env, NO_COLOR: "1" };
	const { stderr, status } = withJsrManifest(() =>
		spawnSync(deno!, ["publish", ...options], { cwd: root, encoding: "utf8", env }),
	);
	expect({ status, stderr }).toEqual({ status: 0, stderr: expect.stringContaining("Success Dry run complete") });
	expect(stderr).not.toMatch(/examples|scripts|adapters\/cli|\.test\.ts/);
});
