import { copyFile, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { build } from "esbuild";
import { root } from "./install.js";

const folder = join(root, "examples/playground");

/**
 * Builds the playground, with the built package, into a folder: a page with one script. A browser also opens it
 * from a file, where it would refuse modules.
 */
export async function buildPlayground(directory) {
	await mkdir(directory, { recursive: true });
	await copyFile(join(folder, "index.html"), join(directory, "index.html"));
	await build({
		entryPoints: { playground: join(folder, "main.ts") },
		outdir: directory,
		bundle: true,
		minify: true,
		format: "esm",
		target: "es2022",
		// A script has no `await` outside of functions.
		banner: { js: "(async () => {" },
		footer: { js: "})();" },
		// Without the paths of the repository, which lead the public names to the sources.
		tsconfigRaw: {},
		plugins: [
			{
				name: "the outline of the playground",
				setup: ({ onResolve }) =>
					onResolve({ filter: /^\.\/local\.(js|ts)$/ }, () => ({ path: join(folder, "local.ts") })),
			},
		],
		// It would warn of each import of a part of the package, which has no side effects.
		logLevel: "error",
	});
}
