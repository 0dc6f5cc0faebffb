import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** The folder of the project. */
export const root = fileURLToPath(new URL("..", import.meta.url));

/** Runs a command of npm in the project's folder, and shows its output. Returns its exit status. */
export function npm(...args) {
	// npm names its own path. Without it, Windows would need a shell to find npm.
	const cli = process.env.npm_execpath;
	const [command, commandArgs, shell] =
		cli !== undefined ? [process.execPath, [cli, ...args], false] : ["npm", args, process.platform === "win32"];
	return spawnSync(command, commandArgs, { cwd: root, shell, stdio: "inherit" }).status ?? 1;
}

/** Installs all dependencies, unless the installed ones are those of the lock file. */
export function installDependencies() {
	if (!isInstalled("vitest")) install("all dependencies");
}

/** Installs the dependencies of the package and of the outliner: `npm start` needs no more. */
export function installOutliner() {
	if (isInstalled("vite")) return;
	// In a folder for development, npm would delete the packages that the tests need.
	if (existsSync(join(root, "node_modules", "vitest"))) {
		installDependencies();
		return;
	}
	install(
		"the dependencies of the outliner",
		"--omit=dev",
		"--workspace=examples/outliner",
		"--include-workspace-root",
	);
}

/** Whether a package is installed, with a lock file that hasn't changed since. */
function isInstalled(name) {
	const installed = join(root, "node_modules", ".package-lock.json");
	if (!existsSync(installed) || !existsSync(join(root, "node_modules", name))) return false;
	return modified(installed) >= modified(join(root, "package-lock.json"));
}

function install(what, ...options) {
	console.error(`Installing ${what} ...`);
	if (npm("ci", "--no-audit", "--no-fund", "--ignore-scripts", ...options) !== 0) {
		throw new Error("npm ci failed. See its output above; the usual reason is a missing network.");
	}
}

/** Builds the package unless it is newer than its sources. */
export function buildPackage() {
	const built = join(root, "dist", "index.d.ts");
	const sources = ["src", "adapters", "test/conformance", "package.json", "tsup.config.ts"].map((name) =>
		newest(join(root, name)),
	);
	if (existsSync(built) && modified(built) >= Math.max(...sources)) return;
	console.error("Building ...");
	if (npm("run", "--silent", "build", "--", "--silent") !== 0) throw new Error("The build failed; see above.");
}

/** The folder that {@link buildOutliner} writes to. */
export const outlinerDirectory = join(root, "examples", "outliner", "dist");

/** Builds the outliner unless it is newer than its sources. */
export async function buildOutliner() {
	const built = join(outlinerDirectory, "index.html");
	const sources = ["examples/outliner", "src", "adapters", "package-lock.json"].map((name) =>
		newest(join(root, name), outlinerDirectory),
	);
	if (existsSync(built) && modified(built) >= Math.max(...sources)) return;
	console.error("Building the outliner ...");
	// Imported late, because this module runs before the dependencies are installed.
	const { build } = await import("vite");
	const { NODE_ENV } = process.env;
	// Vitest sets it to "test", with which the outliner would be larger.
	process.env.NODE_ENV = "production";
	await build({ configFile: join(root, "examples", "outliner", "vite.config.ts"), logLevel: "warn" });
	// The processes that begin later would inherit it.
	if (NODE_ENV === undefined) delete process.env.NODE_ENV;
	else process.env.NODE_ENV = NODE_ENV;
}

function modified(path) {
	return statSync(path).mtimeMs;
}

/** The time of the last change below a folder, in milliseconds. Ignores one folder within it. */
function newest(path, but) {
	if (path === but) return 0;
	if (!statSync(path).isDirectory()) return modified(path);
	return Math.max(...readdirSync(path).map((name) => newest(join(path, name), but)));
}
