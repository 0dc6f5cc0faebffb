import { spawnSync } from "node:child_process";

/** A module of Node whose package is in a folder of the search path, beside the programs of packages. */
const besidePrograms = `
const { delimiter, dirname, join } = require("node:path");
const packages = process.env.PATH.split(delimiter).map(dirname);
const folder = packages.map((each) => join(each, "workerd")).find(require("node:fs").existsSync);
console.log(require(folder).default);`;

/** The commands that print the path of each runtime. */
const ownPath = {
	node: ["node", "-p", "process.execPath"],
	deno: ["deno", "eval", "console.log(Deno.execPath())"],
	bun: ["bun", "-e", "console.log(process.execPath)"],
	workerd: ["node", "-e", besidePrograms],
};

/**
 * Returns the path of a JavaScript runtime of a major version. npm downloads it once and keeps it in its
 * cache, so that an installation of the project doesn't download it. Throws if npm can't provide it.
 */
function runtimeBinary(name: keyof typeof ownPath, major: number): string {
	const cli = process.env.npm_execpath;
	const [command, prefix] = cli === undefined ? ["npm", []] : [process.execPath, [cli]];
	const { stdout, status } = spawnSync(
		command,
		[...prefix, "exec", "--yes", "--ignore-scripts=false", `--package=${name}@${major}`, "--", ...ownPath[name]],
		{
			encoding: "utf8",
			stdio: ["ignore", "pipe", "inherit"],
			shell: cli === undefined && process.platform === "win32",
		},
	);
	const path = stdout?.trim();
	if (status === 0 && path) return path;
	throw new Error(`npm couldn't provide ${name} ${major}. Its output above has the reason, usually a missing network.`);
}

/** Returns the path of a Node of a major version: the running one if it is of that version. */
export function nodeBinary(major: number): string {
	return process.versions.node.split(".")[0] === String(major) ? process.execPath : runtimeBinary("node", major);
}

/** Returns the path of workerd, which runs workers. */
export function workerdBinary(): string {
	return runtimeBinary("workerd", 1);
}

/** Returns the beginning of a command that runs a program in Bun or Deno. */
export function runtimeCommand(name: "bun" | "deno"): readonly string[] {
	return name === "bun" ? [runtimeBinary("bun", 1)] : [runtimeBinary("deno", 2), "run", "--allow-all", "--quiet"];
}
