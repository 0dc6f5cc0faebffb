import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { newest, root } from "./install.js";

/** Where the outliner is built to. */
export const outlinerDirectory = join(root, "examples", "outliner", "dist");

/** Builds the outliner, unless it is newer than its sources. Vitest calls this before its tests (`globalSetup`). */
export async function setup() {
	const built = join(outlinerDirectory, "index.html");
	const sources = ["examples/outliner", "src", "adapters", "package-lock.json"].map((name) =>
		newest(join(root, name), outlinerDirectory),
	);
	if (existsSync(built) && statSync(built).mtimeMs >= Math.max(...sources)) return;
	console.error("Building the outliner ...");
	// Loaded late: this module may be read before the dependencies are installed.
	const { build } = await import("vite");
	await build({ configFile: join(root, "examples", "outliner", "vite.config.ts"), logLevel: "warn" });
}
