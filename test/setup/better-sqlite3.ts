import { spawnSync } from "node:child_process";
import { npm, root } from "../../scripts/install.js";

/**
 * Builds better-sqlite3 before its tests, because an installation without scripts leaves out its native
 * part. If that fails, the tests are skipped with the reason in `OUTLINE_WITHOUT_BETTER_SQLITE3`.
 */
export function setup(): void {
	if (process.env.OUTLINE_WITHOUT_BETTER_SQLITE3 || failure() === undefined) return;
	console.error("Building better-sqlite3 (about a minute) ...");
	const built = npm("rebuild", "better-sqlite3", "--ignore-scripts=false") === 0;
	const reason = built ? failure() : "npm rebuild better-sqlite3 failed; what it printed says why";
	if (reason === undefined) return;
	process.env.OUTLINE_WITHOUT_BETTER_SQLITE3 = reason;
	console.error(`The tests of better-sqlite3 will be skipped: ${reason}.`);
}

/** Why it can't be loaded, in one line; undefined if it can. */
function failure(): string | undefined {
	const program = `try { new (require("better-sqlite3"))(":memory:").close() } catch (error) { console.log(error.message) }`;
	const { stdout, status } = spawnSync(process.execPath, ["-e", program], { cwd: root, encoding: "utf8" });
	if (status !== 0) return "its native part crashes";
	return stdout === "" ? undefined : stdout.split("\n")[0];
}
