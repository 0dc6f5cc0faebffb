import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";
import { afterAll, beforeAll } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));

/**
 * Bundles a TypeScript program before the tests of a file, because a bundle starts several times faster than tsx does. Returns a
 * function that returns the path of the bundle.
 */
export function bundledProgram(file: string): () => string {
	let directory: string;
	beforeAll(async () => {
		// Within the project, so that the bundle finds the installed packages.
		const cache = join(root, "node_modules", ".cache");
		await mkdir(cache, { recursive: true });
		directory = await mkdtemp(join(cache, "program-"));
		await build({
			entryPoints: [join(root, file)],
			outfile: join(directory, "main.mjs"),
			bundle: true,
			format: "esm",
			platform: "node",
			packages: "external",
			tsconfig: join(root, "tsconfig.json"),
			// The program looks for other files beside itself.
			define: { "import.meta.url": JSON.stringify(pathToFileURL(join(root, file)).href) },
		});
	});
	afterAll(() => rm(directory, { recursive: true }));
	return () => join(directory, "main.mjs");
}
