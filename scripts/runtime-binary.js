import { spawnSync } from "node:child_process";

/** What each runtime prints its own path with. */
const ownPath = {
	node: ["-p", "process.execPath"],
	deno: ["eval", "console.log(Deno.execPath())"],
	bun: ["-e", "console.log(process.execPath)"],
};

/**
 * The path of a JavaScript runtime (`node`, `deno` or `bun`) of a major version. npm brings it: from its cache, once it has been
 * downloaded. So nothing of it is downloaded by an installation of the project.
 */
export function runtimeBinary(name, major) {
	const cli = process.env.npm_execpath;
	const [command, prefix] = cli === undefined ? ["npm", []] : [process.execPath, [cli]];
	const { stdout, status } = spawnSync(
		command,
		[...prefix, "exec", "--yes", "--ignore-scripts=false", `--package=${name}@${major}`, "--", name, ...ownPath[name]],
		{
			encoding: "utf8",
			stdio: ["ignore", "pipe", "inherit"],
			shell: cli === undefined && process.platform === "win32",
		},
	);
	const path = stdout?.trim();
	if (status === 0 && path) return path;
	throw new Error(
		`npm couldn't bring ${name} ${major}. What it printed above says why; a missing network is the usual reason.`,
	);
}

/** The beginning of a command that runs a program in Bun or Deno, in the version that the tests use. */
export function runtimeCommand(name) {
	return name === "bun" ? [runtimeBinary("bun", 1)] : [runtimeBinary("deno", 2), "run", "--allow-all", "--quiet"];
}
