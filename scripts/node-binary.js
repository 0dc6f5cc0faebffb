import { spawnSync } from "node:child_process";

/**
 * The path of a Node of a major version: our own if it is one, else one that npm brings (from its cache, once it has been
 * downloaded).
 */
export function nodeBinary(major) {
	if (process.versions.node.split(".")[0] === String(major)) return process.execPath;
	const cli = process.env.npm_execpath;
	const [command, prefix] = cli === undefined ? ["npm", []] : [process.execPath, [cli]];
	const { stdout, status } = spawnSync(
		command,
		[
			...prefix,
			"exec",
			"--yes",
			"--ignore-scripts=false",
			`--package=node@${major}`,
			"--",
			"node",
			"-p",
			"process.execPath",
		],
		{
			encoding: "utf8",
			stdio: ["ignore", "pipe", "inherit"],
			shell: cli === undefined && process.platform === "win32",
		},
	);
	const path = stdout?.trim();
	if (status === 0 && path) return path;
	throw new Error(
		`npm couldn't bring Node ${major}. What it printed above says why; a missing network is the usual reason.`,
	);
}
