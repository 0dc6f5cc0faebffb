import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** The folder of the repository. */
export const root = fileURLToPath(new URL("../..", import.meta.url));

/** The packed package. */
export const tarball = process.env.OUTLINE_TARBALL!;

/** A project into which npm has installed it, and nothing else. */
export const project = process.env.OUTLINE_PROJECT!;

/** The installed package. */
export const installed = join(project, "node_modules", "outlinekit");

/** Runs a program with a Node in the project. Gives all that it printed where it failed, and nothing else. */
export function failure(args: readonly string[], node = process.execPath, cwd = project): string {
	const { status, stdout, stderr, error } = spawnSync(node, args, { cwd, encoding: "utf8" });
	if (error !== undefined) throw error;
	return status === 0 ? "" : `exit status ${status}\n${stdout}${stderr}`;
}

/** The path of a tool's program. */
export function tool(path: string): string {
	return join(root, "node_modules", path);
}
