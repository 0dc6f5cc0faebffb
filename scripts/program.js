import { build } from "esbuild";

/**
 * Builds the program `outlinekit` to `dist/cli.js`. It imports the package by its public names, as any other
 * program would, so the entry points of the package don't change for it. What most commands don't need, such as
 * the server, is in files of its own, which load on first use.
 */
export async function buildProgram() {
	await build({
		entryPoints: { cli: "adapters/cli/main.ts" },
		outdir: "dist",
		chunkNames: "cli-[hash]",
		bundle: true,
		splitting: true,
		format: "esm",
		platform: "node",
		target: "es2023",
		packages: "external",
		// Without the paths of the repository, which lead the public names to the sources.
		tsconfigRaw: {},
		logLevel: "warning",
	});
}
