import { copyFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { root } from "./install.js";

/**
 * Runs a function while the manifest for JSR is at the top of the project. JSR and Deno look for it only
 * there. So this copies `scripts/config/jsr.json` to the top, and deletes the copy at the end. All paths in
 * the manifest start at the top of the project, not at `scripts/config`.
 *
 * @template T
 * @param {() => T} run
 * @returns {T}
 */
export function withJsrManifest(run) {
	const copy = join(root, "jsr.json");
	copyFileSync(join(root, "scripts", "config", "jsr.json"), copy);
	try {
		return run();
	} finally {
		rmSync(copy);
	}
}
