import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { installDependencies, npm, root } from "../scripts/install.js";

installDependencies();
const bench = join(root, "bench");
installPeers();
const { status } = spawnSync(process.execPath, [join(await buildBench(), "main.js"), ...process.argv.slice(2)], {
	cwd: root,
	stdio: "inherit",
});
process.exitCode = status ?? 1;

/** The peers are no dependencies of the package: they are installed here, for the benchmark alone. */
function installPeers() {
	const installed = join(bench, "node_modules", ".package-lock.json");
	const wanted = join(bench, "package-lock.json");
	if (existsSync(installed) && statSync(installed).mtimeMs >= statSync(wanted).mtimeMs) return;
	console.error("Installing what is measured beside outlinekit ...");
	if (npm("ci", "--prefix", bench, "--ignore-scripts", "--no-audit", "--no-fund") !== 0) {
		console.error("That failed; npm says why above. The parts peers and sync will be missing.");
	}
}

/**
 * Compiles the benchmark and the package once, as the package is built, and returns the folder. Not by tsx,
 * which adds a name to every function: the measurement would include that.
 */
async function buildBench() {
	const outdir = join(bench, "node_modules", ".bench");
	// It may just have been installed.
	const { build } = await import("esbuild");
	rmSync(outdir, { recursive: true, force: true });
	await build({
		entryPoints: ["main", "scene-process", "server-process"].map((name) => join(bench, `${name}.ts`)),
		outdir,
		bundle: true,
		splitting: true,
		format: "esm",
		platform: "node",
		target: "es2023",
		packages: "external",
		tsconfig: join(root, "tsconfig.json"),
		logLevel: "warning",
		plugins: [{ name: "places", setup: keepPlaces }],
	});
	return outdir;
}

/** Keeps the original `import.meta.url` of each file, because some files find others by it. */
function keepPlaces(build) {
	build.onLoad({ filter: /[\\/](bench|examples|scripts|test)[\\/][^\0]*\.[jt]s$/ }, ({ path }) => {
		if (path.includes("node_modules")) return undefined;
		const place = JSON.stringify(pathToFileURL(path).href);
		const contents = readFileSync(path, "utf8").replaceAll("import.meta.url", place);
		return { contents, loader: path.endsWith(".ts") ? "ts" : "js" };
	});
}
