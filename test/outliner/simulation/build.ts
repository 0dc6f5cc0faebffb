import { fileURLToPath } from "node:url";
import { build } from "vite";
import { beforeAll } from "vitest";
import { sharedFolder } from "../../support/temporary.js";

/** Returns the folder of a build of the outliner that shows its outline to the tests of one file. */
export function watchedBuild(): string {
	const folder = sharedFolder();
	beforeAll(async () => {
		const path = (file: string) => fileURLToPath(new URL(file, import.meta.url));
		await build({
			configFile: path("../../../examples/outliner/vite.config.ts"),
			logLevel: "warn",
			build: { outDir: folder, emptyOutDir: true },
			resolve: { alias: [{ find: /^outlinekit$/, replacement: path("watched-outline.ts") }] },
		});
	});
	return folder;
}
