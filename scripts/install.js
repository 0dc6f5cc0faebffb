import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** The folder of the project. */
export const root = fileURLToPath(new URL("..", import.meta.url));

/** Runs a command of npm in the project's folder, its output shown. Returns its exit status. */
export function npm(...args) {
	// npm says where it is itself, which spares us the shell that Windows needs to start it by name.
	const cli = process.env.npm_execpath;
	const [command, prefix] = cli === undefined ? ["npm", []] : [process.execPath, [cli]];
	const options = { cwd: root, stdio: "inherit", shell: cli === undefined && process.platform === "win32" };
	return spawnSync(command, [...prefix, ...args], options).status ?? 1;
}

/** Installs the dependencies unless what is installed is what the lock file says. */
export function installDependencies() {
	const installed = join(root, "node_modules", ".package-lock.json");
	if (existsSync(installed) && modified(installed) >= modified(join(root, "package-lock.json"))) return;
	console.error("Installing the dependencies ...");
	if (npm("ci", "--no-audit", "--no-fund", "--ignore-scripts") !== 0) {
		throw new Error("npm ci failed. What it printed above says why; a missing network is the usual reason.");
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

function modified(path) {
	return statSync(path).mtimeMs;
}

/** When the newest file of a folder was modified, in milliseconds, those of one folder within it aside. */
export function newest(path, but) {
	if (path === but) return 0;
	if (!statSync(path).isDirectory()) return modified(path);
	return Math.max(...readdirSync(path).map((name) => newest(join(path, name), but)));
}
